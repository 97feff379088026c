package measure

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/prometheus/client_golang/api"
)

// maxResponse is how much one answer may have, in bytes: 5 000 Pods with three containers are
// some 3 MB.
const maxResponse = 64 << 20

// maxToken is how much of a token's file is read, in bytes.
const maxToken = 64 << 10

func (o *PrometheusOptions) client() (api.Client, error) {
	address, err := o.address()
	if err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = &tls.Config{
		MinVersion:         tls.VersionTLS12,
		InsecureSkipVerify: o.Insecure, //nolint:gosec // the user asked for it by name
	}
	if o.CAFile != "" {
		text, err := os.ReadFile(o.CAFile)
		if err != nil {
			return nil, fmt.Errorf("read the certificates to trust: %w", err)
		}
		roots := x509.NewCertPool()
		if !roots.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("%s holds no certificate in PEM", o.CAFile)
		}
		transport.TLSClientConfig.RootCAs = roots
	}
	sender := &sender{options: o, next: transport}
	if _, err := sender.token(); err != nil {
		return nil, err
	}
	return api.NewClient(api.Config{Address: address.String(), Client: &http.Client{
		Transport: sender,
		// A query that is redirected loses its body, and a token must not follow elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}})
}

// sender puts the token and the headers on every request, and bounds every answer.
type sender struct {
	options *PrometheusOptions
	next    http.RoundTripper
}

func (s *sender) RoundTrip(request *http.Request) (*http.Response, error) {
	token, err := s.token()
	if err != nil {
		return nil, err
	}
	request = request.Clone(request.Context())
	for name, value := range s.options.Headers {
		request.Header.Set(name, value)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := s.next.RoundTrip(request)
	if response != nil && response.Body != nil {
		response.Body = http.MaxBytesReader(nil, response.Body, maxResponse)
	}
	return response, err
}

func (s *sender) token() (string, error) {
	if s.options.TokenFile == "" {
		return strings.TrimSpace(s.options.Token), nil
	}
	file, err := os.Open(s.options.TokenFile)
	if err != nil {
		return "", fmt.Errorf("read the token for Prometheus: %w", err)
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, maxToken))
	if err != nil {
		return "", fmt.Errorf("read the token for Prometheus: %w", err)
	}
	token := strings.TrimSpace(string(text))
	if token == "" {
		return "", errors.New("the file of the token for Prometheus is empty")
	}
	return token, nil
}

// grace is how much longer than the server the client waits, so that the server can say why.
const grace = 5 * time.Second
