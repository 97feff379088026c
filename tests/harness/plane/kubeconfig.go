package plane

import (
	"fmt"

	"k8s.io/client-go/tools/clientcmd"
	api "k8s.io/client-go/tools/clientcmd/api"
)

// writeKubeconfig writes how a user reaches the API server: by a certificate or by a token.
func writeKubeconfig(file, server, bundle string, user *api.AuthInfo) error {
	config := api.NewConfig()
	config.Clusters["headroom"] = &api.Cluster{Server: server, CertificateAuthority: bundle}
	config.AuthInfos["user"] = user
	config.Contexts["headroom"] = &api.Context{Cluster: "headroom", AuthInfo: "user", Namespace: "default"}
	config.CurrentContext = "headroom"
	if err := clientcmd.WriteToFile(*config, file); err != nil {
		return fmt.Errorf("write kubeconfig: %w", err)
	}
	return nil
}

func byCertificate(files pair) *api.AuthInfo {
	return &api.AuthInfo{ClientCertificate: files.certificate, ClientKey: files.key}
}

func byToken(file string) *api.AuthInfo { return &api.AuthInfo{TokenFile: file} }
