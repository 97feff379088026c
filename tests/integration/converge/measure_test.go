//go:build integration

package converge_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/random"
)

// toMeasure is the annotation that advice to measure ends with.
var toMeasure = regexp.MustCompile(`headroom annotate(?: measures it(?: and writes)?)?:? ((?:cpu-average|cpu-peak|memory-peak)\.headroom\.dev/\S+?)(?:,|;|\)| \(|$)`)

// amounts are what a container may turn out to use, of CPU and of memory.
var amounts = map[bool][]string{true: {"1m", "90m", "700m", "1900m", "4", "33"}, false: {"1Mi", "90Mi", "700Mi", "1900Mi", "5Gi"}}

// measured writes down a figure that was not known. What asked for it may not ask again, and what was said
// as an error without it has to be one with it. It counts what was written down.
func (s subject) measured(e *engine.Engine) (n int, err error) {
	before, err := s.judge(e, s.object)
	if err != nil {
		return 0, err
	}
	for i := range before.Findings {
		f := &before.Findings[i]
		for _, found := range toMeasure.FindAllStringSubmatch(f.Expected, -1) {
			for _, amount := range amounts[strings.HasPrefix(found[1], "cpu-")] {
				object, done := annotated(s.object, found[1], amount)
				if !done {
					continue
				}
				n++
				after, err := s.judge(e, object)
				if err != nil {
					return n, err
				}
				for j := range after.Findings {
					for _, again := range toMeasure.FindAllStringSubmatch(after.Findings[j].Expected, -1) {
						if again[1] == found[1] {
							return n, fmt.Errorf("with %s: %s, %s still says: %s", found[1], amount, after.Findings[j].Rule, after.Findings[j].Expected)
						}
					}
				}
				if err := stillTrue(before, after, f.Container, found[1]+": "+amount); err != nil {
					return n, err
				}
			}
		}
	}
	return n, nil
}

// onUse are the rules whose errors may rest on what a container uses.
var onUse = regexp.MustCompile(`^HR(?:20[1-7]|210|302|402|403|404|405|501|502)$`)

// stillTrue says which error of a container is gone with one more figure. A higher or a lower limit may be wanted
// than before, and what was said twice may be said once: the rule has to speak, as an error.
func stillTrue(before, after engine.Result, container, figure string) error {
	for i := range before.Findings {
		f := &before.Findings[i]
		if f.Container != container || f.Severity != engine.SeverityError || !onUse.MatchString(f.Rule) {
			continue
		}
		gone := true
		for j := range after.Findings {
			a := &after.Findings[j]
			gone = gone && (a.Rule != f.Rule || a.Container != container || a.Severity != engine.SeverityError)
		}
		if gone {
			return fmt.Errorf("with %s, this error was false: %s: %s", figure, f.Rule, f.Message)
		}
	}
	return nil
}

// unharmed makes the changes that are made without a figure, and then declares it. The container that was changed has
// no error then which it would not have without the changes. Under a limit nothing uses more than it.
func (s subject) unharmed(e *engine.Engine) (n int, err error) {
	review, err := s.review(s.object)
	if err != nil {
		return 0, err
	}
	fixed, err := e.Fix(context.Background(), review)
	if err != nil || len(fixed.Patch) == 0 {
		return 0, err
	}
	raw, err := json.Marshal(s.object)
	if err != nil {
		return 0, err
	}
	text, err := json.Marshal(fixed.Patch)
	if err != nil {
		return 0, err
	}
	patch, err := jsonpatch.DecodePatch(text)
	if err != nil {
		return 0, err
	}
	out, err := patch.Apply(raw)
	if err != nil {
		return 0, err
	}
	var changed map[string]any
	if err := json.Unmarshal(out, &changed); err != nil {
		return 0, err
	}
	for i := range fixed.Applied {
		container := fixed.Applied[i].Container
		for _, amount := range amounts[true] {
			was, done := annotated(s.object, "cpu-average.headroom.dev/"+container, amount)
			now, also := annotated(changed, "cpu-average.headroom.dev/"+container, amount)
			if !done || !also || container == "" || s.overLimit(container, amount) {
				continue
			}
			without, err := s.judge(e, was)
			if err != nil {
				return n, err
			}
			n++
			with, err := s.judge(e, now)
			if err != nil {
				return n, err
			}
			for j := range with.Findings {
				f := &with.Findings[j]
				if f.Container == container && f.Severity == engine.SeverityError && onUse.MatchString(f.Rule) && !has(without.Findings, f.Rule, container) {
					return n, fmt.Errorf("changed, and with an average of %s, %s says: %s\n%s", amount, f.Rule, f.Message, text)
				}
			}
		}
	}
	return n, nil
}

// overLimit says that a container cannot have an average: a limit is lower.
func (s subject) overLimit(container, average string) bool {
	p := place{s.object, &engine.Finding{Container: container}}
	template, err := p.template()
	if err != nil {
		return true
	}
	spec, _ := template["spec"].(map[string]any)
	c, err := p.container()
	if err != nil {
		return true
	}
	used := resource.MustParse(average)
	for _, owner := range []map[string]any{spec, c} {
		resources, _ := owner["resources"].(map[string]any)
		limits, _ := resources["limits"].(map[string]any)
		if limits["cpu"] == nil {
			continue
		}
		limit, err := resource.ParseQuantity(fmt.Sprint(limits["cpu"]))
		if err != nil || limit.Sign() > 0 && used.Cmp(limit) > 0 {
			return true
		}
	}
	return false
}

// annotated is an object with one more annotation; false where it says that already, or another for the workload.
func annotated(object map[string]any, key, value string) (map[string]any, bool) {
	object = copied(object)
	template, err := (place{object: object}).template()
	if err != nil {
		return nil, false
	}
	notes := child(child(template, "metadata"), "annotations")
	if notes[key] != nil || notes["headroom.dev/cpu-average"] != nil {
		return nil, false
	}
	notes[key] = value
	return object, true
}

func TestWhatIsMeasured(t *testing.T) {
	e, asked, made := newEngine(t), 0, 0
	try := func(s subject) error {
		n, err := s.measured(e)
		if err != nil {
			return err
		}
		m, err := s.unharmed(e)
		asked, made = asked+n, made+m
		return err
	}
	for _, s := range manifests(t) {
		if err := try(s); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		drawn := random.New(t)
		for _, s := range []subject{{object: pod(t)}, {object: drawn.Object, around: drawn.Around}} {
			if err := try(s); err != nil {
				text, _ := json.Marshal(s.object)
				around, _ := json.Marshal(s.around)
				t.Fatalf("%v\n%s\nbeside %s", err, text, around)
			}
		}
	})
	if t.Logf("%d figures were declared that advice asked for, %d beside changes", asked, made); asked == 0 || made == 0 {
		t.Error("nothing was tried")
	}
}
