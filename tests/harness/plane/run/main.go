// Command run starts the cluster of the tests and leaves it running until Ctrl-C, for
// someone to play with: `make cluster`.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

func main() {
	binary := flag.String("headroom", "", "the headroom `BINARY` whose webhook runs; without it, built from the sources")
	samples := flag.Bool("samples", false, "apply samples/wrong, so that there is something to audit")
	flag.Usage = func() {
		_, _ = fmt.Fprintln(flag.CommandLine.Output(), "run [flags] [arguments for helm install]")
		flag.PrintDefaults()
	}
	flag.Parse()
	ctx, release := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, *binary, *samples, flag.Args())
	release()
	if err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, binary string, samples bool, helm []string) error {
	p, err := plane.Start(ctx, plane.Options{
		Binary: binary, HelmArguments: helm,
		Progress: func(text string) { fmt.Println("  " + text) },
	})
	if errors.Is(err, context.Canceled) {
		fmt.Println("\nstopped")
		return nil
	}
	if err != nil {
		return err
	}
	defer p.Close()
	if samples {
		if err := inherit(p); err != nil {
			return err
		}
		fmt.Println("  samples/wrong, in namespaces old-…")
	}
	fmt.Printf(guide, filepath.Join(p.Root(), ".tools", "bin"), p.Kubeconfig, p.Dir)
	select {
	case <-ctx.Done():
		fmt.Println("\nstopping")
	case <-p.APIServer.Exited():
		return fmt.Errorf("kube-apiserver ended; its log was %s", p.APIServer.Log)
	}
	return nil
}

const guide = `
A Kubernetes cluster runs: etcd, kube-apiserver, kube-controller-manager, cert-manager and
headroom, installed by Helm. It has no nodes: Pods stay Pending, but for the webhook's own.
In another terminal, in this folder:

  export PATH=%s:$PATH
  export KUBECONFIG=%s

  kubectl get pods -n headroom-system
  kubectl create namespace news
  kubectl apply -f samples/wrong/article-service.yaml        # warnings, and nothing changed

  kubectl label namespace news headroom.dev/mutate=enabled   # now Pods are fixed
  kubectl rollout restart deployment/article-service -n news
  kubectl get pods -n news --sort-by=.metadata.creationTimestamp \
    -o jsonpath='{.items[-1].metadata.annotations.headroom\.dev/applied}'

  kubectl create namespace strict
  kubectl label namespace strict headroom.dev/mode=enforce
  sed s/news/strict/ samples/wrong/article-service.yaml | kubectl apply -f -   # refused

  bin/headroom audit -A -o table -o html=report.html         # what runs, and what is wrong with it

Logs, and everything else of it, are below %s.
Ctrl-C stops and removes it all.
`
