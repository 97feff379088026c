package certificates

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	"github.com/open-policy-agent/cert-controller/pkg/rotator"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// The CA lives ten years and signs every certificate, so that renewing one changes nothing
// that the API server trusts (W10). Both are renewed 90 days before they end.
const (
	caLife    = 10 * 365 * 24 * time.Hour
	leafLife  = 365 * 24 * time.Hour
	lookAhead = 90 * 24 * time.Hour
)

// restartDelay stands between two attempts to keep the certificate.
const restartDelay = 5 * time.Second

// SelfSigned makes the certificate where cert-manager does not: a CA and a certificate in a
// Secret, the CA in the webhook configurations. All replicas do the same without electing
// a leader; the second writer is refused by the Secret's resourceVersion, reads what the
// first has written and finds it good.
type SelfSigned struct {
	Config *rest.Config
	// Namespace and Secret say where the certificate is kept.
	Namespace, Secret string
	// Webhook is the name of both webhook configurations.
	Webhook string
	// DNSName is the name that the API server calls the webhook by.
	DNSName string
	// Dir is where the certificate is served from. It is written there unless it is
	// mounted, read-only, from the Secret.
	Dir string
	Log logr.Logger
}

// Start keeps the certificate until the context ends. An error is logged and tried again:
// what is served already goes on being served.
func (s SelfSigned) Start(ctx context.Context) error {
	for attempt := 1; ; attempt++ {
		err := s.run(ctx, attempt)
		if err != nil && ctx.Err() == nil {
			s.Log.Error(err, "the self-signed certificate is not being kept up to date, trying again", "attempt", attempt)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(restartDelay):
		}
	}
}

func (s SelfSigned) run(ctx context.Context, attempt int) error {
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return err
	}
	only := cache.ByObject{Namespaces: map[string]cache.Config{s.Namespace: {}}}
	repeated := true // a controller's name is taken once per process
	m, err := manager.New(s.byName(), manager.Options{
		Scheme:                 scheme,
		Logger:                 s.Log,
		LeaderElection:         false,
		Metrics:                metricsserver.Options{BindAddress: "0"},
		HealthProbeBindAddress: "0",
		Cache:                  cache.Options{ByObject: map[client.Object]cache.ByObject{&corev1.Secret{}: only}},
		Controller:             config.Controller{SkipNameValidation: &repeated},
	})
	if err != nil {
		return fmt.Errorf("prepare the controller: %w", err)
	}
	if err := s.ensureSecret(ctx, m); err != nil {
		return err
	}
	secrets, err := m.GetCache().GetInformer(ctx, &corev1.Secret{}, cache.BlockUntilSynced(false))
	if err != nil {
		return fmt.Errorf("watch Secret %s: %w", s.Secret, err)
	}
	if _, err := secrets.AddEventHandler(s.writer(ctx, m.GetClient())); err != nil {
		return fmt.Errorf("watch Secret %s: %w", s.Secret, err)
	}
	err = rotator.AddRotator(m, &rotator.CertRotator{
		ControllerName: fmt.Sprintf("certificate-%d", attempt),
		SecretKey:      types.NamespacedName{Namespace: s.Namespace, Name: s.Secret},
		CertDir:        s.Dir,
		CAName:         s.DNSName + "-ca",
		CAOrganization: "headroom",
		DNSName:        s.DNSName,
		IsReady:        make(chan struct{}),
		FieldOwner:     "headroom-webhook",
		Webhooks: []rotator.WebhookInfo{
			{Name: s.Webhook, Type: rotator.Validating},
			{Name: s.Webhook, Type: rotator.Mutating},
		},
		CaCertDuration:     caLife,
		ServerCertDuration: leafLife,
		LookaheadInterval:  lookAhead,
	})
	if err != nil {
		return fmt.Errorf("prepare the rotation: %w", err)
	}
	return m.Start(ctx)
}

// byName is the configuration by which the rotator lists and watches. It asks for all Secrets of the
// namespace and all webhook configurations, and its role has one name of each. The API server grants
// a list by name only where a field selector names it.
func (s SelfSigned) byName() *rest.Config {
	names := map[string]string{
		"/api/v1/namespaces/" + s.Namespace + "/secrets":                        s.Secret,
		"/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations":   s.Webhook,
		"/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations": s.Webhook,
	}
	config := rest.CopyConfig(s.Config)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return transport(func(r *http.Request) (*http.Response, error) {
			for path, name := range names {
				if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, path) {
					r = r.Clone(r.Context())
					query := r.URL.Query()
					query.Set("fieldSelector", fields.OneTermEqualSelector("metadata.name", name).String())
					r.URL.RawQuery = query.Encode()
				}
			}
			return next.RoundTrip(r)
		})
	})
	return config
}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// ensureSecret creates the Secret where the installation did not: the rotator fills one
// that is there.
func (s SelfSigned) ensureSecret(ctx context.Context, m manager.Manager) error {
	secret := &corev1.Secret{}
	err := m.GetAPIReader().Get(ctx, client.ObjectKey{Namespace: s.Namespace, Name: s.Secret}, secret)
	if !apierrors.IsNotFound(err) {
		return err
	}
	secret = &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: s.Namespace, Name: s.Secret}}
	if err := m.GetClient().Create(ctx, secret); err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("create Secret %s: %w", s.Secret, err)
	}
	return nil
}

// writer puts the Secret's certificate into the directory as soon as it changes. The
// kubelet would take a minute or more to do it.
func (s SelfSigned) writer(ctx context.Context, api client.Client) toolscache.ResourceEventHandler {
	write := func(object any) {
		secret, ok := object.(*corev1.Secret)
		if !ok || len(secret.Data[CertFile]) == 0 || len(secret.Data[KeyFile]) == 0 {
			return
		}
		err := errors.Join(s.replaceFile(KeyFile, secret.Data[KeyFile]), s.replaceFile(CertFile, secret.Data[CertFile]))
		switch {
		case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
			s.Log.V(1).Info("the certificate's directory is mounted from the Secret", "directory", s.Dir)
		case err != nil:
			s.Log.Error(err, "the certificate was not written", "directory", s.Dir)
		}
	}
	return toolscache.ResourceEventHandlerFuncs{
		AddFunc:    write,
		UpdateFunc: func(_, after any) { write(after) },
		DeleteFunc: func(object any) {
			if err := s.recreate(ctx, api, object); err != nil {
				s.Log.Error(err, "the Secret of the certificate was deleted", "secret", s.Secret)
			}
		},
	}
}

// recreate makes a Secret that was deleted again, with what it had: the API server trusts that certificate, and new Pods
// mount it. Of several replicas the first does.
func (s SelfSigned) recreate(ctx context.Context, api client.Client, deleted any) error {
	if unknown, ok := deleted.(toolscache.DeletedFinalStateUnknown); ok {
		deleted = unknown.Obj
	}
	old, ok := deleted.(*corev1.Secret)
	if !ok || s.Secret == "" || old.Name != s.Secret || old.Namespace != s.Namespace || ctx.Err() != nil {
		return nil
	}
	again := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: old.Namespace, Name: old.Name, Labels: old.Labels, Annotations: old.Annotations,
		},
		Type: old.Type, Data: old.Data,
	}
	if err := api.Create(ctx, again); err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("create it again: %w", err)
	}
	s.Log.Info("the Secret of the certificate was deleted, and is there again", "secret", s.Secret)
	return nil
}

// replaceFile replaces a file as a whole. Between key and certificate they do not fit together,
// and the pair before them goes on being served.
func (s SelfSigned) replaceFile(name string, content []byte) error {
	file := filepath.Join(s.Dir, name)
	if old, err := os.ReadFile(file); err == nil && string(old) == string(content) {
		return nil
	}
	partial := filepath.Join(s.Dir, "."+name)
	if err := os.WriteFile(partial, content, 0o600); err != nil {
		return err
	}
	return os.Rename(partial, file)
}
