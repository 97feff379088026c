package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validate/content"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
)

// DefaultPageSize is how many objects a request asks for, as kubectl does.
const DefaultPageSize = 500

// firstPage is how many the first request of a list asks for. From its size in bytes follows
// how many fit into pageBytes: a tenant may write a megabyte into each of his objects.
const (
	firstPage = 100
	minPage   = 10
	pageBytes = 4 << 20
)

// requestTimeout bounds a request where --request-timeout does not.
const requestTimeout = time.Minute

// Options say which cluster to read, and what of it.
type Options struct {
	Config *rest.Config
	// PageSize is how many objects a request asks for at most; 0 is DefaultPageSize.
	PageSize int64
	// Selector is a label selector that the API server applies to workloads; "" for all.
	Selector string
}

// Reader lists and gets. It is safe for concurrent use.
type Reader struct {
	options  Options
	timeout  time.Duration
	objects  *rest.RESTClient
	metadata metadata.Interface
	// answered is set once the API server has: before that nothing is tried twice.
	answered atomic.Bool
}

// New prepares a reader. It asks the API server nothing.
func New(o Options) (*Reader, error) {
	if o.PageSize <= 0 {
		o.PageSize = DefaultPageSize
	}
	config := rest.CopyConfig(o.Config)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return bounded{next} })
	config.QPS = -1 // one list at a time, and a few gets: no more than a person at kubectl
	timeout := config.Timeout
	if timeout <= 0 {
		timeout = requestTimeout
	}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("prepare connections to the API server: %w", err)
	}
	r := &Reader{options: o, timeout: timeout}
	if r.metadata, err = metadata.NewForConfigAndClient(config, client); err != nil {
		return nil, fmt.Errorf("prepare requests: %w", err)
	}
	config = metadata.ConfigFor(config)
	config.ContentType, config.AcceptContentTypes = "application/json", "application/json"
	if r.objects, err = rest.UnversionedRESTClientForConfigAndClient(config, client); err != nil {
		return nil, fmt.Errorf("prepare requests: %w", err)
	}
	return r, nil
}

// Get reads one whole object.
func (r *Reader) Get(ctx context.Context, k Kind, namespace, name string) (*Object, error) {
	// A tenant chooses the name of the ConfigMap that his workload takes a variable from: where
	// an API server does not check it, "../secrets/x" must not become a path.
	if name == "" || len(content.IsPathSegmentName(name)) > 0 {
		return nil, errName
	}
	var object *Object
	err := r.retried(ctx, func(ctx context.Context) error {
		body, err := r.objects.Get().AbsPath(path(k, namespace, name)...).Stream(ctx)
		if err != nil {
			return err
		}
		defer func() { _ = body.Close() }()
		object, err = readObject(io.LimitReader(body, maxObject), k)
		return err
	})
	return object, err
}

// errName is the name of nothing that can be there.
var errName = errors.New("this cannot be the name of an object")

// maxObject bounds an object in bytes: etcd takes less than two megabytes, and JSON is
// longer than what etcd holds.
const maxObject = 16 << 20

// maxAnswer bounds any answer in bytes: a first page of objects of two megabytes, which is the most that there is.
const maxAnswer = firstPage * 2 << 20

// bounded ends answers that go on for too long.
type bounded struct{ next http.RoundTripper }

func (b bounded) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := b.next.RoundTrip(request)
	if response != nil && response.Body != nil {
		response.Body = http.MaxBytesReader(nil, response.Body, maxAnswer)
	}
	return response, err
}

// Served says whether the API server has the kind; in doubt it has. Who may not list a kind is told so whether there is one
// or not.
func (r *Reader) Served(ctx context.Context, k Kind) bool {
	err := r.retried(ctx, func(ctx context.Context) error {
		return r.objects.Get().AbsPath("/apis", k.Group, k.Version).Do(ctx).Error()
	})
	return !apierrors.IsNotFound(err)
}

func path(k Kind, namespace, name string) []string {
	segments := []string{"/api"}
	if k.Group != "" {
		segments = []string{"/apis", k.Group}
	}
	segments = append(segments, k.Version)
	if namespace != "" {
		segments = append(segments, "namespaces", namespace)
	}
	segments = append(segments, k.Resource)
	if name != "" {
		segments = append(segments, name)
	}
	return segments
}

// listRequest asks for one page.
func (r *Reader) listRequest(k Kind, namespace string, o metav1.ListOptions) *rest.Request {
	return r.objects.Get().AbsPath(path(k, namespace, "")...).VersionedParams(&o, metav1.ParameterCodec)
}

// listPage asks for one page of whole objects.
func (r *Reader) listPage(ctx context.Context, k Kind, namespace string, o metav1.ListOptions) (page[*Object], error) {
	body, err := r.listRequest(k, namespace, o).Stream(ctx)
	if err != nil {
		return page[*Object]{}, err
	}
	defer func() { _ = body.Close() }()
	counted := &counter{Reader: body}
	p, err := readList(counted, k)
	p.bytes = counted.n
	return p, err
}

// metadataPage asks for one page of metadata, in protobuf: of 50 000 Pods no more is needed.
func (r *Reader) metadataPage(
	ctx context.Context, k Kind, namespace string, o metav1.ListOptions,
) (page[metav1.PartialObjectMetadata], error) {
	list, err := r.metadata.Resource(k.GroupVersionResource).Namespace(namespace).List(ctx, o)
	if err != nil {
		return page[metav1.PartialObjectMetadata]{}, err
	}
	p := page[metav1.PartialObjectMetadata]{
		items: list.Items, next: list.Continue, version: list.ResourceVersion,
	}
	for i := range list.Items {
		p.bytes += weight(&list.Items[i])
	}
	return p, nil
}

// weight is about how many bytes the metadata of an object take.
func weight(m *metav1.PartialObjectMetadata) int64 {
	n := 512
	for key, value := range m.Annotations {
		n += len(key) + len(value)
	}
	for key, value := range m.Labels {
		n += len(key) + len(value)
	}
	for i := range m.ManagedFields {
		if fields := m.ManagedFields[i].FieldsV1; fields != nil {
			n += fields.Size()
		}
	}
	return int64(n)
}

type counter struct {
	io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}

// Unselected is the same reader without its selector.
func (r *Reader) Unselected() *Reader {
	all := &Reader{options: r.options, timeout: r.timeout, objects: r.objects, metadata: r.metadata}
	all.options.Selector = ""
	all.answered.Store(r.answered.Load())
	return all
}
