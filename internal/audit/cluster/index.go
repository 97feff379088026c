package cluster

import (
	"regexp"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Index knows the owners of the Pods of every namespace. It keeps names alone: some 100 bytes
// an object. It is filled by one goroutine, and then read by any number.
type Index struct{ namespaces map[string]*owners }

// NewIndex gives an empty index.
func NewIndex() *Index { return &Index{namespaces: map[string]*owners{}} }

// owners are those of one namespace. up leads from a ReplicaSet, a Job or a Pod to what
// controls it.
type owners struct {
	up  map[Key]Key
	all map[Key]bool
}

// Add takes in an object of one of Kinds.
func (x *Index) Add(kind string, object metav1.Object) {
	namespace := object.GetNamespace()
	o := x.of(namespace)
	self := Key{kind, namespace, object.GetName()}
	if kind != "Pod" {
		o.all[self] = true
	}
	if kind == "Deployment" || kind == "StatefulSet" || kind == "DaemonSet" || kind == "CronJob" {
		return // judged as they are, not through their owners
	}
	if controller := metav1.GetControllerOfNoCopy(object); controller != nil && controller.Kind != "Node" {
		o.up[self] = Key{controller.Kind, namespace, controller.Name}
	} else if kind == "Pod" {
		o.up[self] = self
	}
}

func (x *Index) of(namespace string) *owners {
	o := x.namespaces[namespace]
	if o == nil {
		o = &owners{up: map[Key]Key{}, all: map[Key]bool{}}
		x.namespaces[namespace] = o
	}
	return o
}

// Namespace gives the owners of one namespace.
func (x *Index) Namespace(name string) Owners {
	if o := x.namespaces[name]; o != nil {
		return namespaceOwners{name, o}
	}
	return namespaceOwners{name, &owners{}}
}

type namespaceOwners struct {
	namespace string
	*owners
}

// maxChain is more than any chain of controllers has.
const maxChain = 4

// Of finds the workload at the top. Measurements go back to Pods that have ended, and to
// ReplicaSets and Jobs that are gone: those are found by the names that controllers give.
func (o namespaceOwners) Of(podName string) (Key, bool) {
	at := Key{"Pod", o.namespace, podName}
	if _, known := o.up[at]; !known {
		return o.byName(podName)
	}
	for range maxChain {
		next, controlled := o.up[at]
		if !controlled || next == at {
			break
		}
		at = next
	}
	return at, true
}

// The names that controllers give to Pods, and which workloads they may be of.
var (
	ofDaemonSet   = regexp.MustCompile(`^(.+)-[a-z0-9]{5}$`)
	ofStatefulSet = regexp.MustCompile(`^(.+)-[0-9]+$`)
	ofDeployment  = regexp.MustCompile(`^(.+)-[a-z0-9]{1,10}-[a-z0-9]{5}$`)
	ofCronJob     = regexp.MustCompile(`^(.+)-[0-9]{6,11}(?:-[0-9]+)?-[a-z0-9]{5}$`)
	ofIndexedJob  = regexp.MustCompile(`^(.+)-[0-9]+-[a-z0-9]{5}$`)
)

var patterns = []struct {
	form  *regexp.Regexp
	kinds []string
}{
	{ofStatefulSet, []string{"StatefulSet"}},
	{ofDaemonSet, []string{"ReplicaSet", "Job", "DaemonSet", "ReplicationController"}},
	{ofCronJob, []string{"CronJob"}},
	{ofDeployment, []string{"Deployment"}},
	{ofIndexedJob, []string{"Job"}},
}

func (o namespaceOwners) byName(podName string) (Key, bool) {
	for _, p := range patterns {
		found := p.form.FindStringSubmatch(podName)
		if found == nil || strings.HasSuffix(found[1], "-") {
			continue
		}
		for _, kind := range p.kinds {
			key := Key{kind, o.namespace, found[1]}
			if !o.all[key] {
				continue
			}
			for range maxChain {
				next, controlled := o.up[key]
				if !controlled {
					break
				}
				key = next
			}
			return key, true
		}
	}
	return Key{}, false
}

// Key names an owning workload.
type Key struct{ Kind, Namespace, Name string }

// Owners knows to which workload the Pods of one namespace go back: those that run, and by
// their names those that have ended.
type Owners interface {
	Of(podName string) (Key, bool)
}

// Managed says whether a controller of a kind that is listed manages the object, so that it
// has been judged with its owner. known tells which of Kinds are listed.
func Managed(object metav1.Object, known func(kind string) bool) bool {
	controller := metav1.GetControllerOfNoCopy(object)
	if controller == nil {
		return false
	}
	k, ok := KindOf(controller.APIVersion, controller.Kind)
	// A Pod says nothing about the Pods that it makes (Spark's driver and its executors).
	return ok && k.Kind != "Pod" && known(k.Kind)
}
