package decision

import "github.com/headroom-dev/headroom/policies/engine"

// reduction says what is left out of an object before it is judged: what differs between the
// replicas of one template, and what is large and read by no rule. An object is judged
// without it, so that what is left out cannot change a verdict; TestWhatIsLeftOut holds
// the verdict to that of the whole object.
type reduction struct {
	drop map[string]bool       // fields of an object
	only map[string]bool       // where it is set, the fields of an object that stay
	into map[string]*reduction // fields that lose parts
	each *reduction            // what every element of a list loses

	// The random end of a name that the API server makes up.
	random bool
}

func dropping(names ...string) *reduction {
	c := &reduction{drop: make(map[string]bool, len(names)), into: map[string]*reduction{}}
	for _, name := range names {
		c.drop[name] = true
	}
	return c
}

func (c *reduction) in(field string, inner *reduction) *reduction {
	c.into[field] = inner
	return c
}

const (
	// lastApplied is the whole object once more, as kubectl apply leaves it behind.
	lastApplied = "kubectl.kubernetes.io/last-applied-configuration"
	// tokenVolume is how the names of volumes begin that the API server adds; five random characters follow.
	tokenVolume = `"kube-api-access-`
	// completionIndex tells the Pods of an Indexed Job apart.
	completionIndex = "batch.kubernetes.io/job-completion-index"
)

// system are the fields of metadata that the API server and controllers write.
var system = []string{
	"uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds",
	"managedFields", "selfLink", "finalizers",
}

// names tell the objects of one template apart. They are left out unless the config has an
// exemption that goes by them.
var names = []string{"name", "generateName"}

// reductions are for one config, which reads names or does not.
type reductions struct{ pod, template, cronJob, foreign *reduction }

// labels are those that the config's classes go by. The others tell replicas apart.
func reductionsFor(named bool, labels ...string) reductions {
	kept := &reduction{only: map[string]bool{}}
	for _, label := range labels {
		kept.only[label] = true
	}
	// Labels that are no map have a finding of their own (HR003), and stay.
	labelled := func(metadata *reduction) *reduction { return metadata.in("labels", kept) }
	// A StatefulSet gives each Pod its host name and its claims, a DaemonSet its node (as an
	// affinity), and the API server adds a volume of a random name, kube-api-access-…. The rest
	// stays: a volume may pass limits.cpu on (downwardAPI), or hold the options of a JVM.
	spec := func() *reduction {
		mount, volume := dropping(), dropping().in("persistentVolumeClaim", dropping("claimName"))
		mount.random, volume.random = true, true
		container := dropping("volumeDevices").in("volumeMounts", &reduction{each: mount})
		return dropping("affinity", "tolerations", "hostname", "nodeName").in("volumes", &reduction{each: volume}).
			in("containers", &reduction{each: container}).in("initContainers", &reduction{each: container})
	}
	metadata := func(more ...string) *reduction {
		fields := append(append([]string{}, system...), more...)
		if !named {
			fields = append(fields, names...)
		}
		return labelled(dropping(fields...))
	}
	// kubectl's copy stays on a Pod: the size of all annotations bounds what a patch adds.
	workload := func() *reduction {
		own := metadata().in("annotations", dropping(lastApplied)).
			in("ownerReferences", &reduction{each: dropping("name", "uid")})
		return dropping("status").in("metadata", own)
	}
	template := func() *reduction {
		return dropping().in("template", dropping().in("metadata", labelled(dropping())).in("spec", spec()))
	}
	return reductions{
		pod: dropping("status").
			// The name of a Job tells that a CronJob made it.
			in("metadata", metadata().in("annotations", dropping(completionIndex)).
				in("ownerReferences", &reduction{each: dropping("uid")})).in("spec", spec()),
		template: workload().in("spec", template()),
		cronJob: workload().
			in("spec", dropping().in("jobTemplate", dropping().in("spec", template()))),
		// Whatever it is, a rule may look at all of it (HR002).
		foreign: dropping().in("metadata", dropping("managedFields")),
	}
}

func (c reductions) reductionFor(apiVersion, kind string) *reduction {
	switch engine.TemplatePath(apiVersion, kind) {
	case "-":
		return c.pod
	case "spec.template":
		return c.template
	case "spec.jobTemplate.spec.template":
		return c.cronJob
	default:
		return c.foreign
	}
}
