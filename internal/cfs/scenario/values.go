package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/internal/cfs"
	"github.com/headroom-dev/headroom/policies/yamlfile"
)

// MaxValues bounds a list, and the loads.
const MaxValues = 64

// kind is what a value may be, in words, and how it is read. Numbers are read as text: 2 and "2" are one.
type kind[T any] struct {
	wanted string
	read   func(text string) (value T, ok bool)
}

// values are those of a field, each of which is a case; otherwise what it is where the file has none.
func values[T any](r *reader, f fields, name string, k kind[T], otherwise ...T) []T {
	node := f[name]
	if node == nil {
		return otherwise
	}
	items := []*yaml.Node{node}
	if node.Kind == yaml.SequenceNode {
		items = node.Content
	}
	if n := len(items); n == 0 || n > MaxValues {
		r.Fail(node, "%s has %d values, and should have 1 to %d", name, n, MaxValues)
		return nil
	}
	var list []T
	for _, item := range items {
		item = yamlfile.Target(item)
		if item.Kind != yaml.ScalarNode || item.ShortTag() == "!!null" {
			r.Fail(item, "%s should be %s", name, k.wanted)
		} else if value, ok := k.read(item.Value); ok {
			list = append(list, value)
		} else {
			r.Fail(item, "%s is %q, and should be %s", name, yamlfile.Short(item.Value), k.wanted)
		}
	}
	return list
}

// one is the value of a field that has no list.
func one[T any](r *reader, f fields, name string, k kind[T], otherwise T) T {
	if node := f[name]; node != nil && node.Kind == yaml.SequenceNode {
		r.Fail(node, "%s is one value, and is not swept", name)
	} else if list := values(r, f, name, k, otherwise); len(list) > 0 {
		return list[0]
	}
	return otherwise
}

func text() kind[string] {
	const most = 1000
	return kind[string]{fmt.Sprintf("text of at most %d bytes", most), func(text string) (string, bool) {
		return strings.TrimSpace(text), len(text) <= most
	}}
}

func exactly(wanted string) kind[string] {
	return kind[string]{wanted, func(text string) (string, bool) { return text, text == wanted }}
}

func layers() kind[Layer] {
	return kind[Layer]{"period or pool", func(text string) (Layer, bool) {
		layer := Layer(strings.TrimSpace(text))
		return layer, layer == Period || layer == Pool
	}}
}

func numbers(least, most int) kind[int] {
	return kind[int]{fmt.Sprintf("a number from %d to %d", least, most), func(text string) (int, bool) {
		n, err := strconv.Atoi(text)
		return n, err == nil && n >= least && n <= most
	}}
}

func times(least, most time.Duration) kind[time.Duration] {
	wanted := fmt.Sprintf("a time with its unit, as in 20ms, from %s to %s", least, most)
	return kind[time.Duration]{wanted, func(text string) (time.Duration, bool) {
		d, err := time.ParseDuration(text)
		return d, err == nil && d >= least && d <= most
	}}
}

// rewrites are after how long a quota is written again; never is 0.
func rewrites() kind[time.Duration] {
	every := times(cfs.MinRewrite, cfs.MaxRewrite)
	return kind[time.Duration]{every.wanted + ", or " + Never, func(text string) (time.Duration, bool) {
		if text == Never {
			return 0, true
		}
		return every.read(text)
	}}
}

func booleans() kind[bool] {
	return kind[bool]{"true or false", func(text string) (bool, bool) {
		return text == "true", text == "true" || text == "false"
	}}
}

func remedies() kind[cfs.Remedy] {
	var names []string
	for _, remedy := range cfs.Remedies() {
		names = append(names, remedy.String())
	}
	return kind[cfs.Remedy]{"one of " + strings.Join(names, ", "), func(text string) (cfs.Remedy, bool) {
		n := slices.Index(names, text)
		return cfs.Remedy(n), n >= 0
	}}
}

// limits are CPU limits in millicores; none is 0.
func limits() kind[int64] {
	return kind[int64]{fmt.Sprintf("a CPU limit as 2, 1.5 or 500m, up to %d, or none", cfs.MaxProcessors), millicores}
}

// millicores reads a CPU quantity as manifests have it, in whole cores, with up to three decimals,
// or in m.
func millicores(text string) (int64, bool) {
	if text == "none" {
		return 0, true
	}
	whole, milli := strings.CutSuffix(text, "m")
	integer, decimals, _ := strings.Cut(whole, ".")
	if len(text) > 16 || integer == "" || len(decimals) > 3 || milli && decimals != "" {
		return 0, false
	}
	digits := integer
	if !milli {
		digits += (decimals + "000")[:3]
	}
	n, err := strconv.ParseUint(digits, 10, 32)
	if err != nil || n == 0 || n > cfs.MaxProcessors*1000 {
		return 0, false
	}
	return int64(n), true
}
