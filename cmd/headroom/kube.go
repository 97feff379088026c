package main

import (
	"fmt"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/rest"
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
		return nil, fmt.Errorf("read the kubeconfig: %w", err)
	}
	config.UserAgent = "headroom-" + command + "/" + versionString()
	config.WarningHandler = rest.NoWarnings{} // of kinds that are old, which is nobody's question here
	return config, nil
}

// namespace is that of -n or of the kubeconfig.
func (f kubeFlags) namespace() (string, error) {
	name, _, err := f.ToRawKubeConfigLoader().Namespace()
	if err != nil {
		return "", fmt.Errorf("read the kubeconfig: %w", err)
	}
	return name, nil
}
