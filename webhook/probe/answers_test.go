package probe

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func TestAgain(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	ctx, cancel := context.WithCancel(t.Context())
	asked := 0
	err := again(ctx, time.Millisecond, func() error {
		asked++
		switch asked {
		case 1:
			return first
		case 2:
			return second
		}
		cancel()
		return errors.New("the context has ended")
	})
	if err != second || asked < 3 {
		t.Errorf("asked %d times: %v", asked, err)
	}
	// Where there was no time for a first answer, its error is all there is.
	if err := again(ctx, time.Hour, func() error { return first }); err != first {
		t.Error(err)
	}
	asked = 0
	if err := again(t.Context(), time.Millisecond, func() error {
		asked++
		if asked == 1 {
			return first
		}
		return nil
	}); err != nil || asked != 2 {
		t.Errorf("asked %d times: %v", asked, err)
	}
	given := &rest.Config{Host: "a"}
	if config := unthrottled(given); config.QPS != -1 || config.Host != "a" || given.QPS != 0 {
		t.Errorf("%+v of %+v", config, given)
	}
}

// api is an API server that says what a test says.
type api struct {
	client.Client
	hooks   map[string]any // by kind; an error is one
	create  func(resources any) error
	created int
}

func (a *api) Get(_ context.Context, key client.ObjectKey, o client.Object, _ ...client.GetOption) error {
	read := o.(*unstructured.Unstructured)
	if group := o.GetObjectKind().GroupVersionKind().GroupVersion().String(); group != "admissionregistration.k8s.io/v1" || key.Name != "headroom" {
		return errors.New(group + " " + key.Name + " is not there")
	}
	hooks := a.hooks[o.GetObjectKind().GroupVersionKind().Kind]
	if err, ok := hooks.(error); ok {
		return err
	}
	read.Object["webhooks"] = hooks
	return nil
}

func (a *api) Create(_ context.Context, o client.Object, options ...client.CreateOption) error {
	a.created++
	if len(options) != 1 || options[0] != client.CreateOption(client.DryRunAll) || o.GetNamespace() != "shop" {
		return errors.New("no dry run")
	}
	containers, _, _ := unstructured.NestedSlice(o.(*unstructured.Unstructured).Object, "spec", "template", "spec", "containers")
	return a.create(containers[0].(map[string]any)["resources"])
}

func TestWhatTheAPIServerSays(t *testing.T) {
	forbidden := func(text string) error {
		return apierrors.NewForbidden(schema.GroupResource{Resource: "deployments"}, "headroom-probe", errors.New(text))
	}
	denied := forbidden(`admission webhook "enforce.headroom.dev" denied the request: no`)
	hook := func(name, ca string) any {
		return map[string]any{"name": name, "clientConfig": map[string]any{"caBundle": ca}}
	}
	good := []any{hook("a", "x"), hook("b", "y")}
	refusing := func(err error) func(any) error {
		return func(resources any) error {
			if resources == nil {
				return err
			}
			return nil
		}
	}
	for _, tc := range []struct {
		name                 string
		mutating, validating any
		create               func(any) error
		want                 string // "" where all is well
	}{
		{"all is well", good, good, refusing(denied), ""},
		{"no configuration", good, errors.New("away"), refusing(denied), "read ValidatingWebhookConfiguration headroom: away"},
		{"no webhooks", []any{}, good, refusing(denied), "MutatingWebhookConfiguration headroom has no webhooks"},
		{"webhooks that are no list", "a", good, refusing(denied), "MutatingWebhookConfiguration headroom has no webhooks"},
		{
			"no CA", good,
			[]any{hook("a", "x"), hook("b", "")},
			refusing(denied),
			"b in ValidatingWebhookConfiguration headroom has no caBundle: the API server cannot call it",
		},
		{"one webhook", good[:1], good[:1], refusing(denied), ""},
		{"nothing is refused", good, good, refusing(nil), "a Deployment with an error was admitted: namespace shop is not labelled"},
		{
			"no way to the webhook", good, good, refusing(errors.New("failed calling webhook: refused")),
			"the API server cannot call the webhook: failed calling webhook: refused",
		},
		{"no right to create", good, good, refusing(forbidden("cannot")), "try to create a Deployment: "},
		{"another webhook", good, good, refusing(forbidden(`"other.headroom.dev" denied the request`)), "another webhook or policy refused the Deployment: "},
		{"no webhook at all", good, good, refusing(errors.New("quota")), "another webhook or policy refused the Deployment: quota"},
		{"all is refused", good, good, func(any) error { return denied }, "a sound Deployment was refused: "},
	} {
		a := &api{hooks: map[string]any{"MutatingWebhookConfiguration": tc.mutating, "ValidatingWebhookConfiguration": tc.validating}, create: tc.create}
		err := once(t.Context(), a, Options{Webhook: "headroom", Namespace: "shop"})
		if (err == nil) != (tc.want == "") || err != nil && !strings.HasPrefix(err.Error(), tc.want) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}
