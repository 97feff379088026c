package scenario

import (
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/internal/cfs"
)

// text is a line for people to read.
func (r *reader) text(node *yaml.Node, name string) string {
	if node == nil {
		return ""
	}
	text, _ := r.scalar(node, name, "text")
	const most = 1000
	if len(text) > most {
		r.fail(node, "%s has more than %d bytes", name, most)
		return ""
	}
	return strings.TrimSpace(text)
}

// integers are one or several, between two bounds.
func (r *reader) integers(node *yaml.Node, name string, least, most int) []int {
	var values []int
	r.each(node, name, func(item *yaml.Node) {
		text, ok := r.scalar(item, name, "a number")
		if !ok {
			return
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > most {
			r.fail(item, "%s is %q, and should be a number from %d to %d", name, short(text), least, most)
			return
		}
		values = append(values, n)
	})
	return values
}

func (r *reader) integer(node *yaml.Node, name string, least, most, otherwise int) int {
	if node != nil && node.Kind == yaml.SequenceNode {
		r.fail(node, "%s is one number, and is not swept", name)
		return otherwise
	}
	if values := r.integers(node, name, least, most); len(values) == 1 {
		return values[0]
	}
	return otherwise
}

// durations are one or several, between two bounds.
func (r *reader) durations(node *yaml.Node, name string, least, most time.Duration) []time.Duration {
	var values []time.Duration
	r.each(node, name, func(item *yaml.Node) {
		if d, ok := r.parseDuration(item, name, least, most); ok {
			values = append(values, d)
		}
	})
	return values
}

func (r *reader) parseDuration(node *yaml.Node, name string, least, most time.Duration) (time.Duration, bool) {
	text, ok := r.scalar(node, name, "a time with its unit, as in 20ms")
	if !ok {
		return 0, false
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		r.fail(node, "%s is %q, and should be a time with its unit, as in 20ms", name, short(text))
		return 0, false
	}
	if d < least || d > most {
		r.fail(node, "%s is %s, and should be from %s to %s", name, d, least, most)
		return 0, false
	}
	return d, true
}

func (r *reader) duration(node *yaml.Node, name string, least, most, otherwise time.Duration) time.Duration {
	if node == nil {
		return otherwise
	}
	if node.Kind == yaml.SequenceNode {
		r.fail(node, "%s is one time, and is not swept", name)
		return otherwise
	}
	if d, ok := r.parseDuration(node, name, least, most); ok {
		return d
	}
	return otherwise
}

// limits are CPU limits in millicores; none is 0.
func (r *reader) limits(node *yaml.Node) []int64 {
	var values []int64
	r.each(node, "limit", func(item *yaml.Node) {
		text, ok := r.scalar(item, "limit", "a CPU limit")
		if !ok {
			return
		}
		n, ok := millicores(text)
		if !ok {
			r.fail(item, "limit is %q, and should be a CPU limit as 2, 1.5 or 500m, up to %d, or none",
				short(text), cfs.MaxProcessors)
			return
		}
		values = append(values, n)
	})
	return values
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

func (r *reader) booleans(node *yaml.Node, name string) []bool {
	var values []bool
	r.each(node, name, func(item *yaml.Node) {
		text, ok := r.scalar(item, name, "true or false")
		if !ok {
			return
		}
		if text != "true" && text != "false" {
			r.fail(item, "%s is %q, and should be true or false", name, short(text))
			return
		}
		values = append(values, text == "true")
	})
	return values
}

// rewrites are after how long a quota is written again; never is 0.
func (r *reader) rewrites(node *yaml.Node) []time.Duration {
	var values []time.Duration
	r.each(node, "rewrite", func(item *yaml.Node) {
		if item.Kind == yaml.ScalarNode && item.Value == Never {
			values = append(values, 0)
		} else if d, ok := r.parseDuration(item, "rewrite", cfs.MinRewrite, cfs.MaxRewrite); ok {
			values = append(values, d)
		}
	})
	return values
}

func (r *reader) remedies(node *yaml.Node) []cfs.Remedy {
	var values []cfs.Remedy
	r.each(node, "remedy", func(item *yaml.Node) {
		text, ok := r.scalar(item, "remedy", "the name of a remedy")
		if !ok {
			return
		}
		var names []string
		for _, remedy := range cfs.Remedies() {
			if text == remedy.String() {
				values = append(values, remedy)
				return
			}
			names = append(names, remedy.String())
		}
		r.fail(item, "remedy is %q, and should be one of %s", short(text), strings.Join(names, ", "))
	})
	return values
}
