//go:build integration

package explain

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
)

// change is what one of the ways that a finding names asks for.
type change struct {
	flags []string
	limit string
}

var (
	flagText  = regexp.MustCompile(`-X[^ ,:)]+(:[^ ,:)]+)?`)
	limitText = regexp.MustCompile(`limits\.memory of (\d+Mi)`)
	sameText  = regexp.MustCompile(` \((-Xmx\d+m)\)`)
)

// ways takes the wanted of HR303, HR304 and HR406 apart.
func ways(wanted string) []change {
	var found []change
	if caps, rest, ok := strings.Cut(wanted, ", or, without "); ok {
		found = append(found, change{flags: flagText.FindAllString(caps, -1)})
		_, wanted, _ = strings.Cut(rest, ", ")
	}
	var caps []string
	for part := range strings.SplitSeq(strings.TrimSuffix(wanted, " (no heap fits under this limit)"), ", or ") {
		if before, after, ok := strings.Cut(part, ": "); ok {
			caps, part = flagText.FindAllString(before, -1), after
		}
		limit := ""
		if m := limitText.FindStringSubmatch(part); m != nil {
			limit = m[1]
		}
		if m := sameText.FindStringSubmatch(part); m != nil {
			found = append(found, change{append(slices.Clone(caps), m[1]), limit})
			part = strings.Replace(part, m[0], "", 1)
		}
		found = append(found, change{append(slices.Clone(caps), flagText.FindAllString(part, -1)...), limit})
	}
	return found
}

// follow does what a way asks for: a flag takes the place of the one that there is.
func follow(s service, c change) service {
	return s.with(func(s *service) {
		for _, f := range c.flags {
			name, _, valued := strings.Cut(f, "=")
			if !valued {
				name = f[:len("-Xmx")]
			}
			s.without(name)
		}
		s.flags = append(s.flags, c.flags...)
		if c.limit != "" {
			s.limit = c.limit
		}
	})
}

// judged is what the policies say of it that is no info: the finding by rule.
func (a asker) judged(t *testing.T, s service) map[string]engine.Finding {
	t.Helper()
	result, err := a.e.Evaluate(context.Background(), engine.Review{Manifest: s.manifest()})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]engine.Finding{}
	for _, f := range result.Findings {
		if f.Severity != engine.SeverityInfo {
			found[f.Rule] = f
		}
	}
	return found
}

// Following a finding on a JVM's memory removes it, and adds no other error or warning.
func TestWhatIsWantedPasses(t *testing.T) {
	a := newAsker(t)
	followed, asked := 0, 0
	facts := []string{"version=17", "version=17 threads=20 native=40Mi classes=2000"}
	for i, flags := range []string{
		"", "-Xms200m", "-Xms1500m", "-Xmx64m", "-Xmx512m", "-Xmx1g", "-Xms1g -Xmx1g",
		"-Xms2g -Xmx2g", "-Xmx4g", "-Xms4g -Xmx4g",
		"-XX:MaxRAMPercentage=50.0", "-XX:MaxRAMPercentage=75.0", "-XX:MaxRAMPercentage=100.0", "-XX:MinRAMPercentage=80.0",
		"-XX:-UseContainerSupport", "-XX:-UseContainerSupport -Xmx1g", "-XX:MaxRAM=8g",
		"-Xmx3g -XX:MaxDirectMemorySize=128m", "-XX:MaxRAMPercentage=75.0 -XX:ReservedCodeCacheSize=64m -Xss256k",
	} {
		for k, limit := range []string{"100Mi", "250Mi", "1Gi", "1500Mi", "2Gi", "4Gi"} {
			s := service{flags: strings.Fields(flags), limit: limit, cpu: "2", facts: facts[(i+k)%2]}
			before := a.judged(t, s)
			if asks(before) {
				s = measured(s)
				before = a.judged(t, s)
				asked++
			}
			for _, rule := range []string{"HR303", "HR304", "HR406"} {
				f, ok := before[rule]
				if !ok || strings.HasSuffix(f.Expected, "-Xmx: no heap fits under this limit") {
					continue
				}
				for _, way := range ways(f.Expected) {
					followed++
					a.better(t, s, way, before, f)
				}
			}
		}
	}
	if followed < 120 {
		t.Errorf("only %d ways were followed", followed)
	}
	if asked < 20 {
		t.Errorf("only %d services were measured first", asked)
	}
}

// asks says that a finding wants a measurement in place of a number.
func asks(found map[string]engine.Finding) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(found)), func(f engine.Finding) bool {
		return strings.Contains(f.Expected, "then lower the heap or raise the limit") || strings.Contains(f.Expected, "then set -Xmx and limits.memory") ||
			strings.Contains(f.Expected, "then set the heap with ")
	})
}

// measured is the service with what such findings ask for: the facts of a running JVM, and caps on the rest.
func measured(s service) service {
	return s.with(func(s *service) {
		s.facts = "version=17 threads=40 native=60Mi classes=4000"
		for _, limit := range []string{"-XX:MaxDirectMemorySize=32m", "-XX:ReservedCodeCacheSize=64m"} {
			name, _, _ := strings.Cut(limit, "=")
			if !slices.ContainsFunc(s.flags, func(f string) bool { return strings.HasPrefix(f, name) }) {
				s.flags = append(s.flags, limit)
			}
		}
	})
}

func (a asker) better(t *testing.T, s service, way change, before map[string]engine.Finding, f engine.Finding) {
	t.Helper()
	then := follow(s, way)
	said := fmt.Sprintf("%s under %s (%s): %s wants %q: with %v", s.flags, s.limit, s.facts, f.Rule, f.Expected, way)
	if len(way.flags) == 0 && way.limit == "" {
		t.Errorf("%s: nothing to follow", said)
	}
	for rule, found := range a.judged(t, then) {
		_, was := before[rule]
		if _, blind := before["HR401"]; blind && (rule == "HR403" || rule == "HR404") {
			continue // with another collector it has other threads, as many as the node calls for
		}
		if rule == "HR303" || rule == "HR304" || rule == f.Rule || !was {
			t.Errorf("%s there is %s %s", said, rule, found.Message)
		}
	}
}
