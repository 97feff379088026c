package engines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"github.com/headroom-dev/headroom/tests/harness/plane"
	"github.com/headroom-dev/headroom/tests/system/conformance/cases"
)

// Server gives cases to a real API server, in dry runs: admission is all that is wanted.
type Server struct {
	cluster *plane.Plane
	client  dynamic.Interface
	mapper  meta.RESTMapper
	created map[string]int // how often each case has been created
}

// NewServer prepares a client that hears warnings.
func NewServer(cluster *plane.Plane) (*Server, error) {
	config := rest.CopyConfig(cluster.Config)
	config.WarningHandlerWithContext = listener{}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	groups, err := restmapper.GetAPIGroupResources(cluster.Client.Discovery())
	if err != nil {
		return nil, fmt.Errorf("ask which kinds there are: %w", err)
	}
	return &Server{cluster: cluster, client: client, mapper: restmapper.NewDiscoveryRESTMapper(groups), created: map[string]int{}}, nil
}

// heard collects the warnings of the requests made with its context.
type heard struct {
	mutex sync.Mutex
	texts []string
}

type heardKey struct{}

type listener struct{}

func (listener) HandleWarningHeaderWithContext(ctx context.Context, _ int, _, text string) {
	if h, ok := ctx.Value(heardKey{}).(*heard); ok {
		h.mutex.Lock()
		defer h.mutex.Unlock()
		h.texts = append(h.texts, text)
	}
}

// resource names the resource of a kind; false for what the API server does not serve.
func (s *Server) resource(apiVersion, kind string) (*meta.RESTMapping, bool) {
	version, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return nil, false
	}
	mapping, err := s.mapper.RESTMapping(version.WithKind(kind).GroupKind(), version.Version)
	return mapping, err == nil
}

// at is where objects of a resource are created.
func (s *Server) at(mapping *meta.RESTMapping, namespace string) dynamic.ResourceInterface {
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		return s.client.Resource(mapping.Resource).Namespace(namespace)
	}
	return s.client.Resource(mapping.Resource)
}

// Furnish makes the namespaces of the corpus and what stands in them.
func (s *Server) Furnish(ctx context.Context, corpus []cases.Case) error {
	common := cases.Object{
		"apiVersion": "v1", "kind": "Namespace", "metadata": cases.Object{"name": cases.Namespace},
	}
	objects := []cases.Object{common}
	for i := range corpus {
		c := &corpus[i]
		if len(c.Around) > 0 && c.NamespaceObject() == nil {
			objects = append(objects, cases.Object{
				"apiVersion": "v1", "kind": "Namespace", "metadata": cases.Object{"name": c.Namespace()},
			})
		}
		objects = append(objects, c.Around...)
	}
	// What a namespace holds is tried again until the namespace is there.
	err := each(objects, func(object cases.Object) error {
		u, err := copied(object)
		if err != nil {
			return err
		}
		mapping, ok := s.resource(u.GetAPIVersion(), u.GetKind())
		if !ok {
			return fmt.Errorf("the API server does not serve %s", u.GetKind())
		}
		return retried(ctx, func() error {
			_, err := s.at(mapping, u.GetNamespace()).Create(ctx, u, metav1.CreateOptions{})
			return err
		})
	})
	if err != nil {
		return err
	}
	// Pods need the ServiceAccount that a controller makes.
	return each(objects, func(object cases.Object) error {
		if object["kind"] != "Namespace" {
			return nil
		}
		meta, _ := object["metadata"].(cases.Object)
		name, _ := meta["name"].(string)
		return retried(ctx, func() error {
			_, err := s.cluster.Client.CoreV1().ServiceAccounts(name).Get(ctx, "default", metav1.GetOptions{})
			return err
		})
	})
}

// answered is what the API server said to the creation of a case.
type answered struct {
	unjudged string // why the server was not asked
	warnings []string
}

// Why a case is not judged.
const (
	notServed = "the API server does not serve the kind"
	refused   = "the API server itself refuses the object"
	notAsked  = "the rules of admission leave the object out"
	otherKind = "the policies are not for the kind"
)

// create creates, in a dry run, every case of which the rules say that admission is asked.
func (s *Server) create(
	ctx context.Context, corpus []cases.Case, rules []admissionregistrationv1.RuleWithOperations,
) ([]answered, error) {
	answers := make([]answered, len(corpus))
	numbers := make([]int, len(corpus))
	for i := range numbers {
		numbers[i] = i
	}
	err := each(numbers, func(i int) error {
		c := &corpus[i]
		mapping, ok := s.resource(c.APIVersion, c.Kind)
		switch {
		case !ok:
			answers[i].unjudged = notServed
			return nil
		case !matches(rules, mapping.Resource):
			answers[i].unjudged = notAsked
			return nil
		}
		var h heard
		object, err := copied(c.Object)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Source, err)
		}
		_, err = s.at(mapping, c.Namespace()).Create(context.WithValue(ctx, heardKey{}, &h), object,
			metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}, FieldValidation: metav1.FieldValidationIgnore})
		if err != nil {
			if !apierrors.IsInvalid(err) && !apierrors.IsBadRequest(err) && !apierrors.IsForbidden(err) {
				return fmt.Errorf("%s: %w", c.Source, err)
			}
			answers[i].unjudged = refused
		}
		answers[i].warnings = h.texts
		return nil
	})
	for i := range corpus {
		if answers[i].unjudged == "" || answers[i].unjudged == refused {
			s.created[corpus[i].ID]++
		}
	}
	return answers, err
}

// matches says whether admission is asked about the creation of a resource.
func matches(rules []admissionregistrationv1.RuleWithOperations, resource schema.GroupVersionResource) bool {
	covers := func(list []string, word string) bool {
		return slices.Contains(list, word) || slices.Contains(list, "*")
	}
	return slices.ContainsFunc(rules, func(r admissionregistrationv1.RuleWithOperations) bool {
		return covers(r.APIGroups, resource.Group) && covers(r.APIVersions, resource.Version) &&
			covers(r.Resources, resource.Resource) &&
			(slices.Contains(r.Operations, admissionregistrationv1.Create) || slices.Contains(r.Operations, "*"))
	})
}

// noted are the annotations that admission left in the audit log at the last creation of each
// case that was judged, by the case's name.
func (s *Server) noted(
	ctx context.Context, corpus []cases.Case, answers []answered,
) (map[string]map[string]string, error) {
	namespaces := []string{""} // where Namespaces are
	missing := map[string]int{}
	isNamespace := map[string]bool{} // a case's own Namespace has its name
	for i := range corpus {
		if answers[i].unjudged == "" {
			namespaces = append(namespaces, corpus[i].Namespace())
			missing[corpus[i].ID] = s.created[corpus[i].ID]
			isNamespace[corpus[i].ID] = corpus[i].Kind == "Namespace"
		}
	}
	slices.Sort(namespaces)
	namespaces = slices.Compact(namespaces)
	var notes map[string]map[string]string
	return notes, retried(ctx, func() error {
		events, err := s.cluster.AuditEvents(namespaces...)
		if err != nil {
			return err
		}
		notes = map[string]map[string]string{}
		missing := maps.Clone(missing)
		for _, event := range events {
			name := event.ObjectRef.Name
			if event.Verb == "create" && missing[name] > 0 && isNamespace[name] == (event.ObjectRef.Resource == "namespaces") {
				notes[name] = event.Annotations
				if missing[name]--; missing[name] == 0 {
					delete(missing, name)
				}
			}
		}
		if len(missing) > 0 {
			return fmt.Errorf("the audit log lacks %d of the cases", len(missing))
		}
		return nil
	})
}

// retried calls until there is no error; each time a little later.
func retried(ctx context.Context, try func() error) error {
	const tries, pause = 200, 100 * time.Millisecond
	var err error
	for range tries {
		if err = try(); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(pause):
		}
	}
	return err
}

// each works on a list, a few entries at a time: the webhook has 250 ms for a decision.
func each[T any](list []T, work func(T) error) error {
	const workers = 4
	errs := make([]error, len(list))
	next := make(chan int)
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			for i := range next {
				errs[i] = work(list[i])
			}
		})
	}
	for i := range list {
		next <- i
	}
	close(next)
	running.Wait()
	return errors.Join(errs...)
}

// copied is an object as client-go wants it: numbers as int64 and float64.
func copied(object cases.Object) (*unstructured.Unstructured, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	u := &unstructured.Unstructured{}
	return u, u.UnmarshalJSON(text)
}
