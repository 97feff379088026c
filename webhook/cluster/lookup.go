package cluster

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"golang.org/x/time/rate"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// maxOwners is more than any chain of the kinds that are watched: Pod, ReplicaSet,
// Deployment, or Pod, Job, CronJob.
const maxOwners = 4

// owner is one entry of the context's owners, as the policies read it.
type owner struct {
	Kind        string            `json:"kind"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// errReplaced says that the object which a reference means is gone.
var errReplaced = errors.New("another object has its name now")

// errTooMany says that a namespace asks too often for owners that are not in memory.
var errTooMany = errors.New("more owners are asked for one by one than there are new ones")

// Look-ups of owners, per second. Half of liveRate stays for Namespaces: made-up owners must not keep other
// workloads from being judged. A namespace that is rolled out anew has its burst.
const (
	ownersRate       = liveRate / 2
	namespaceRate    = liveRate / 5
	namespaceBurst   = 30
	maxOwnerLimiters = 1024
)

// asking bounds how often owners are looked up, for each namespace and for all.
type asking struct {
	lock sync.Mutex
	all  *rate.Limiter
	each map[string]*rate.Limiter
}

// allow takes a look-up of a namespace's share.
func (a *asking) allow(namespace string) bool {
	a.lock.Lock()
	defer a.lock.Unlock()
	if a.all == nil {
		a.all, a.each = rate.NewLimiter(ownersRate, liveBurst/2), map[string]*rate.Limiter{}
	}
	limiter := a.each[namespace]
	if limiter == nil {
		if len(a.each) >= maxOwnerLimiters {
			clear(a.each)
		}
		limiter = rate.NewLimiter(namespaceRate, namespaceBurst)
		a.each[namespace] = limiter
	}
	return limiter.Allow() && a.all.Allow()
}

// owners follows the controller references, nearest first. An owner that cannot be had is
// known by the kind that the reference names.
func (c *Cluster) owners(ctx context.Context, namespace string, references []metav1.OwnerReference) []owner {
	var chain []owner
	for len(chain) < maxOwners {
		i := slices.IndexFunc(references, isController)
		if i < 0 {
			return chain
		}
		reference := references[i]
		next := owner{Kind: reference.Kind}
		references = nil
		// The API server takes no reference without a UID, but asks here before it looks.
		if k, ok := ownerKind(reference); ok && reference.UID != "" {
			found, _, err := c.get(ctx, k, namespace, reference.Name, reference.UID)
			if err == nil {
				next.Annotations, references = found.Annotations, found.OwnerReferences
			} else {
				c.options.Log.V(1).Info("owner not found, only its kind is known",
					"kind", reference.Kind, "namespace", namespace, "name", reference.Name, "error", err.Error())
			}
		}
		chain = append(chain, next)
	}
	return chain
}

func isController(r metav1.OwnerReference) bool { return r.Controller != nil && *r.Controller }

// ownerKind finds the kind that a reference means, in any version.
func ownerKind(reference metav1.OwnerReference) (kind, bool) {
	group, _, named := strings.Cut(reference.APIVersion, "/")
	if !named {
		group = ""
	}
	for _, k := range ownerKinds {
		if k.Group == group && k.Kind == reference.Kind {
			return k, true
		}
	}
	return kind{}, false
}

// get finds metadata in memory, else by a look-up. A Pod may be created before the watch has told
// of its ReplicaSet, or a Deployment before it has told of its Namespace. With a UID, an older or
// younger object of the same name is not the one.
func (c *Cluster) get(
	ctx context.Context, k kind, namespace, name string, uid types.UID,
) (found *metav1.PartialObjectMetadata, cached bool, err error) {
	found = &metav1.PartialObjectMetadata{}
	found.SetGroupVersionKind(k.GroupVersionKind)
	key := client.ObjectKey{Namespace: namespace, Name: name}
	err = c.cache.Get(ctx, key, found)
	if err == nil && (uid == "" || found.UID == uid) {
		return found, true, nil
	}
	// One look-up answers everyone who waits for the same object: 500 replicas of a new ReplicaSet ask once.
	looked, err, _ := c.flights.Do(k.Kind+" "+key.String(), func() (any, error) {
		// Not the request's own context: others may wait for the same answer.
		if uid != "" && !c.asking.allow(namespace) {
			return nil, errTooMany
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), liveTimeout)
		defer cancel()
		found := &metav1.PartialObjectMetadata{}
		found.SetGroupVersionKind(k.GroupVersionKind)
		if err := c.live.Get(ctx, key, found); err != nil {
			return nil, err
		}
		return slim(found), nil
	})
	if err != nil {
		return nil, false, err
	}
	found = looked.(*metav1.PartialObjectMetadata) //nolint:forcetypeassert // see above
	if uid != "" && found.UID != uid {
		return nil, false, errReplaced
	}
	return found, false, nil
}

// list gives the whole objects of a kind in a Namespace, sorted by name.
func (c *Cluster) list(ctx context.Context, k kind, namespace string) ([]map[string]any, error) {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(k.GroupVersionKind)
	if err := c.cache.List(ctx, list, client.InNamespace(namespace)); err != nil {
		return nil, err
	}
	objects := make([]map[string]any, 0, len(list.Items))
	slices.SortFunc(list.Items, func(a, b unstructured.Unstructured) int {
		return strings.Compare(a.GetName(), b.GetName())
	})
	for _, item := range list.Items {
		objects = append(objects, map[string]any{
			"metadata": map[string]any{"name": item.GetName()},
			"spec":     item.Object["spec"],
		})
	}
	return objects, nil
}
