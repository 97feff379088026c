// Package plane runs a real cluster for tests, without nodes: etcd, kube-apiserver,
// kube-controller-manager, cert-manager's reconcilers and headroom's chart. Pods of the
// webhook become processes here; all other Pods stay Pending, which is all that admission
// needs.
package plane

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"

	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// Developer is a user who may edit what is in namespaces, and nothing else.
const Developer = "developer"

const admin = "admin"

// Options choose what runs.
type Options struct {
	// Binary is the headroom to run; "" builds it from the sources.
	Binary string
	// HelmArguments are added to `helm install headroom charts/headroom`.
	HelmArguments []string
	// NoWebhook leaves out cert-manager and the chart.
	NoWebhook bool
	// Kyverno adds its admission controller.
	Kyverno bool
	// AuditReads puts every request into the audit log, and not only those that write workloads.
	AuditReads bool
	// Progress is told what happens while the cluster starts.
	Progress func(string)
}

// Plane is a running cluster.
type Plane struct {
	// Dir holds everything: logs, kubeconfigs, data. It is removed with the cluster.
	Dir string
	// IP is where the webhooks listen.
	IP string
	// Server is the API server's URL.
	Server string
	// Kubeconfig is the administrator's.
	Kubeconfig string
	// Config and Client are the administrator's, too.
	Config *rest.Config
	Client kubernetes.Interface

	Etcd, APIServer, Controllers, CertManager, Kyverno *Process

	options    Options
	root       string
	etcdURL    string
	accountKey string
	authority  *authority
	kubelet    *kubelet
}

// step is a part of a start.
type step struct {
	name string
	run  func(context.Context) error
}

// Start starts a cluster. The caller closes it, also after an error of its own.
func Start(ctx context.Context, options Options) (p *Plane, err error) {
	if options.Progress == nil {
		options.Progress = func(string) {}
	}
	p = &Plane{options: options}
	// client-go prints what goes wrong while an API server is down, which tests do on purpose.
	klog.SetLogger(logr.Discard())
	defer func() {
		if err != nil {
			p.Close()
			p = nil
		}
	}()
	steps := []step{
		{"etcd and kube-apiserver", p.startControlPlane},
		{"users and nodes", p.populate},
		{"cert-manager", p.startCertManager},
		{"headroom, built from the sources", p.build},
		{"the kubelet's part", p.startKubelet},
		{"headroom, installed by Helm", p.install},
	}
	if options.NoWebhook {
		steps = steps[:2]
	}
	if options.Kyverno {
		steps = append(steps, step{"Kyverno", p.startKyverno})
	}
	for _, step := range steps {
		began := time.Now()
		if err := step.run(ctx); err != nil {
			return p, fmt.Errorf("start %s: %w", step.name, err)
		}
		options.Progress(fmt.Sprintf("%s (%.1fs)", step.name, time.Since(began).Seconds()))
	}
	return p, nil
}

func (p *Plane) startControlPlane(ctx context.Context) (err error) {
	p.root = repo.Root()
	if p.IP, err = machineIP(); err != nil {
		return err
	}
	if p.Dir, err = newDirectory(); err != nil {
		return err
	}
	if p.authority, err = newAuthority(p.Dir); err != nil {
		return err
	}
	if p.accountKey, err = p.authority.accountKey(); err != nil {
		return err
	}
	for _, prepare := range []func() error{p.prepareEtcd, p.prepareAPIServer, p.prepareControllers} {
		if err := prepare(); err != nil {
			return err
		}
	}
	if p.Kubeconfig, err = p.userKubeconfig(admin, "system:masters"); err != nil {
		return err
	}
	if p.Config, err = clientcmd.BuildConfigFromFlags("", p.Kubeconfig); err != nil {
		return err
	}
	p.Config.QPS = -1
	if p.Client, err = kubernetes.NewForConfig(p.Config); err != nil {
		return err
	}
	for _, process := range []*Process{p.Etcd, p.APIServer} {
		if err := process.Start(); err != nil {
			return err
		}
	}
	if err := p.WaitHealthy(ctx); err != nil {
		return err
	}
	return p.Controllers.Start()
}

// Root is the repository.
func (p *Plane) Root() string { return p.root }

// Binary is the headroom whose webhook runs.
func (p *Plane) Binary() string { return p.options.Binary }

// Close ends every process and removes the folder.
func (p *Plane) Close() {
	if p.kubelet != nil {
		p.kubelet.close()
	}
	for _, process := range []*Process{p.Kyverno, p.CertManager, p.Controllers, p.APIServer, p.Etcd} {
		if process != nil {
			process.Stop(0)
		}
	}
	if p.Dir != "" {
		_ = os.RemoveAll(p.Dir)
	}
}

// process prepares a program of the tools; its log is its name.
func (p *Plane) process(name string, arguments ...string) (*Process, error) {
	path, err := find(name)
	if err != nil {
		return nil, err
	}
	return &Process{
		Name: name, Log: filepath.Join(p.Dir, name+".log"), path: path, arguments: arguments,
		environment: []string{"HOME=" + p.Dir, "TMPDIR=" + p.Dir},
	}, nil
}

// userKubeconfig writes the kubeconfig of a user with a certificate.
func (p *Plane) userKubeconfig(user string, groups ...string) (string, error) {
	files, err := p.authority.client(user, groups...)
	if err != nil {
		return "", err
	}
	file := filepath.Join(p.Dir, user+".kubeconfig")
	return file, writeKubeconfig(file, p.Server, p.authority.bundle(), byCertificate(files))
}
