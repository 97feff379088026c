package certificates

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// answers is an API server that answers with errors, and counts what is created.
type answers struct {
	manager.Manager
	client.Client
	get, create error
	created     int
}

func (a *answers) GetAPIReader() client.Reader { return a }
func (a *answers) GetClient() client.Client    { return a }

func (a *answers) Get(context.Context, client.ObjectKey, client.Object, ...client.GetOption) error {
	return a.get
}

func (a *answers) Create(_ context.Context, object client.Object, _ ...client.CreateOption) error {
	if secret, ok := object.(*corev1.Secret); ok && secret.Namespace == "here" && secret.Name == "tls" {
		a.created++
	}
	return a.create
}

func TestSecretIsCreatedOnce(t *testing.T) {
	secrets := schema.GroupResource{Resource: "secrets"}
	none, forbidden := apierrors.NewNotFound(secrets, "tls"), apierrors.NewForbidden(secrets, "tls", errors.New("no"))
	for _, c := range []struct {
		name        string
		get, create error
		created     int
		want        string
	}{
		{"there is one", nil, nil, 0, ""},
		{"there is none", none, nil, 1, ""},
		{"another replica was faster", none, apierrors.NewAlreadyExists(secrets, "tls"), 1, ""},
		{"it may not be created", none, forbidden, 1, "create Secret tls: " + forbidden.Error()},
		{"it may not be read", forbidden, nil, 0, forbidden.Error()},
	} {
		t.Run(c.name, func(t *testing.T) {
			api := &answers{get: c.get, create: c.create}
			err := SelfSigned{Namespace: "here", Secret: "tls"}.ensureSecret(t.Context(), api)
			said := ""
			if err != nil {
				said = err.Error()
			}
			if said != c.want || api.created != c.created {
				t.Errorf("%q and %d created, not %q and %d", said, api.created, c.want, c.created)
			}
		})
	}
}

// A Secret that was deleted is made again with what it had; another one of the namespace is not.
func TestADeletedSecretComesBack(t *testing.T) {
	tls := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "here", Name: "tls"}, Data: map[string][]byte{CertFile: []byte("c")}}
	other := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "here", Name: "other"}}
	for name, c := range map[string]struct {
		deleted any
		create  error
		created int
		fails   bool
	}{
		"it":                     {deleted: tls, created: 1},
		"it, as last seen":       {deleted: toolscache.DeletedFinalStateUnknown{Obj: tls}, created: 1},
		"another one":            {deleted: other},
		"nothing":                {deleted: nil},
		"a replica was faster":   {deleted: tls, create: apierrors.NewAlreadyExists(schema.GroupResource{}, "tls"), created: 1},
		"it may not be created ": {deleted: tls, create: errors.New("no"), created: 1, fails: true},
	} {
		api := &answers{create: c.create}
		err := SelfSigned{Namespace: "here", Secret: "tls", Log: logr.Discard()}.recreate(t.Context(), api, c.deleted)
		if (err != nil) != c.fails || api.created != c.created {
			t.Errorf("%s: %v, %d created", name, err, api.created)
		}
	}
}

// What fails is logged, unless it fails because the webhook is shutting down.
func TestFailureOfTheCertificateIsLogged(t *testing.T) {
	logged := make(chan string, 100)
	s := SelfSigned{
		Config: &rest.Config{Host: "http://127.0.0.1:1"}, Namespace: "here", Secret: "tls", Webhook: "headroom", Dir: t.TempDir(),
		Log: funcr.New(func(_, args string) { logged <- args }, funcr.Options{}),
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Start(ctx); err != nil || len(logged) > 0 {
		t.Fatalf("shutting down: %v, %d lines logged", err, len(logged))
	}
	ctx, cancel = context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- s.Start(ctx) }()
	select {
	case <-logged:
	case <-time.After(10 * time.Minute):
		t.Error("nothing is logged")
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
