package explain

import (
	"context"
	"strings"

	"github.com/headroom-dev/headroom/internal/inputs"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/lint/beside"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// object is one object of a document, and the way to it.
type object struct {
	manifest map[string]any
	file     string
	prefix   string // JSON pointer from the document to the object
	document *source.Document
	comments []engine.Comment
}

// place is where it stands; "" for an object of a cluster, which names its namespace.
func (o object) place() string {
	if o.document == nil {
		return ""
	}
	return o.document.Place()
}

// line is the line of the file that a JSON pointer into the object leads to; 0 if no line does.
func (o object) line(pointer string) int {
	if o.document == nil || o.document.Rendered {
		return 0
	}
	return o.document.LineOfPointer(o.prefix + pointer)
}

// chosen says whether a workload is the one that was named, as KIND/NAME or NAME. Kinds are
// taken as kubectl takes them: deploy, deployments, Deployment.
func chosen(named string, r engine.Resource) bool {
	if named == "" {
		return true
	}
	kind, name, both := strings.Cut(named, "/")
	if !both {
		return named == r.Name
	}
	if name != r.Name {
		return false
	}
	if known := kindNamed(kind); known != "" {
		return known == r.Kind
	}
	return strings.EqualFold(kind, r.Kind)
}

// read reads all files: the objects that may be workloads, in order, and by namespace what
// stands around them.
func (r *runner) read(ctx context.Context) ([]object, beside.Around, error) {
	if err := r.options.Source.Buffer(ctx, r.options.Paths); err != nil {
		return nil, nil, err
	}
	found := source.Find(r.options.Paths, r.options.Source)
	r.problems(found.Problems)
	if r.options.Source.FolderCharts != nil {
		var err error
		if found.Files, _, err = source.Releases(ctx, found.Files, r.options.Source, 1); err != nil {
			return nil, nil, err
		}
	}
	r.report.Notes = append(r.report.Notes, sentences.NotRead(inputs.NotRead(found.Unread))...)
	var objects []object
	gathered := beside.Gathered{}
	var empty report.Report // the charts that render to nothing
	for _, file := range found.Files {
		if file.Skipped != "" {
			r.report.Notes = append(r.report.Notes, file.Name+" is left out: "+file.Skipped)
			continue
		}
		for item := range source.Stream(file, r.options.Source) {
			if ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			if item.Problem != nil {
				r.problems([]source.Problem{*item.Problem})
			}
			if item.Skipped == source.NoOutput {
				empty.Skipped = append(empty.Skipped, report.Skip{File: item.File, What: report.SkippedEmptyChart})
			}
			if item.Document == nil || item.Skipped != "" {
				continue
			}
			first := true
			for manifest, path := range source.Objects(item.Document) {
				o := object{manifest, item.File, engine.Pointer(path), item.Document, item.Document.CommentsOn(path, first)}
				first = false
				known, err := r.engine.KindOf(ctx, manifest)
				switch {
				case err != nil:
					return nil, nil, err
				case known.ContextList != "":
					gathered.Add(known.ContextList, manifest, item.Document.Place())
				case known.Inert || len(objects) > maxWorkloads:
				case chosen(r.options.Workload, engine.ResourceOf(manifest)):
					objects = append(objects, o)
				default:
					if other := engine.ResourceOf(manifest); kindNamed(other.Kind) != "" {
						r.workloads = append(r.workloads, other.Kind+"/"+other.Name)
					}
				}
			}
		}
	}
	r.report.Notes = append(r.report.Notes, sentences.ChartLines(&empty)...)
	around, err := gathered.Contexts()
	return objects, around, err
}

func (r *runner) problems(list []source.Problem) {
	for _, p := range list {
		r.problem(p.File, p.Line, p.Cause)
	}
}

// namedKinds are the workloads that run by themselves, as kubectl api-resources has them: kind, group, short name.
var namedKinds = []struct{ kind, group, short string }{
	{"Deployment", "apps", "deploy"},
	{"StatefulSet", "apps", "sts"},
	{"DaemonSet", "apps", "ds"},
	{"CronJob", "batch", "cj"},
	{"ReplicationController", "", "rc"},
	{"ReplicaSet", "apps", "rs"},
	{"Job", "batch", ""},
	{"Pod", "", "po"},
}

// kindNamed finds a kind of workload by any name that kubectl knows it by; "" for other names.
func kindNamed(name string) string {
	name = strings.ToLower(name)
	for _, k := range namedKinds {
		singular := strings.ToLower(k.kind)
		switch name {
		case "":
			return ""
		case singular, singular + "s", singular + "s." + k.group, k.short:
			return k.kind
		}
	}
	return ""
}
