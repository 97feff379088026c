package admission

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/headroom-dev/headroom/policies/engine"
)

// unchanged tells that an update leaves alone what a verdict rests on: the pod template, or the
// spec of a kind beside Kubernetes' own, and headroom's annotations on the workload.
func (s *subject) unchanged() bool {
	path := engine.TemplatePath(s.object.Get("apiVersion").Str, s.object.Get("kind").Str)
	if path == "-" || !s.oldObject.IsObject() {
		return false
	}
	if path == "" {
		// An operator's kind, which has its Pods somewhere in it.
		path = "spec"
		if !s.object.Get(path).Exists() {
			return false
		}
	}
	return same(s.object.Get(path), s.oldObject.Get(path)) &&
		reflect.DeepEqual(ownAnnotations(s.object), ownAnnotations(s.oldObject))
}

// longestRead bounds what same reads, which takes twenty times its size in memory, of as many requests as there are.
const longestRead = usualBody

// same compares values. The API server writes equal ones alike; whatever else does not is
// read first, and counts as changed where it is long.
func same(a, b gjson.Result) bool {
	if a.Raw == b.Raw {
		return true
	}
	if max(len(a.Raw), len(b.Raw)) > longestRead {
		return false
	}
	var left, right any
	return decode(a.Raw, &left) && decode(b.Raw, &right) && reflect.DeepEqual(left, right)
}

func decode(text string, into *any) bool {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	return decoder.Decode(into) == nil
}

// ownAnnotations are headroom's annotations on a workload.
func ownAnnotations(object gjson.Result) map[string]string {
	found := map[string]string{}
	object.Get("metadata.annotations").ForEach(func(key, value gjson.Result) bool {
		if strings.Contains(key.Str, "headroom.dev/") {
			found[key.Str] = value.Raw
		}
		return true
	})
	return found
}
