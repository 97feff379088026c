// Package probe asks a cluster whether its webhook works: not the webhook itself, but the
// API server, which has to find it, trust it and obey it.
package probe

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// interval stands between two attempts: certificates and labels take a while to arrive.
const interval = 2 * time.Second

// Options say what to ask.
type Options struct {
	Config *rest.Config
	// Webhook is the name of both webhook configurations.
	Webhook string
	// Namespace is labelled headroom.dev/mode=enforce. Nothing is created in it.
	Namespace string
	// Timeout bounds all attempts together.
	Timeout time.Duration
}

// Run asks until everything is as it should be, or says what last was not.
func Run(ctx context.Context, o Options) error {
	api, err := client.New(unthrottled(o.Config), client.Options{})
	if err != nil {
		return fmt.Errorf("prepare a client: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	return again(ctx, interval, func() error { return once(ctx, api, o) })
}

// unthrottled is for a client that does not wait for itself: it would say that in place of what
// is wrong.
func unthrottled(config *rest.Config) *rest.Config {
	config = rest.CopyConfig(config)
	config.QPS = -1
	return config
}

// again asks until there is no error or the context has ended, which is no reason of its own.
func again(ctx context.Context, pause time.Duration, ask func() error) error {
	var last error
	for {
		err := ask()
		if err == nil {
			return nil
		}
		if ctx.Err() == nil || last == nil {
			last = err
		}
		select {
		case <-ctx.Done():
			return last
		case <-time.After(pause):
		}
	}
}

func once(ctx context.Context, api client.Client, o Options) error {
	for _, kind := range []string{"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"} {
		if err := trusted(ctx, api, kind, o.Webhook); err != nil {
			return err
		}
	}
	return errors.Join(refuses(ctx, api, o.Namespace), admits(ctx, api, o.Namespace))
}

// trusted says which webhook the API server has no CA for (W11).
func trusted(ctx context.Context, api client.Client, kind, name string) error {
	configuration := &unstructured.Unstructured{}
	configuration.SetGroupVersionKind(schema.GroupVersionKind{
		Group: "admissionregistration.k8s.io", Version: "v1", Kind: kind,
	})
	if err := api.Get(ctx, client.ObjectKey{Name: name}, configuration); err != nil {
		return fmt.Errorf("read %s %s: %w", kind, name, err)
	}
	hooks, _, err := unstructured.NestedSlice(configuration.Object, "webhooks")
	if err != nil || len(hooks) == 0 {
		return fmt.Errorf("%s %s has no webhooks", kind, name)
	}
	for _, hook := range hooks {
		fields, _ := hook.(map[string]any)
		ca, _, _ := unstructured.NestedString(fields, "clientConfig", "caBundle")
		if ca == "" {
			return fmt.Errorf("%v in %s %s has no caBundle: the API server cannot call it", fields["name"], kind, name)
		}
	}
	return nil
}

// refuses says why a workload without any resources was not refused by the rules.
func refuses(ctx context.Context, api client.Client, namespace string) error {
	err := create(ctx, api, deployment(namespace, nil))
	switch {
	case err == nil:
		return fmt.Errorf("a Deployment with an error was admitted: namespace %s is not labelled "+
			"headroom.dev/mode=enforce, or the API server does not ask headroom about it", namespace)
	case strings.Contains(err.Error(), "failed calling webhook"):
		return fmt.Errorf("the API server cannot call the webhook: %w", err)
	case apierrors.IsForbidden(err) && !strings.Contains(err.Error(), "headroom.dev"):
		return fmt.Errorf("try to create a Deployment: %w", err)
	case !strings.Contains(err.Error(), `"enforce.headroom.dev" denied the request`):
		return fmt.Errorf("another webhook or policy refused the Deployment: %w", err)
	}
	return nil
}

// admits says why a workload was refused that has nothing to fix.
func admits(ctx context.Context, api client.Client, namespace string) error {
	err := create(ctx, api, deployment(namespace, map[string]any{
		"requests": map[string]any{"cpu": "100m", "memory": "64Mi"},
		"limits":   map[string]any{"memory": "64Mi"},
	}))
	if err != nil {
		return fmt.Errorf("a sound Deployment was refused: %w", err)
	}
	return nil
}

// create asks the API server what it would say.
func create(ctx context.Context, api client.Client, o *unstructured.Unstructured) error {
	return api.Create(ctx, o, client.DryRunAll)
}

func deployment(namespace string, resources map[string]any) *unstructured.Unstructured {
	app := map[string]any{"app": "headroom-probe"}
	container := map[string]any{"name": "app", "image": "example.com/app:1"}
	if resources != nil {
		container["resources"] = resources
	}
	o := &unstructured.Unstructured{Object: map[string]any{
		"metadata": map[string]any{"name": "headroom-probe", "namespace": namespace},
		"spec": map[string]any{
			"selector": map[string]any{"matchLabels": app},
			"template": map[string]any{
				"metadata": map[string]any{
					"labels":      app,
					"annotations": map[string]any{"headroom.dev/workload-class": "latency-sensitive"},
				},
				"spec": map[string]any{"containers": []any{container}},
			},
		},
	}}
	o.SetGroupVersionKind(schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"})
	return o
}
