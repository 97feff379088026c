//go:build !lean

package main

import (
	"fmt"
	"os"
	"strings"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/headroom-dev/headroom/internal/pattern"
)

// kubeFlags are kubectl's, which say what cluster is asked, and as whom.
type kubeFlags struct{ *genericclioptions.ConfigFlags }

func newKubeFlags() kubeFlags {
	f := kubeFlags{genericclioptions.NewConfigFlags(false)}
	f.CacheDir = nil // nothing is discovered, so that nothing is cached
	return f
}

// config is how a command reaches the cluster.
func (f kubeFlags) config(command string) (*rest.Config, error) {
	config, err := f.ToRESTConfig()
	if err != nil {
		return nil, fmt.Errorf("read the kubeconfig: %s", withoutPassword(err.Error()))
	}
	if err := f.absent(config); err != nil {
		return nil, err
	}
	if _, _, err := rest.DefaultServerUrlFor(config); err != nil {
		return nil, fmt.Errorf("the server of the kubeconfig: %s", withoutPassword(err.Error()))
	}
	config.UserAgent = "headroom-" + command + "/" + versionString()
	config.WarningHandler = rest.NoWarnings{} // on deprecated kinds, which are not the topic here
	return config, nil
}

// withoutPassword leaves out what stands in front of the host of an address: a name and a password.
func withoutPassword(text string) string { return userinfo().ReplaceAllString(text, "://") }

var userinfo = pattern.Lazy(`://[^\s"]*@`)

// namespace is that of -n or of the kubeconfig.
func (f kubeFlags) namespace() (string, error) {
	name, _, err := f.ToRawKubeConfigLoader().Namespace()
	if err != nil {
		return "", fmt.Errorf("read the kubeconfig: %w", err)
	}
	return name, nil
}

// absent says that no kubeconfig names a cluster, in which case one is looked for on this machine,
// where there is hardly ever any.
func (f kubeFlags) absent(config *rest.Config) error {
	loader := f.ToRawKubeConfigLoader()
	raw, err := loader.RawConfig()
	if err != nil {
		return fmt.Errorf("read the kubeconfig: %w", err)
	}
	if len(raw.Clusters) > 0 || *f.APIServer != "" || os.Getenv("KUBERNETES_MASTER") != "" ||
		config.Host != clientcmd.ClusterDefaults.Server {
		return nil
	}
	var missing, empty []string
	for _, file := range loader.ConfigAccess().GetLoadingPrecedence() {
		if there(file) != nil {
			missing = append(missing, file)
		} else {
			empty = append(empty, file)
		}
	}
	switch {
	case len(empty) > 0:
		return fmt.Errorf("the kubeconfig %s names no cluster", strings.Join(empty, ", "))
	case os.Getenv(clientcmd.RecommendedConfigPathEnvVar) != "":
		return fmt.Errorf("there is no kubeconfig: KUBECONFIG names %s, which does not exist", strings.Join(missing, ", "))
	}
	return fmt.Errorf("there is no kubeconfig: %s does not exist, and neither KUBECONFIG nor --kubeconfig names another",
		strings.Join(missing, ", "))
}
