package plane

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// authority signs the API server's certificate and those by which its users are known.
type authority struct {
	dir         string
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// pair names the files of a certificate and its key.
type pair struct{ certificate, key string }

func newAuthority(dir string) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	a := &authority{dir: dir, key: key}
	template := &x509.Certificate{
		Subject: pkix.Name{CommonName: "headroom test"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	a.certificate = template
	_, err = a.issue("ca", template, key)
	return a, err
}

// bundle is the file of the authority's own certificate.
func (a *authority) bundle() string { return filepath.Join(a.dir, "ca.crt") }

// server issues the API server's certificate.
func (a *authority) server(ip string) (pair, error) {
	return a.issue("apiserver", &x509.Certificate{
		Subject:     pkix.Name{CommonName: "kube-apiserver"},
		DNSNames:    []string{"localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.ParseIP(ip)},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, nil)
}

// client issues the certificate of a user, who belongs to groups.
func (a *authority) client(user string, groups ...string) (pair, error) {
	return a.issue("user-"+user, &x509.Certificate{
		Subject:     pkix.Name{CommonName: user, Organization: groups},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}, nil)
}

// issue signs a template and writes name.crt and name.key; without a key it makes one.
func (a *authority) issue(name string, template *x509.Certificate, key *ecdsa.PrivateKey) (pair, error) {
	if key == nil {
		made, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return pair{}, err
		}
		key = made
	}
	template.SerialNumber = big.NewInt(time.Now().UnixNano())
	template.NotBefore = time.Now().Add(-time.Hour)
	template.NotAfter = time.Now().Add(7 * 24 * time.Hour)
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, key.Public(), a.key)
	if err != nil {
		return pair{}, fmt.Errorf("sign certificate %s: %w", name, err)
	}
	files := pair{filepath.Join(a.dir, name+".crt"), filepath.Join(a.dir, name+".key")}
	if err := writePEM(files.certificate, "CERTIFICATE", der); err != nil {
		return pair{}, err
	}
	return files, writeKey(files.key, key)
}

// accountKey writes the key pair that signs ServiceAccount tokens.
func (a *authority) accountKey() (string, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return "", err
	}
	file := filepath.Join(a.dir, "service-accounts.key")
	return file, writeKey(file, key)
}

func writeKey(file string, key *ecdsa.PrivateKey) error {
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	return writePEM(file, "EC PRIVATE KEY", der)
}

func writePEM(file, kind string, der []byte) error {
	return os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
}
