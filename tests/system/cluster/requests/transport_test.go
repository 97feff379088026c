//go:build system

package requests

import (
	"crypto/tls"
	"net/http"
	"strings"
	"testing"
)

// The port speaks TLS 1.2 and later, and HTTP/1.1 alone (W42).
func TestTransport(t *testing.T) {
	for _, replica := range cluster.Replicas() {
		for version, spoken := range map[uint16]bool{
			tls.VersionTLS10: false, tls.VersionTLS11: false, tls.VersionTLS12: true, tls.VersionTLS13: true,
		} {
			config := trust(t)
			config.MinVersion, config.MaxVersion = tls.VersionTLS10, version
			connection, err := tls.Dial("tcp", replica.Webhook, config)
			if (err == nil) != spoken {
				t.Errorf("%s: %v", tls.VersionName(version), err)
			}
			if err == nil {
				connection.Close()
			} else if !spoken && !strings.Contains(err.Error(), "protocol version not supported") {
				// Not only for want of a cipher.
				t.Errorf("%s is refused since %v", tls.VersionName(version), err)
			}
		}
		config := trust(t)
		config.NextProtos = []string{"h2", "http/1.1"}
		connection, err := tls.Dial("tcp", replica.Webhook, config)
		if err != nil {
			t.Fatal(err)
		}
		if protocol := connection.ConnectionState().NegotiatedProtocol; protocol != "http/1.1" {
			t.Errorf("the protocol is %q", protocol)
		}
		connection.Close()
		config.NextProtos = []string{"h2"}
		if connection, err := tls.Dial("tcp", replica.Webhook, config); err == nil {
			t.Errorf("h2 alone is accepted: %q", connection.ConnectionState().NegotiatedProtocol)
			connection.Close()
		}
		for cipher, accepted := range map[uint16]bool{
			tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: true, tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: true,
			tls.TLS_RSA_WITH_AES_128_CBC_SHA: false, tls.TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA: false,
			tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: false,
		} {
			config := trust(t)
			config.MaxVersion, config.CipherSuites = tls.VersionTLS12, []uint16{cipher}
			connection, err := tls.Dial("tcp", replica.Webhook, config)
			if err == nil {
				connection.Close()
			}
			// The certificate's kind of key chooses among the accepted.
			if !accepted && err == nil {
				t.Errorf("%s is accepted", tls.CipherSuiteName(cipher))
			}
		}
		for _, address := range []string{replica.Webhook, replica.Metrics, replica.Probes} {
			response, err := http.Get("http://" + address + "/debug/pprof/")
			if err != nil {
				continue // TLS alone
			}
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				t.Errorf("%s has profiles", address)
			}
		}
	}
}
