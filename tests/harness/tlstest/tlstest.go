// Package tlstest makes certificates for tests.
package tlstest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// CA signs certificates.
type CA struct {
	Pool *x509.CertPool
	PEM  []byte

	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	serial      int64
}

// Leaf says what a certificate is good for; the zero value is good now, for localhost and
// 127.0.0.1.
type Leaf struct {
	Names               []string
	NotBefore, NotAfter time.Time
}

// NewCA makes a CA.
func NewCA(t testing.TB) *CA {
	t.Helper()
	ca := &CA{Pool: x509.NewCertPool()}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test CA"},
		NotBefore: time.Now().Add(-24 * time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	ca.key = newKey(t)
	der, err := x509.CreateCertificate(rand.Reader, template, template, ca.key.Public(), ca.key)
	if err != nil {
		t.Fatal(err)
	}
	if ca.certificate, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	ca.Pool.AddCert(ca.certificate)
	ca.PEM = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return ca
}

// Pair signs a certificate, for servers and clients, and gives it and its key as PEM.
func (ca *CA) Pair(t testing.TB, leaf Leaf) (certificate, key []byte) {
	t.Helper()
	if leaf.Names == nil {
		leaf.Names = []string{"localhost"}
	}
	if leaf.NotBefore.IsZero() {
		leaf.NotBefore = time.Now().Add(-time.Hour)
	}
	if leaf.NotAfter.IsZero() {
		leaf.NotAfter = time.Now().Add(time.Hour)
	}
	ca.serial++
	private := newKey(t)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(ca.serial), Subject: pkix.Name{CommonName: leaf.Names[0]}, DNSNames: leaf.Names,
		NotBefore: leaf.NotBefore, NotAfter: leaf.NotAfter, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, ca.certificate, private.Public(), ca.key)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded})
}

// Certificate is a signed pair, ready for a client.
func (ca *CA) Certificate(t testing.TB, leaf Leaf) tls.Certificate {
	t.Helper()
	pair, err := tls.X509KeyPair(ca.Pair(t, leaf))
	if err != nil {
		t.Fatal(err)
	}
	return pair
}

// Write signs a pair and writes it as tls.crt and tls.key.
func (ca *CA) Write(t testing.TB, dir string, leaf Leaf) {
	t.Helper()
	certificate, key := ca.Pair(t, leaf)
	File(t, filepath.Join(dir, "tls.key"), key)
	File(t, filepath.Join(dir, "tls.crt"), certificate)
}

// File replaces a file as a whole.
func File(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path+".new", content, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}
