//go:build !js && !lean

package source

import (
	"fmt"
	"os"
	"strings"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/headroom-dev/headroom/internal/pattern"
)

func buildWith(files filesys.FileSystem, folder string, helm bool) (text []byte, err error) {
	defer silence()()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("kustomize gave up: %v", r)
		}
	}()
	// The default options load nothing from outside the folder and disable all
	// plugins, functions in containers and Helm among them.
	options := krusty.MakeDefaultOptions()
	if helm { // the user's own, on folders within the bounds
		options.PluginConfig.HelmConfig.Enabled = true
		if options.PluginConfig.HelmConfig.Command, err = helmCommand(); err != nil {
			return nil, err
		}
	}
	objects, err := krusty.MakeKustomizer(options).Run(files, folder)
	if err != nil {
		return nil, err
	}
	return objects.AsYaml()
}

var quotedYAML = pattern.Lazy("(unable to parse SM or JSON patch from \\[|with config: `).*[]`]")

// kustomizeError shortens absolute paths to what the user sees and drops the
// patches that kustomize quotes.
func kustomizeError(err error) error {
	text := strings.Join(strings.Fields(err.Error()), " ")
	if here, err := os.Getwd(); err == nil {
		text = strings.ReplaceAll(text, here+string(os.PathSeparator), "")
	}
	return fmt.Errorf("the kustomization does not build: %s", shortened(quotedYAML().ReplaceAllString(text, "$1...")))
}
