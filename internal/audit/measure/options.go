package measure

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/prometheus/common/model"
)

// PrometheusOptions say which Prometheus (or Thanos, Mimir, VictoriaMetrics: anything with its
// API) is asked, and how.
type PrometheusOptions struct {
	URL string // with the path prefix, if it has one
	// Token is sent as a bearer token; one in TokenFile wins and is read for every request, as
	// it may be rotated. Neither is ever printed.
	Token, TokenFile string
	CAFile           string            // certificates to trust instead of the system's
	Insecure         bool              // any certificate will do, and a token may go over plain HTTP
	Headers          map[string]string // sent along: X-Scope-OrgID, …
	Matchers         []string          // of labels, for all series: cluster="a"
	Window           time.Duration     // how far to look back; 0 is DefaultWindow
	Step             time.Duration     // how long one CPU sample is; 0 is DefaultStep
	Timeout          time.Duration     // of one query; 0 is DefaultTimeout
	Now              func() time.Time  // when the window ends; nil is time.Now
	Growth           bool              // asks whether memory grows all the time
	Metrics          any               // metrics of the config: exporters of runtimes beside those that are known
}

// What holds where PrometheusOptions say nothing.
const (
	DefaultWindow  = 7 * 24 * time.Hour
	DefaultStep    = 5 * time.Minute
	DefaultTimeout = time.Minute
)

// maxSteps is how many samples a window may have. Prometheus itself gives no more than 11 000
// points of one series; each costs it memory for every container of a namespace.
const maxSteps = 11_000

var headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")

func (o *PrometheusOptions) complete() error {
	for _, d := range []struct {
		name  string
		value *time.Duration
		or    time.Duration
	}{
		{"window", &o.Window, DefaultWindow}, {"step", &o.Step, DefaultStep}, {"timeout", &o.Timeout, DefaultTimeout},
	} {
		if *d.value == 0 {
			*d.value = d.or
		}
		if *d.value < time.Millisecond {
			return fmt.Errorf("--prometheus-%s has to be 1ms or more", d.name)
		}
	}
	switch {
	case o.Step > o.Window:
		return fmt.Errorf("a step of %s does not fit into a window of %s", Words(o.Step), Words(o.Window))
	case o.Window/o.Step > maxSteps:
		return fmt.Errorf("a window of %s has more than %d steps of %s: take a longer step",
			Words(o.Window), maxSteps, Words(o.Step))
	}
	for name := range o.Headers {
		if !headerName.MatchString(name) {
			return errors.New("--prometheus-header: HTTP does not allow the name of this header")
		}
		if strings.EqualFold(name, "Authorization") {
			return errors.New("an Authorization header on the command line shows in every list of processes: " +
				"give the token in a file, with --prometheus-token-file")
		}
	}
	return nil
}

// address is the URL, checked.
func (o *PrometheusOptions) address() (*url.URL, error) {
	// The error of url.Parse quotes the URL, and with it a password.
	address, err := url.Parse(o.URL)
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
		return nil, errors.New("--prometheus takes a URL, such as https://prometheus.example or http://localhost:9090")
	}
	_, password := address.User.Password()
	secret := password || o.Token != "" || o.TokenFile != ""
	if secret && address.Scheme == "http" && !loopback(address.Hostname()) && !o.Insecure {
		return nil, fmt.Errorf("a token would go to %s over plain HTTP, for everyone on the way to read: "+
			"use https, or ask for it with --prometheus-insecure", address.Host)
	}
	return address, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// shown is an address without what may be secret in it.
func shown(address *url.URL) string {
	bare := url.URL{Scheme: address.Scheme, Host: address.Host, Path: strings.TrimRight(address.Path, "/")}
	return bare.String()
}

// Words is a duration as Prometheus reads it, 7d or 1h30m, and without weeks.
func Words(d time.Duration) string {
	const week = 7 * 24 * time.Hour
	if d > 0 && d%week == 0 {
		return fmt.Sprintf("%dd", d/(24*time.Hour))
	}
	return model.Duration(d).String()
}
