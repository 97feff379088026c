// Command judge asks Kyverno's engine about many manifests, as `kyverno apply` does, and prints
// what its policies say. That command compiles every policy anew for each resource, which
// takes hours for a corpus; this one compiles them once, as the admission controller does.
//
//	judge POLICIES RESOURCES NAMESPACES
//
// NAMESPACES is a file with a list of Namespaces; RESOURCES a folder of files with one
// document of JSON in each line.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/kyverno/kyverno/cmd/cli/kubectl-kyverno/policy"
	"github.com/kyverno/kyverno/cmd/cli/kubectl-kyverno/processor"
	celengine "github.com/kyverno/kyverno/pkg/cel/engine"
	"github.com/kyverno/kyverno/pkg/cel/libs"
	"github.com/kyverno/kyverno/pkg/cel/matching"
	"github.com/kyverno/kyverno/pkg/cel/policies/vpol/compiler"
	"github.com/kyverno/kyverno/pkg/cel/policies/vpol/engine"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "judge POLICIES RESOURCES NAMESPACES")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(2)
	}
}

// result is one policy's word on one resource.
type result struct {
	Policy  string `json:"policy"`
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Result  string `json:"result"`
	Message string `json:"message"`
}

func run(ctx context.Context, policies, resources, namespaces string) error {
	// The folder has kustomizations and tests too.
	files, err := filepath.Glob(filepath.Join(policies, "*", "policy.yaml"))
	if err != nil {
		return err
	}
	loaded, err := policy.Load(nil, "", files...)
	if err != nil {
		return err
	}
	if len(files) == 0 || len(loaded.ValidatingPolicies) != len(files) || len(loaded.NonFatalErrors) > 0 {
		return fmt.Errorf("%d policies in %d files of %s: %v", len(loaded.ValidatingPolicies), len(files), policies, loaded.NonFatalErrors)
	}
	provider, err := engine.NewProvider(compiler.NewCompiler(), loaded.ValidatingPolicies, nil)
	if err != nil {
		return err
	}
	resolve, err := resolver(namespaces)
	if err != nil {
		return err
	}
	judge := engine.NewEngine(provider, resolve, matching.NewMatcher())
	objects, err := read(resources)
	if err != nil {
		return err
	}
	answers, errs := make([][]result, len(objects)), make([]error, len(objects))
	next := make(chan int)
	var running sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		running.Go(func() {
			for i := range next {
				answers[i], errs[i] = ask(ctx, judge, objects[i])
			}
		})
	}
	for i := range objects {
		next <- i
	}
	close(next)
	running.Wait()
	all := []result{}
	for i := range objects {
		if errs[i] != nil {
			return fmt.Errorf("%s: %w", objects[i].GetName(), errs[i])
		}
		all = append(all, answers[i]...)
	}
	return json.NewEncoder(os.Stdout).Encode(all)
}

func ask(ctx context.Context, judge engine.Engine, object *unstructured.Unstructured) ([]result, error) {
	gvk := object.GroupVersionKind()
	gvr := schema.GroupVersionResource{
		Group: gvk.Group, Version: gvk.Version, Resource: strings.ToLower(gvk.Kind) + "s",
	}
	operation, now, before := processor.AdmissionRequestShape("CREATE", object)
	response, err := judge.Handle(ctx, celengine.Request(libs.NewFakeContextProvider(), gvk, gvr, "",
		object.GetName(), object.GetNamespace(), operation, authenticationv1.UserInfo{}, now, before, false, nil), nil)
	if err != nil {
		return nil, err
	}
	var results []result
	for _, p := range response.Policies {
		for _, rule := range p.Rules {
			results = append(results, result{
				p.Policy.GetName(), gvk.Kind, object.GetName(), string(rule.Status()), rule.Message(),
			})
		}
	}
	return results, nil
}

func resolver(file string) (func(string) *corev1.Namespace, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var list []corev1.Namespace
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	named := map[string]*corev1.Namespace{}
	for i := range list {
		named[list[i].Name] = &list[i]
	}
	return func(name string) *corev1.Namespace { return named[name] }, nil
}

func read(dir string) ([]*unstructured.Unstructured, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	var objects []*unstructured.Unstructured
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for line := range bytes.Lines(text) {
			if !bytes.HasPrefix(line, []byte("{")) {
				continue
			}
			object := &unstructured.Unstructured{}
			if err := object.UnmarshalJSON(line); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			objects = append(objects, object)
		}
	}
	return objects, nil
}
