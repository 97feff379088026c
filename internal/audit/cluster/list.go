package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// page is one answer of a list.
type page[T any] struct {
	items         []T
	next, version string
	bytes         int64
}

// pager asks for page after page. Each is whole before it is handed on, so that a request
// that fails half-way is asked again and nothing is counted twice.
type pager[T any] struct {
	reader *Reader
	kind   Kind
	get    func(context.Context, metav1.ListOptions) (page[T], error)
	key    func(*T) string
	visit  func(p page[T], asked metav1.ListOptions) error
}

// maxRestarts bounds how often a list that is too old is taken up again without a page.
const maxRestarts = 5

// maxEmpty bounds how many pages in a row may have no object.
const maxEmpty = 100

// maxItems bounds the objects of one page, of an API server that heeds no limit.
const maxItems = 100_000

var errItems = errors.New("the API server gives more than 100 000 objects in one page")

var errCircle = errors.New("the API server repeats the pages of a list")

// progress tells a list that goes on from one that goes in a circle. What starts again repeats what was seen, once.
type progress struct{ found, repeated, empty int }

func (p *progress) page(found, repeated int) error {
	p.found += found
	p.repeated += repeated
	p.empty++
	switch {
	case found > 0:
		p.repeated, p.empty = 0, 0
	case repeated > 0:
		p.empty = 0
	}
	if p.repeated > p.found || p.empty > maxEmpty {
		return errCircle
	}
	return nil
}

func (p pager[T]) run(ctx context.Context) error {
	o := metav1.ListOptions{Limit: min(firstPage, p.reader.options.PageSize)}
	if p.kind.workload() {
		o.LabelSelector = p.reader.options.Selector
	}
	last, restarts := "", 0
	var progress progress
	for {
		var got page[T]
		err := p.reader.retried(ctx, func(ctx context.Context) (err error) {
			got, err = p.get(ctx, o)
			return err
		})
		if (apierrors.IsResourceExpired(err) || apierrors.IsGone(err)) && o.Continue != "" && restarts < maxRestarts {
			// The list is too old to go on with. The answer says how to go on with a younger
			// one, from the same place; else it starts again, and what was seen is left out.
			o.Continue = onward(err)
			restarts++
			progress.repeated = 0
			continue
		}
		if err != nil {
			return err
		}
		restarts = 0
		seen := 0
		for i := range got.items {
			key := p.key(&got.items[i])
			if key <= last {
				seen++
				continue
			}
			got.items[i-seen], last = got.items[i], key
		}
		got.items = got.items[:len(got.items)-seen]
		if err := p.visit(got, o); err != nil {
			return err
		}
		if got.next == "" {
			return nil
		}
		if err := progress.page(len(got.items), seen); err != nil {
			return err
		}
		o.Continue, o.Limit = got.next, p.reader.limit(got.bytes, len(got.items)+seen)
	}
}

// limit is how many objects fit into a page, judged by the last one.
func (r *Reader) limit(bytes int64, items int) int64 {
	if items == 0 {
		return r.options.PageSize
	}
	fit := pageBytes / max(bytes/int64(items), 1)
	return min(max(fit, minPage), r.options.PageSize)
}

// onward is the token to go on with from the place of one that has expired; "" starts again.
func onward(err error) string {
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		return status.Status().Continue
	}
	return ""
}

// place is where an object stands in lists, which are sorted by it. The byte that etcd has
// between both parts is a slash.
func place(namespace, name string) string { return namespace + "/" + name }

// Each reads the whole objects of a kind, in a namespace or with "" in all of them. It calls
// visit in the order of the list.
func (r *Reader) Each(ctx context.Context, k Kind, namespace string, visit func(*Object) error) error {
	return r.each(ctx, k, func(ctx context.Context, o metav1.ListOptions) (page[*Object], error) {
		return r.listPage(ctx, k, namespace, o)
	}, visit)
}

// each reads a kind page by page, as get gives them.
func (r *Reader) each(
	ctx context.Context, k Kind,
	get func(context.Context, metav1.ListOptions) (page[*Object], error), visit func(*Object) error,
) error {
	return pager[*Object]{
		reader: r, kind: k, get: get,
		key: func(o **Object) string { return place((*o).Namespace, (*o).Name) },
		visit: func(p page[*Object], _ metav1.ListOptions) error {
			for _, o := range p.items {
				if err := visit(o); err != nil {
					return err
				}
			}
			return nil
		},
	}.run(ctx)
}

// EachMetadata reads the metadata of a kind's objects.
func (r *Reader) EachMetadata(
	ctx context.Context, k Kind, namespace string, visit func(*metav1.PartialObjectMetadata) error,
) error {
	return r.metadataPages(ctx, k, namespace, func(p page[metav1.PartialObjectMetadata], _ metav1.ListOptions) error {
		for i := range p.items {
			if err := visit(&p.items[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

func (r *Reader) metadataPages(
	ctx context.Context, k Kind, namespace string,
	visit func(page[metav1.PartialObjectMetadata], metav1.ListOptions) error,
) error {
	return pager[metav1.PartialObjectMetadata]{
		reader: r, kind: k,
		get: func(ctx context.Context, o metav1.ListOptions) (page[metav1.PartialObjectMetadata], error) {
			return r.metadataPage(ctx, k, namespace, o)
		},
		key:   func(m *metav1.PartialObjectMetadata) string { return place(m.Namespace, m.Name) },
		visit: visit,
	}.run(ctx)
}

// readList reads a page of a list object by object, so that no more than the objects is in
// memory.
func readList(from io.Reader, k Kind) (page[*Object], error) {
	var p page[*Object]
	d := json.NewDecoder(from)
	if err := expect(d, '{'); err != nil {
		return p, err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return p, cut(err)
		}
		switch name {
		case "metadata":
			var m metav1.ListMeta
			if err := d.Decode(&m); err != nil {
				return p, cut(err)
			}
			p.next, p.version = m.Continue, m.ResourceVersion
		case "items":
			if p.items, err = readItems(d, k); err != nil {
				return p, err
			}
		default:
			var other json.RawMessage
			if err := d.Decode(&other); err != nil {
				return p, cut(err)
			}
		}
	}
	return p, expect(d, '}')
}

func readItems(d *json.Decoder, k Kind) ([]*Object, error) {
	token, err := d.Token()
	if err != nil || token == nil { // an empty list may be null
		return nil, cut(err)
	}
	var items []*Object
	for d.More() {
		if len(items) == maxItems {
			return nil, errItems
		}
		var w wire
		if err := d.Decode(&w); err != nil {
			return nil, cut(err)
		}
		o, err := w.object(k)
		if err != nil {
			return nil, err
		}
		items = append(items, o)
	}
	return items, expect(d, ']')
}

func expect(d *json.Decoder, want json.Delim) error {
	token, err := d.Token()
	if err != nil {
		return cut(err)
	}
	if token != want {
		return fmt.Errorf("the answer of the API server is not a list: %v where %v should be", token, want)
	}
	return nil
}
