package watch

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/audit/reports"
	"github.com/headroom-dev/headroom/internal/audit/watch/pack"
)

// member is an object that may stand for a subject: it is the subject, or one of what the
// subject has made.
type member struct {
	*object
	kind cluster.Kind
}

// subject is what a verdict on the member is about.
func (m member) subject() reports.Subject {
	s := reports.Subject{
		APIVersion: m.kind.APIVersion(), Kind: m.kind.Kind, Namespace: m.Namespace, Name: m.Name, UID: m.UID,
	}
	if shares(m.kind, m.object) {
		owner := m.OwnerReferences[0]
		s.APIVersion, s.Kind, s.Name, s.UID = owner.APIVersion, owner.Kind, owner.Name, owner.UID
	}
	return s
}

// members are the objects that may stand for a subject, the best first. The youngest comes first,
// as ReplicaSets of a Rollout get younger. Of Pods the first by name does, so that they stay the
// same as long as they can.
func (t *term) members(key cluster.Key) ([]member, error) {
	var all []member
	for kind := range t.kinds {
		stored, err := t.informers[kind].GetIndexer().ByIndex(bySubject, indexKey(key))
		if err != nil {
			return nil, err
		}
		for _, o := range stored {
			all = append(all, member{o.(*object), t.kinds[kind]})
		}
	}
	slices.SortFunc(all, func(a, b member) int {
		if a.kind.Kind != "Pod" && b.kind.Kind != "Pod" && !a.CreationTimestamp.Equal(&b.CreationTimestamp) {
			return b.CreationTimestamp.Compare(a.CreationTimestamp.Time)
		}
		return strings.Compare(a.kind.Kind+"/"+a.Name, b.kind.Kind+"/"+b.Name)
	})
	return all, nil
}

// found is what is judged of a member: nil where nothing is.
type found struct {
	manifest map[string]any
	// zero is set for what runs nowhere at the moment. Others stand for the subject better.
	zero bool
}

// find gives what is judged of a member: from memory, else from the API server, which tells
// the basis, too. Pods that are gone or have ended do not count.
func (t *term) find(ctx context.Context, m member, b *basis) (found, error) {
	if m.packed != nil {
		var f found
		err := m.packed.Decode(&f.manifest)
		return f, err
	}
	u, err := t.client.Resource(m.kind.GroupVersionResource).Namespace(m.Namespace).Get(ctx, m.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return found{}, nil
	}
	if err != nil {
		return found{}, fmt.Errorf("read %s %s/%s: %w", m.kind.Kind, m.Namespace, m.Name, err)
	}
	if u.GetUID() != m.UID {
		return found{}, nil // the watch tells of its successor
	}
	read, err := cluster.FromManifest(m.kind, u.Object)
	if err != nil {
		return found{}, err
	}
	text, digest, err := judged(read)
	if err != nil {
		return found{}, err
	}
	zero := read.Replicas == 0 && shares(m.kind, m.object)
	if read.Finished || zero {
		t.idle.Store(m.UID, idle{m.digest, zero})
	}
	if read.Finished {
		return found{}, nil
	}
	b.object = digest
	if !bytes.Contains(text, []byte(until)) && !t.rules.current.Load().dated {
		b.day = ""
	}
	return found{read.Manifest, zero}, nil
}

// idle is a stub of what was found to have ended, or to run nowhere.
type idle struct {
	digest pack.Digest
	zero   bool
}

// idles says whether a member is known to have ended, or to run nowhere.
func (t *term) idles(m member) (ended, zero bool) {
	value, known := t.idle.Load(m.UID)
	if !known || value.(idle).digest != m.digest {
		return false, false
	}
	return !value.(idle).zero, value.(idle).zero
}
