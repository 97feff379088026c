package main

import (
	"os/exec"
	"strings"
	"testing"
)

// heavy are the modules that take the time of a start and are for charts, clusters and registries.
var heavy = []string{
	"helm.sh/", "sigs.k8s.io/kustomize/", "sigs.k8s.io/controller-runtime", "k8s.io/client-go", "k8s.io/api/", "k8s.io/cli-runtime",
	"github.com/google/go-containerregistry", "github.com/prometheus/", "github.com/santhosh-tekuri/jsonschema",
	"github.com/modelcontextprotocol/",
}

func TestLeanProgramLinksNothingHeavy(t *testing.T) {
	for _, test := range []struct {
		tags string
		want bool
	}{{"lean", false}, {"", true}} {
		out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-tags", test.tags, ".").Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, module := range heavy {
			if got := strings.Contains("\n"+string(out), "\n"+module); got != test.want {
				t.Errorf("tags %q: %s is linked: %t", test.tags, module, got)
			}
		}
	}
}
