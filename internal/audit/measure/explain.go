package measure

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"unicode"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
)

// kind is what follows from a failure.
type kind int

const (
	otherwise   kind = iota // this query failed
	unreachable             // so will every other
	tooMuch                 // half the window may do
	tooLong                 // likewise, but not for ever
	busy                    // the same again, later
	partialData             // there is an answer, and something is missing in it
)

// failure is why a query has no answer, or not all of it, and what would help.
type failure struct {
	kind  kind
	text  string
	cause error
}

func (f *failure) Error() string { return f.text }
func (f *failure) Unwrap() error { return f.cause }

// partial is nil where the server warned of nothing. Thanos and Mimir warn when a store, and
// with it a part of the window, could not be asked.
func partial(warnings v1.Warnings) *failure {
	if len(warnings) == 0 {
		return nil
	}
	return &failure{kind: partialData, text: "Prometheus warns that its data is not complete: " + clean(warnings[0])}
}

// explain says what is wrong in words, and what would help.
func (a *asker) explain(err error) *failure {
	give := func(kind kind, format string, arguments ...any) *failure {
		return &failure{kind: kind, text: "Prometheus at " + a.shown + " " + fmt.Sprintf(format, arguments...), cause: err}
	}
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return give(otherwise, "gave an answer of more than %d MiB", maxResponse>>20)
	}
	var answered *v1.Error
	if errors.As(err, &answered) {
		return a.explainAnswer(answered, give)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return give(unreachable, "did not answer within %s: "+
			"is it overloaded? A longer --prometheus-timeout or a shorter --prometheus-window may help", Words(a.timeout))
	}
	if text := certificate(err); text != "" {
		return give(unreachable, "%s", text)
	}
	var name *net.DNSError
	switch {
	case errors.As(err, &name):
		return give(unreachable, "cannot be reached: no such host %s; "+
			"inside the cluster only? kubectl port-forward brings it here", clean(name.Name))
	case errors.Is(err, syscall.ECONNREFUSED):
		return give(unreachable, "cannot be reached: connection refused; is it up, and the port right?")
	}
	hint := ""
	if strings.HasPrefix(a.shown, "http:") && (errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.EOF)) {
		hint = "; does it want https://…?"
	}
	return give(unreachable, "cannot be reached: %s%s", clean(innermost(err).Error()), hint)
}

// explainAnswer is for servers that answered, but not what was asked.
func (a *asker) explainAnswer(err *v1.Error, give func(kind, string, ...any) *failure) *failure {
	var status int
	if _, scanErr := fmt.Sscanf(err.Msg[strings.LastIndex(err.Msg, " ")+1:], "%d", &status); scanErr != nil {
		status = 0
	}
	// Prometheus says more in the body than client_golang reads of a 503.
	var body struct{ ErrorType, Error string }
	if json.Unmarshal([]byte(err.Detail), &body) == nil && body.ErrorType == string(v1.ErrTimeout) {
		return give(tooLong, "gave up after %s", Words(a.timeout))
	}
	switch {
	case err.Type == v1.ErrTimeout || err.Type == v1.ErrCanceled:
		return give(tooLong, "gave up: %s", clean(err.Msg))
	case err.Type == v1.ErrExec:
		return give(tooMuch, "refused: %s", clean(err.Msg))
	case err.Type == v1.ErrBadResponse && status/100 == 3:
		return give(unreachable, "redirects elsewhere (%d): to a login page? Give the URL that answers itself", status)
	case err.Type == v1.ErrBadResponse:
		return give(unreachable, "answers with something that is not Prometheus' API: "+
			"is the URL right, and no login page in between?")
	case status == 401:
		return give(unreachable, "wants to know who asks (401): give a token that it accepts, "+
			"by --prometheus-token-file or $HEADROOM_PROMETHEUS_TOKEN")
	case status == 403:
		return give(unreachable, "does not allow it (403): the token, or the tenant of --prometheus-header, "+
			"may not read these series")
	case status == 404:
		return give(unreachable, "has no API there (404): does the URL lack a path, such as /prometheus?")
	case status == 429:
		return give(busy, "is asked too often (429)")
	}
	text := body.Error
	if text == "" {
		text = err.Msg
	}
	return give(otherwise, "failed: %s", clean(text))
}

// certificate says what is wrong with TLS; "" where it is not TLS that failed.
func certificate(err error) string {
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	var plain tls.RecordHeaderError
	var refused *tls.CertificateVerificationError
	switch {
	case errors.As(err, &unknown):
		return "has a certificate of an authority that is not trusted here: give that one's with --prometheus-ca-file"
	case errors.As(err, &host):
		return "has a certificate for another name: " + clean(host.Error())
	case errors.As(err, &invalid):
		return "has a certificate that does not hold: " + clean(invalid.Error())
	case errors.As(err, &refused):
		return "has a certificate that does not hold: " + clean(refused.Err.Error())
	case errors.As(err, &plain), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return "does not speak TLS: is its URL http://…?"
	}
	return ""
}

// innermost is without what the layers above put in front: a URL may be part of it.
func innermost(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}

// maxText is how much of what a server says is repeated, in characters.
const maxText = 300

// clean is text of a server on one line: it cannot steer a terminal or drown the report.
func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > maxText {
		return string(runes[:maxText]) + "…"
	}
	return string(runes)
}
