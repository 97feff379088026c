package explain

import (
	"context"
	"strconv"
	"strings"

	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// object is one object of a document, and the way to it.
type object struct {
	manifest map[string]any
	file     string
	prefix   string // JSON pointer from the document to the object
	document *source.Document
}

// line is where a JSON pointer into the object leads to in the file; 0 where there is none.
func (o object) line(pointer string) int {
	if o.document == nil {
		return 0
	}
	return o.document.LineOfPointer(o.prefix + pointer)
}

func (o object) resource() engine.Resource {
	apiVersion, _ := o.manifest["apiVersion"].(string)
	kind, _ := o.manifest["kind"].(string)
	metadata, _ := o.manifest["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	namespace, _ := metadata["namespace"].(string)
	return engine.Resource{APIVersion: apiVersion, Kind: kind, Namespace: namespace, Name: name}
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
	if known, ok := KindNamed(kind); ok {
		return known.Kind == r.Kind
	}
	return strings.EqualFold(kind, r.Kind)
}

// read reads all files: the objects that may be workloads, in order, and by namespace what
// stands around them.
func (r *runner) read(ctx context.Context) ([]object, map[string]*engine.Context, error) {
	files, problems := source.Files(r.options.Paths, r.options.Source)
	r.problems(problems)
	var objects []object
	lists := map[string]map[string][]map[string]any{}
	for _, file := range files {
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
			if item.Document == nil || item.Skipped != "" {
				continue
			}
			for _, o := range flatten(object{item.Document.Object, item.File, "", item.Document}, 2) {
				known, err := r.engine.Kind(ctx, o.resource().APIVersion, o.resource().Kind)
				switch {
				case err != nil:
					return nil, nil, err
				case known.ContextList != "":
					add(lists, o, known.ContextList)
				case !known.Inert && len(objects) <= maxWorkloads && chosen(r.options.Workload, o.resource()):
					objects = append(objects, o)
				}
			}
		}
	}
	around := make(map[string]*engine.Context, len(lists))
	for namespace, byList := range lists {
		context, err := engine.NewContext("", byList)
		if err != nil {
			return nil, nil, err
		}
		around[namespace] = context
	}
	return objects, around, nil
}

func (r *runner) problems(list []source.Problem) {
	for _, p := range list {
		r.problem(p.File, p.Line, p.Cause)
	}
}

// add keeps an object that speaks for the workloads of its namespace.
func add(lists map[string]map[string][]map[string]any, o object, list string) {
	namespace := o.resource().Namespace
	if o.resource().Kind == "Namespace" {
		namespace = o.resource().Name
	}
	if lists[namespace] == nil {
		lists[namespace] = map[string][]map[string]any{}
	}
	lists[namespace][list] = append(lists[namespace][list], o.manifest)
}

// flatten takes a List apart, and a List inside a List. Items of a typed list, as the API gives
// it, leave their kind to the list. Of an AdmissionReview it is the object that is asked about.
func flatten(o object, depth int) []object {
	if request, ok := o.manifest["request"].(map[string]any); ok && o.resource().Kind == "AdmissionReview" {
		if manifest, ok := request["object"].(map[string]any); ok {
			return []object{{manifest, o.file, o.prefix + "/request/object", o.document}}
		}
	}
	items, ok := o.manifest["items"].([]any)
	if !ok || depth == 0 {
		return []object{o}
	}
	var all []object
	kind, typed := strings.CutSuffix(o.resource().Kind, "List")
	for i, item := range items {
		manifest, ok := item.(map[string]any)
		if !ok {
			continue
		}
		if _, has := manifest["kind"]; !has && typed && kind != "" {
			manifest["kind"], manifest["apiVersion"] = kind, o.manifest["apiVersion"]
		}
		inner := object{manifest, o.file, o.prefix + "/items/" + strconv.Itoa(i), o.document}
		all = append(all, flatten(inner, depth-1)...)
	}
	return all
}
