//go:build !js && !lean

package source

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/confined"
)

// What a kustomization opens, only kustomize can tell: names come from patches and from plugins of plugins. So the
// process that renders has no network and finds no program. checkLocal says the usual things better, and before.

var errNothingFetched = errors.New("nothing is fetched here")

// offline takes the network away from this process, and git.
func offline() {
	isOffline = true
	if program, err := exec.LookPath("helm"); err == nil {
		helmProgram, _ = filepath.Abs(program) // it fails where there is no working directory
	}
	http.DefaultTransport = noNetwork{}
	_ = os.Setenv("PATH", "") // fails for names alone that are none
}

type noNetwork struct{}

func (noNetwork) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Body != nil {
		_ = request.Body.Close() // the body is not read
	}
	return nil, errNothingFetched
}

var (
	isOffline   bool
	helmProgram string // of the user, who had it in PATH
)

// helmVariable names it to the program that stands in its place.
const helmVariable = "HEADROOM_RENDERS_WITH_HELM"

// helmCommand is what kustomize runs as helm: this program again, which RunHelm answers for.
func helmCommand() (string, error) {
	if !isOffline {
		return "helm", nil // a program that uses this as a library runs its own helm
	}
	if helmProgram == "" {
		return "", errors.New("there is no helm in PATH")
	}
	if err := os.Setenv(helmVariable, helmProgram); err != nil {
		return "", err
	}
	return os.Executable()
}

// HelmAsked says that kustomize has started this program in the place of helm.
func HelmAsked() bool { return os.Getenv(helmVariable) != "" }

// RunHelm runs helm with the arguments that kustomize has for it, if it fetches nothing, in place of this process. It
// ends with the one that renders.
func RunHelm(arguments []string, said io.Writer) (code int) {
	program := os.Getenv(helmVariable)
	err := helmAllowed(arguments)
	for _, name := range []string{helmVariable, boundsVariable} {
		_ = os.Unsetenv(name) // fails for names alone that are none
	}
	_ = os.Setenv("HELM_PLUGINS", os.DevNull) // the kustomization names the folder that they would come from
	if err == nil {
		code, err = confined.Become(program, arguments)
	}
	if err != nil {
		fmt.Fprintln(said, "helm:", err) //nolint:errcheck // kustomize sees the exit code
		return 1
	}
	return code
}

func helmAllowed(arguments []string) error {
	isRemote := func(argument string) bool { return strings.Contains(argument, "://") }
	switch {
	case len(arguments) == 0 || slices.ContainsFunc(arguments, isRemote):
		return errNothingFetched
	case arguments[0] == "version":
		return nil
	case arguments[0] != "template":
		return errNothingFetched
	}
	within, err := boundsTold()
	if err != nil {
		return err
	}
	return within.checkHelm(arguments[1:])
}
