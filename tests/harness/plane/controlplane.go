package plane

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"k8s.io/client-go/rest"

	"github.com/headroom-dev/headroom/tests/harness/ports"
)

// auditPolicy records who created which workload, and what admission noted about it.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - level: Metadata
    verbs: [create, update, patch]
    resources:
      - {group: "", resources: [pods, pods/resize, pods/ephemeralcontainers, replicationcontrollers, namespaces]}
      - {group: apps, resources: [deployments, statefulsets, daemonsets, replicasets]}
      - {group: batch, resources: [jobs, cronjobs]}
  - level: None
`

// readPolicy records who reads what as well.
const readPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - {level: Metadata}
`

// prepareEtcd writes nothing to disk that a crash of the machine should outlive.
func (p *Plane) prepareEtcd() error {
	free, err := ports.Free("127.0.0.1", 2)
	if err != nil {
		return err
	}
	p.etcdURL = fmt.Sprintf("http://127.0.0.1:%d", free[0])
	peer := fmt.Sprintf("http://127.0.0.1:%d", free[1])
	p.Etcd, err = p.process("etcd",
		"--data-dir="+filepath.Join(p.Dir, "etcd"),
		"--listen-client-urls="+p.etcdURL, "--advertise-client-urls="+p.etcdURL,
		"--listen-peer-urls="+peer, "--initial-advertise-peer-urls="+peer, "--initial-cluster=default="+peer,
		"--unsafe-no-fsync", "--log-level=warn")
	return err
}

func (p *Plane) prepareAPIServer() error {
	free, err := ports.Free("127.0.0.1", 1)
	if err != nil {
		return err
	}
	p.Server = fmt.Sprintf("https://127.0.0.1:%d", free[0])
	serving, err := p.authority.server(p.IP)
	if err != nil {
		return err
	}
	policy := filepath.Join(p.Dir, "audit-policy.yaml")
	text := auditPolicy
	if p.options.AuditReads {
		text = readPolicy
	}
	if err := os.WriteFile(policy, []byte(text), 0o600); err != nil {
		return err
	}
	p.APIServer, err = p.process("kube-apiserver",
		"--etcd-servers="+p.etcdURL,
		fmt.Sprintf("--secure-port=%d", free[0]), "--bind-address=127.0.0.1", "--advertise-address="+p.IP,
		"--tls-cert-file="+serving.certificate, "--tls-private-key-file="+serving.key,
		"--client-ca-file="+p.authority.bundle(),
		"--authorization-mode=Node,RBAC", "--allow-privileged=true",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file="+p.accountKey, "--service-account-signing-key-file="+p.accountKey,
		"--service-cluster-ip-range=10.96.0.0/16",
		// Webhooks given by Service are called at their endpoints: nothing routes cluster IPs.
		"--enable-aggregator-routing=true",
		// The Service "kubernetes" cannot be reached here.
		"--endpoint-reconciler-type=none",
		"--audit-policy-file="+policy, "--audit-log-path="+p.auditLog(), "--audit-log-maxsize=0")
	return err
}

// prepareControllers leaves out the controllers that this package plays itself
// (EndpointSlices) and those that would evict Pods from its nodes, which report nothing.
func (p *Plane) prepareControllers() error {
	kubeconfig, err := p.userKubeconfig("system:kube-controller-manager")
	if err != nil {
		return err
	}
	p.Controllers, err = p.process("kube-controller-manager",
		"--kubeconfig="+kubeconfig,
		"--service-account-private-key-file="+p.accountKey, "--root-ca-file="+p.authority.bundle(),
		// As kubeadm has it: Pods are created by the ServiceAccounts of their controllers.
		"--use-service-account-credentials=true",
		"--controllers=*,-endpoints-controller,-endpointslice-controller,-endpointslice-mirroring-controller,"+
			"-node-lifecycle-controller,-taint-eviction-controller,-device-taint-eviction-controller,"+
			"-node-ipam-controller",
		"--leader-elect=false", "--secure-port=0",
		"--kube-api-qps=200", "--kube-api-burst=400")
	return err
}

// WaitHealthy waits until the API server answers that it is ready.
func (p *Plane) WaitHealthy(ctx context.Context) error {
	client, err := rest.HTTPClientFor(p.Config)
	if err != nil {
		return err
	}
	return until(ctx, "the API server to be ready", func(ctx context.Context) error {
		if !p.APIServer.Running() {
			return stop(p.APIServer.failure())
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.Server+"/readyz", nil)
		if err != nil {
			return err
		}
		response, err := client.Do(request)
		if err != nil {
			return err
		}
		defer func() { _ = response.Body.Close() }()
		if response.StatusCode != http.StatusOK {
			return fmt.Errorf("/readyz answers %s", response.Status)
		}
		return nil
	})
}
