package decision

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/utils/lru"

	"github.com/headroom-dev/headroom/policies/engine"
)

// key names everything that a decision depends on: the policies and the config (by
// generation), the day (exemptions end), the surroundings, and what is judged. Of a resize it names what the Pod was,
// too. The text that it gives back is what is judged, and bytes how much is read for it.
func (d *Decider) key(book *rulebook, r Request) (text []byte, bytes int, key [sha256.Size]byte, err error) {
	was := ""
	if r.Before != "" {
		before, err := book.reductions.reduced(nil, r.was())
		if err != nil {
			return nil, 0, key, err
		}
		digest := sha256.Sum256(before)
		was, bytes = string(digest[:]), len(before)
	}
	head := slices.Grow([]byte(nil), headBytes+len(r.Object))
	head = binary.BigEndian.AppendUint64(head, book.generation)
	head = d.now().UTC().AppendFormat(head, time.DateOnly)
	for _, part := range []string{r.Namespace, r.Fingerprint, was} {
		head = binary.BigEndian.AppendUint32(head, uint32(len(part))) //nolint:gosec // far below 4 GiB
		head = append(head, part...)
	}
	whole, err := book.reductions.reduced(head, r)
	if err != nil {
		return nil, 0, key, err
	}
	text = whole[len(head):]
	return text, bytes + len(text), sha256.Sum256(whole), nil
}

// headBytes is about what a key has besides the object.
const headBytes = 256

// Bounds of what the decisions take, however many there may be: a Pod of 3 MiB can have thousands of findings. One
// that takes more than its share is not kept. A few of them would leave no room for those of other namespaces, and
// garbage collection costs what is alive.
const (
	maxCacheBytes = 8 << 20
	largestShare  = 32
)

// cache holds decisions, the latest used longest.
type cache struct {
	lru    *lru.Cache
	bytes  atomic.Int64
	adding sync.Mutex
}

func newCache(entries int) *cache {
	c := &cache{}
	c.lru = lru.NewWithEvictionFunc(entries, func(_ lru.Key, value any) {
		c.bytes.Add(-value.(*outcome).size())
	})
	return c
}

func (c *cache) get(key [sha256.Size]byte) *outcome {
	value, ok := c.lru.Get(key)
	if !ok {
		return nil
	}
	return value.(*outcome)
}

// add keeps an outcome. One with a patch takes the place of one without, never the other
// way round.
func (c *cache) add(key [sha256.Size]byte, o *outcome) {
	size := o.size()
	if size > maxCacheBytes/largestShare {
		return
	}
	c.adding.Lock()
	defer c.adding.Unlock()
	if c.get(key).answers(o.patched) {
		return
	}
	c.lru.Remove(key) // which counts it out; Add would not
	c.bytes.Add(size)
	c.lru.Add(key, o)
	for c.bytes.Load() > maxCacheBytes {
		c.lru.RemoveOldest()
	}
}

func (c *cache) clear() { c.lru.Clear() }

func (c *cache) len() int { return c.lru.Len() }

// size is about what a decision takes in memory.
func (o *outcome) size() int64 {
	// The key and its place in the list; the own fields of a finding, and of why it is exempted.
	const fixed, each, why = 256, 320, 48
	n := fixed + len(o.patch) + each*(len(o.findings)+len(o.exempted)+len(o.skipped)+len(o.applied))
	for i := range o.findings {
		f := &o.findings[i]
		n += len(f.Message) + len(f.Why) + len(f.Expected) + len(f.Container) + len(f.Path) + sizeOf(f.Resource)
	}
	for i := range o.exempted {
		f := &o.exempted[i]
		n += len(f.Container) + why + len(f.Suppressed.Reason) + len(f.Suppressed.Until)
	}
	for _, s := range o.skipped {
		n += len(s.What) + len(s.Reason) + sizeOf(s.Resource)
	}
	for _, a := range o.applied {
		n += len(a.Container) + len(a.Path) + len(a.Old) + len(a.New) + len(a.Added)
	}
	return int64(n)
}

// sizeOf counts the names of an object: their length has not been checked yet.
func sizeOf(r engine.Resource) int {
	return len(r.APIVersion) + len(r.Kind) + len(r.Namespace) + len(r.Name)
}
