package admission

import (
	"errors"

	"github.com/tidwall/gjson"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/headroom-dev/headroom/webhook/decision"
)

// review is what is read of an AdmissionReview: nothing is decoded that is not needed.
type review struct {
	apiVersion  string
	uid         string
	kind        string // of the object, in the version that the webhook asked for
	subresource string
	operation   string
	name        string
	namespace   string
	object      gjson.Result
	oldObject   gjson.Result
}

var errNoReview = errors.New("the body is not an AdmissionReview of admission.k8s.io/v1 or v1beta1")

// parseReview takes a body apart. Where a field stands twice, the last one counts; the
// API server writes each once.
func parseReview(body string) (review, error) {
	if !decision.Valid(body) {
		return review{}, errNoReview
	}
	var r review
	var kind string
	gjson.Parse(body).ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "apiVersion":
			r.apiVersion = value.Str
		case "kind":
			kind = value.Str
		case "request":
			r.request(value)
		}
		return true
	})
	version := r.apiVersion == "admission.k8s.io/v1" || r.apiVersion == "admission.k8s.io/v1beta1"
	if kind != "AdmissionReview" || !version || r.uid == "" {
		return review{}, errNoReview
	}
	return r, nil
}

func (r *review) request(request gjson.Result) {
	request.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "uid":
			r.uid = value.Str
		case "kind":
			r.kind = value.Get("kind").Str
		case "subResource":
			r.subresource = value.Str
		case "operation":
			r.operation = value.Str
		case "name":
			r.name = value.Str
		case "namespace":
			r.namespace = value.Str
		case "object":
			r.object = value
		case "oldObject":
			r.oldObject = value
		}
		return true
	})
}

// metadata is what is read of an object before it is judged.
type metadata struct {
	name     string
	owners   []metav1.OwnerReference
	deleting bool
}

func (r *review) metadata() metadata {
	m := metadata{name: r.name}
	generated := ""
	r.object.Get("metadata").ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "name":
			m.name = value.Str
		case "generateName":
			generated = value.Str
		case "deletionTimestamp":
			m.deleting = value.Type == gjson.String
		case "ownerReferences":
			m.owners = owners(value)
		}
		return true
	})
	if m.name == "" && generated != "" {
		m.name = generated + "*" // the API server has not named it yet
	}
	return m
}

// owners reads references without the fields that only a garbage collector needs.
func owners(list gjson.Result) []metav1.OwnerReference {
	var all []metav1.OwnerReference
	list.ForEach(func(_, entry gjson.Result) bool {
		var o metav1.OwnerReference
		entry.ForEach(func(key, value gjson.Result) bool {
			switch key.Str {
			case "apiVersion":
				o.APIVersion = value.Str
			case "kind":
				o.Kind = value.Str
			case "name":
				o.Name = value.Str
			case "uid":
				o.UID = types.UID(value.Str)
			case "controller":
				controller := value.Bool()
				o.Controller = &controller
			}
			return true
		})
		all = append(all, o)
		return true
	})
	return all
}
