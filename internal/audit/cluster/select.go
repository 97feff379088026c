package cluster

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// FewOf is how many times smaller than a page a selection must be to be read by gets. A get
// costs the API server about as much as eight objects of a list.
const FewOf = 8

// Selected is an object that was chosen by its metadata, which are Known. Object is the whole
// of it, nil where that has to be read yet, by Get.
type Selected struct {
	Known, Object *Object
}

// EachSelected reads the objects of a kind of which most are left out on their metadata alone.
// Whole pages are read only where many of their objects are wanted.
func (r *Reader) EachSelected(
	ctx context.Context, k Kind, namespace string,
	wanted func(*metav1.PartialObjectMetadata) bool, visit func(Selected) error,
) error {
	return r.metadataPages(ctx, k, namespace, func(p page[metav1.PartialObjectMetadata], o metav1.ListOptions) error {
		var chosen []Selected
		for i := range p.items {
			if m := &p.items[i]; wanted(m) {
				chosen = append(chosen, Selected{Known: FromMetadata(k, m)})
			}
		}
		if len(chosen)*FewOf > len(p.items) {
			r.fill(ctx, k, namespace, chosen, p.version, o)
		}
		for _, s := range chosen {
			if err := visit(s); err != nil {
				return err
			}
		}
		return nil
	})
}

// fill reads a page again, whole. The same token gives the same page; the first has none, but
// a version. What is not in it is left to be read one by one.
func (r *Reader) fill(
	ctx context.Context, k Kind, namespace string, chosen []Selected, version string, o metav1.ListOptions,
) {
	if o.Continue == "" {
		o.ResourceVersion, o.ResourceVersionMatch = version, metav1.ResourceVersionMatchExact
	}
	var whole page[*Object]
	err := r.bounded(ctx, func(ctx context.Context) (err error) {
		whole, err = r.listPage(ctx, k, namespace, o)
		return err
	})
	if err != nil {
		return
	}
	found := make(map[string]*Object, len(whole.items))
	for _, object := range whole.items {
		found[place(object.Namespace, object.Name)] = object
	}
	for i := range chosen {
		chosen[i].Object = found[place(chosen[i].Known.Namespace, chosen[i].Known.Name)]
	}
}
