package scenario

import (
	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/policies/yamlfile"
)

// The keys of a file, of a load and of busy.
var (
	Keys = []string{
		"apiVersion", "kind", "title", "note", "layer", "processors", "limit", "period", "burst", "loads", "busy",
	}
	LoadKeys = []string{"name", "start", "threads", "work", "total", "every", "times"}
	BusyKeys = []string{"threads", "duration", "seeds", "slice", "tick", "jitter", "aligned", "rewrite", "remedy"}
)

// fields are values of an object, or lists of values, by their keys.
type fields map[string]*yaml.Node

// reader collects what is wrong, so that a file is corrected in one go.
type reader struct{ yamlfile.Reader }

// need reports a field that is missing from an object.
func (r *reader) need(object *yaml.Node, f fields, key, format string, arguments ...any) {
	if f[key] == nil {
		r.Fail(object, key+" is missing: "+format, arguments...)
	}
}
