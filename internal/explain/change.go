package explain

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Change is one changed value of --what-if.
type Change struct {
	Key   string // as a person wrote it: limits.memory, gc-threads, -Xmx
	Value string // "" takes it away
	// Name is the JVM's own name of a flag, and Text the flag as it is to be written; "" for
	// what is no flag.
	Name, Text string
}

// String is for messages.
func (c Change) String() string {
	switch {
	case c.Text != "":
		return c.Text
	case c.Value == "":
		return c.Key + "=none"
	}
	return c.Key + "=" + c.Value
}

// none is the value that takes something away.
const none = "none"

// The keys of changes that are no JVM flags, and short names of flags.
var (
	resourceKeys = []string{"requests.cpu", "requests.memory", "limits.cpu", "limits.memory"}
	toldKeys     = []string{"threads", "pause", "workers", "class"}
)

// shortFlags are the flags that short names stand for, and whether their values are numbers.
var shortFlags = []struct {
	key, flag string
	number    bool
}{
	{"heap", "-Xmx", false},
	{"stack", "-Xss", false},
	{"metaspace", "-XX:MaxMetaspaceSize=", false},
	{"code-cache", "-XX:ReservedCodeCacheSize=", false},
	{"direct", "-XX:MaxDirectMemorySize=", false},
	{"cores", "-XX:ActiveProcessorCount=", true},
	{"gc-threads", "-XX:ParallelGCThreads=", true},
	{"conc-gc-threads", "-XX:ConcGCThreads=", true},
	{"compiler-threads", "-XX:CICompilerCount=", true},
}

// ParseChanges reads KEY=VALUE, separated by commas.
func ParseChanges(text string) ([]Change, error) {
	var changes []Change
	var pieces []string
	for _, piece := range strings.Split(text, ",") {
		piece = strings.TrimSpace(piece)
		// The values of -Xlog have commas of their own.
		if last := len(pieces) - 1; last >= 0 && strings.HasPrefix(pieces[last], "-Xlog") && !isChange(piece) {
			pieces[last] += "," + piece
			continue
		}
		pieces = append(pieces, piece)
	}
	seen := map[string]string{}
	for _, piece := range pieces {
		if piece == "" {
			continue
		}
		c, err := parseChange(piece)
		if err != nil {
			return nil, err
		}
		id := cmp.Or(c.Name, c.Key)
		if before, twice := seen[id]; twice {
			return nil, fmt.Errorf("--what-if changes the same value twice: %s and %s", before, piece)
		}
		seen[id] = piece
		changes = append(changes, c)
	}
	if len(changes) == 0 {
		return nil, fmt.Errorf("--what-if is empty; it takes KEY=VALUE, separated by commas, as in limits.memory=2Gi,-Xmx=1g")
	}
	return changes, nil
}

// isChange says whether a piece begins a change of its own.
func isChange(piece string) bool {
	key, _, _ := strings.Cut(piece, "=")
	return strings.HasPrefix(piece, "-") || slices.Contains(keys(), key)
}

func keys() []string {
	all := slices.Clone(resourceKeys)
	for _, short := range shortFlags {
		all = append(all, short.key)
	}
	return append(all, toldKeys...)
}

func parseChange(piece string) (Change, error) {
	if strings.HasPrefix(piece, "-") {
		text, taken := strings.CutSuffix(piece, "="+none)
		return flagChange(text, text, taken)
	}
	key, value, given := strings.Cut(piece, "=")
	if !slices.Contains(keys(), key) {
		return Change{}, fmt.Errorf("--what-if knows no %q%s", key, meant(key))
	}
	if !given || value == "" {
		return Change{}, fmt.Errorf("--what-if %s has no value; %s=none takes it away", key, key)
	}
	for _, short := range shortFlags {
		switch {
		case short.key != key:
			continue
		case value == none:
			return flagChange(key, strings.TrimSuffix(short.flag, "="), true)
		}
		if n, err := strconv.Atoi(value); short.number && (err != nil || n < 0) {
			return Change{}, fmt.Errorf("--what-if %s: %q is not a number", key, value)
		}
		return flagChange(key, short.flag+value, false)
	}
	if value == none {
		return Change{Key: key}, nil
	}
	return valueChange(key, value)
}

// guarded is the policies' guard of quantities (data.headroom.quantity.guard): what does not pass it
// counts as none there.
func guarded(value string) bool {
	const longest, furthest = 32, 18
	_, exponent, found := strings.Cut(strings.ToLower(value), "e")
	n, err := strconv.Atoi(exponent)
	far := found && (errors.Is(err, strconv.ErrRange) || err == nil && max(n, -n) > furthest)
	return len(value) <= longest && !far
}

func valueChange(key, value string) (Change, error) {
	switch {
	case slices.Contains(resourceKeys, key):
		if !guarded(value) {
			return Change{}, fmt.Errorf("--what-if %s: %q is longer than a quantity is, or its exponent is beyond 18", key, value)
		}
		q, err := resource.ParseQuantity(value)
		if err != nil || q.Sign() < 0 {
			return Change{}, fmt.Errorf("--what-if %s: %q is not a quantity, such as 500m or 2Gi", key, value)
		}
	case key == "threads" || key == "workers":
		if n, err := strconv.Atoi(value); err != nil || n < 1 || n > maxThreads {
			return Change{}, fmt.Errorf("--what-if %s: %q is not a number from 1 to %d", key, value, maxThreads)
		}
	case key == "pause":
		d, err := time.ParseDuration(value)
		if err != nil || d <= 0 {
			return Change{}, fmt.Errorf("--what-if pause: %q is not a duration, such as 20ms", value)
		}
		value = strconv.FormatFloat(milliseconds(d), 'f', -1, 64) + "ms"
	}
	return Change{Key: key, Value: value}, nil
}

// meant is the key that comes nearest to one that is not known, in words.
func meant(key string) string {
	best := nearest(key, keys(), len(key)/2+2)
	list := "; it knows " + strings.Join(keys(), ", ") + " and JVM flags such as -Xmx=1g"
	if best == "" {
		return list
	}
	return "; did you mean " + best + "?" + list
}
