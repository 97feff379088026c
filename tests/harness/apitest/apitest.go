// Package apitest starts a real kube-apiserver with its etcd for tests.
package apitest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// programs are built by `make control-plane`.
var programs = []string{"etcd", "kube-apiserver", "kubectl"}

// Server is a running API server.
type Server struct {
	*envtest.Environment
	Config *rest.Config
}

// Start starts an API server. The caller stops it. Starting takes about five
// seconds, so that a package starts one for all its tests.
func Start() (*Server, error) {
	bin, err := tools()
	if err != nil {
		return nil, err
	}
	environment := &envtest.Environment{
		BinaryAssetsDirectory:    bin,
		ControlPlaneStartTimeout: 10 * time.Minute,
		ControlPlaneStopTimeout:  10 * time.Minute,
	}
	config, err := environment.Start()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start the API server: %w", err), environment.Stop())
	}
	return &Server{Environment: environment, Config: config}, nil
}

// New is an API server that ends with a test.
func New(t testing.TB) *Server {
	t.Helper()
	server, err := Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	return server
}

// Run runs the tests of a package with an API server, which use is given before. It is for TestMain.
func Run(m *testing.M, use func(*Server) error) (code int) {
	server, err := Start()
	if err == nil {
		defer func() {
			if err := server.Stop(); err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
		}()
		err = use(server)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// tools is the folder that `make control-plane` fills.
func tools() (string, error) {
	bin := repo.Path(".tools", "bin")
	for _, program := range programs {
		if _, err := os.Stat(filepath.Join(bin, program)); err != nil {
			return "", fmt.Errorf("%s is missing, run `make control-plane`: %w", program, err)
		}
	}
	return bin, nil
}
