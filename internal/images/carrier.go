package images

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/internal/terminal"
)

var (
	errTooLarge  = fmt.Errorf("it has more than %d MiB", maxBytes>>20)
	errPlainHTTP = errors.New("the registry, or what it sends to, is not reached by https; " +
		"--registry-insecure HOST takes one without TLS")
	errElsewhere = errors.New("the registry's token server redirects to another host, which is not told the credentials")
)

const (
	// longestWait is what a registry that is asked too often may ask for.
	longestWait = 10 * time.Second
	tries       = 3
	// dialPatience is how long an address may take to be reached.
	dialPatience = 10 * time.Second
)

// carrier sends requests by https alone, except to hosts that were named. Answers are bounded, and a 429 is tried
// again. A request with a body does not follow a redirect.
type carrier struct {
	insecure []string
	named    []string // hosts that the user named, wherever they are
	dialled  dialled
	next     [nowhere + 1]http.RoundTripper // by how far inside it may lead: connections are not shared between them
}

func newCarrier(o Options) (*carrier, error) {
	authorities := o.Authorities
	trusted, err := x509.SystemCertPool()
	if err != nil {
		return nil, fmt.Errorf("read the system's certificates: %w", err)
	}
	if authorities != "" {
		text, err := os.ReadFile(authorities)
		if err != nil {
			return nil, fmt.Errorf("read the registry's certificates: %w", err)
		}
		if !trusted.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("--registry-ca %s holds no certificate in PEM", authorities)
		}
	}
	c := &carrier{
		insecure: o.Insecure, named: slices.Concat(o.Insecure, slices.Collect(maps.Values(o.Mirrors))),
		dialled: dialled{levelOf: levelOf, levels: map[string]level{}},
	}
	for i := range c.next {
		c.next[i] = transportFor(trusted, c.dialled.dialer())
	}
	return c, nil
}

func transportFor(trusted *x509.CertPool, dialer *net.Dialer) *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           dialer.DialContext,
		TLSClientConfig:       &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: patience,
		MaxIdleConnsPerHost:   atOnce,
		IdleConnTimeout:       30 * time.Second,
		ForceAttemptHTTP2:     true,
		// A config of a few KB may be packed from gigabytes.
		DisableCompression: true,
	}
}

func (c *carrier) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.URL.Scheme != "https" && !slices.Contains(c.insecure, request.URL.Host) {
		return nil, errPlainHTTP
	}
	if elsewhere(request) {
		return nil, errElsewhere
	}
	proxy, err := http.ProxyFromEnvironment(request)
	if err != nil {
		return nil, err
	}
	request, most, err := c.dialled.bound(request, c.named, proxy != nil)
	if err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		answer, err := c.next[most].RoundTrip(request)
		if err != nil {
			return nil, err
		}
		if answer.StatusCode != http.StatusTooManyRequests || try == tries || request.Body != nil {
			if answer.ContentLength > maxBytes {
				_ = answer.Body.Close()
				return nil, errTooLarge
			}
			answer.Body = http.MaxBytesReader(nil, answer.Body, maxBytes)
			return answer, nil
		}
		_ = answer.Body.Close()
		select {
		case <-request.Context().Done():
			return nil, request.Context().Err()
		case <-time.After(wait(answer.Header.Get("Retry-After"), try)):
		}
	}
}

// elsewhere says that a request with a body was redirected to another host: the body is a refresh token, which belongs to
// the server of tokens alone. Headers with credentials are not sent along by the library.
func elsewhere(request *http.Request) bool {
	return request.Body != nil && request.Body != http.NoBody && request.Response != nil &&
		request.Response.Request.URL.Host != request.URL.Host
}

// wait is how long to leave a registry alone.
func wait(asked string, try int) time.Duration {
	pause := time.Duration(try) * time.Second
	if seconds, err := strconv.Atoi(asked); err == nil && seconds >= 0 {
		pause = time.Duration(min(seconds, int(longestWait/time.Second))) * time.Second
	} else if at, err := http.ParseTime(asked); err == nil {
		pause = max(0, time.Until(at))
	}
	return min(pause, longestWait)
}

// shortened is an error in one printable line, without addresses, which may hold credentials.
func shortened(err error) error {
	var address *url.Error
	if errors.As(err, &address) {
		err = address.Err
	}
	text, _, _ := strings.Cut(err.Error(), "\n")
	text = terminal.Printable(text)
	if strings.Contains(text, "://") {
		return errors.New("the registry could not be read")
	}
	if runes := []rune(text); len(runes) > 160 {
		text = string(runes[:159]) + "…"
	}
	return errors.New(text)
}
