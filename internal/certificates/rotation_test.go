package certificates

import (
	"context"
	"crypto/tls"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/tlstest"
	"github.com/headroom-dev/headroom/tests/harness/wait"
)

// F6 and F11: no handshake fails while the files change, whole, in halves and broken.
func TestRotationUnderLoad(t *testing.T) {
	dir, ca := t.TempDir(), tlstest.NewCA(t)
	ca.Write(t, dir, tlstest.Leaf{})
	c := follow(t, Options{Dir: dir})
	wait.For(t, "the certificate", ready(c))
	address := serve(t, c)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var connections atomic.Int64
	failures := make(chan error, 100)
	const clients = 8
	done := make(chan struct{}, clients)
	for range clients {
		go func() {
			defer func() { done <- struct{}{} }()
			for ctx.Err() == nil {
				if _, err := dial(address, &tls.Config{RootCAs: ca.Pool}); err != nil {
					select {
					case failures <- err:
					default:
					}
				}
				connections.Add(1)
			}
		}()
	}
	serial := func() string {
		state, err := dial(address, &tls.Config{RootCAs: ca.Pool})
		if err != nil {
			t.Fatal(err)
		}
		return state.PeerCertificates[0].SerialNumber.String()
	}
	for range 5 {
		before := serial()
		certificate, key := ca.Pair(t, tlstest.Leaf{})
		// A key cut short, then a key to which the certificate does not belong.
		for _, broken := range [][]byte{key[:len(key)/2], {}, key} {
			if err := os.WriteFile(filepath.Join(dir, KeyFile), broken, 0o600); err != nil {
				t.Fatal(err)
			}
			time.Sleep(120 * time.Millisecond)
			if serial() != before || c.Ready() != nil {
				t.Error("a broken pair replaced a good one")
			}
		}
		tlstest.File(t, filepath.Join(dir, CertFile), certificate)
		wait.For(t, "the new certificate", func() bool { return serial() != before })
	}
	wait.For(t, "a hundred connections", func() bool { return connections.Load() >= 100 })
	cancel()
	for range clients {
		<-done
	}
	close(failures)
	for err := range failures {
		t.Error(err)
	}
}

// A mounted Secret is a symbolic link to a directory that is swapped as a whole.
func TestMountedSecret(t *testing.T) {
	dir, ca := t.TempDir(), tlstest.NewCA(t)
	mount := func(version string) {
		if err := os.Mkdir(filepath.Join(dir, version), 0o700); err != nil {
			t.Fatal(err)
		}
		ca.Write(t, filepath.Join(dir, version), tlstest.Leaf{Names: []string{version}})
		if err := os.Symlink(version, filepath.Join(dir, "..data_tmp")); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(dir, "..data_tmp"), filepath.Join(dir, "..data")); err != nil {
			t.Fatal(err)
		}
	}
	mount("one")
	for _, name := range []string{CertFile, KeyFile} {
		if err := os.Symlink(filepath.Join("..data", name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	c := follow(t, Options{Dir: dir})
	serves := func(name string) func() bool {
		return func() bool { leaf, err := c.leaf(); return err == nil && leaf.DNSNames[0] == name }
	}
	wait.For(t, "the first", serves("one"))
	mount("two")
	if err := os.RemoveAll(filepath.Join(dir, "one")); err != nil {
		t.Fatal(err)
	}
	wait.For(t, "the second", serves("two"))
	mount("three")
	wait.For(t, "the third", serves("three"))
}
