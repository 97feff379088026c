//go:build integration

// Package diagnose_test diagnoses real JVMs under real limits, by the commands that are run in
// containers, and what was recorded of such.
package diagnose_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/internal/audit/diagnose"
	"github.com/headroom-dev/headroom/internal/audit/diagnose/collect"
	"github.com/headroom-dev/headroom/internal/audit/diagnose/reading"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/cage"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
	"github.com/headroom-dev/headroom/tests/harness/jdks"
)

// registry runs in every JRE, for ever, and allocates enough at its start for some collections
// of so small a young generation.
var registry = []string{"-Xmx64m", "-Xmn1m", "-XX:MaxDirectMemorySize=16m", "-Dpassword=hunter2"}

// program is the class of the RMI registry.
const program = "sun.rmi.registry.RegistryImpl"

// javas are the JVMs of this machine.
func javas(t *testing.T) []string {
	t.Helper()
	found, err := jdks.Find()
	if err != nil {
		t.Error(err)
	}
	if len(found) == 0 {
		t.Fatal("no JVM found; run tests/harness/jdks/install.sh")
	}
	list := make([]string, len(found))
	for i, jdk := range found {
		// Links lead out of the cage's working folder and are resolved by name.
		if list[i], err = filepath.EvalSymlinks(jdk.Java); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// start runs a JVM in a cage; nil where the machine does not let us, which is said.
func start(t *testing.T, limits cage.Limits, environment []string, command ...string) *cage.Cage {
	t.Helper()
	c, err := cage.Start(t.TempDir(), limits, append(environment, "PATH="+os.Getenv("PATH")), command...)
	if err != nil {
		t.Logf("this machine makes no cage, so that no real container was diagnosed: %v", err)
		return nil
	}
	t.Cleanup(c.Close)
	return c
}

// collected waits until the JVM has started, and reads it: a JVM of which nothing
// was collected yet tells little. The reading that first tells of a collection began before the
// JVM had started (its cgroup's files are read first), so the one after it counts.
func collected(t *testing.T, c *cage.Cage, o collect.Options) *collect.Collection {
	t.Helper()
	for started := false; ; {
		into := &collect.Collection{Namespace: "shop", Pod: "cart-0", Container: "app"}
		if err := collect.Container(t.Context(), c, o, into); err != nil {
			t.Fatal(err)
		}
		if !c.Running() {
			t.Fatalf("it ended: %s", c.Said())
		}
		if started {
			return into
		}
		perf, _ := reading.Of(into.Files).Read["perf"].(map[string]any)
		collections, _ := perf["collections"].(int64)
		started = collections > 0
		time.Sleep(100 * time.Millisecond)
	}
}

// manager lets the registry set a security manager, which Java 18 to 23 refuse without and others
// know nothing of.
func manager(java string) []string {
	option := "-Djava.security.manager=allow"
	if exec.Command(java, option, "-version").Run() == nil {
		return []string{option}
	}
	return nil
}

func TestRealJVMs(t *testing.T) {
	e := defaults.Engine(t)
	for _, java := range javas(t) {
		t.Run(strings.Trim(strings.ReplaceAll(java, "/", "-"), "-"), func(t *testing.T) {
			command := slices.Concat([]string{java}, registry, manager(java),
				[]string{"-XX:NativeMemoryTracking=summary", program, "0"})
			// With this jcmd would print what it picked up.
			environment := []string{"JAVA_TOOL_OPTIONS=-Dsecret=swordfish"}
			c := start(t, cage.Limits{MemoryBytes: 400 << 20, MilliCPU: 400}, environment, command...)
			if c == nil {
				return
			}
			into := collected(t, c, collect.Options{Timeout: 10 * time.Minute})
			for name, text := range into.Files {
				if strings.Contains(text, "hunter2") || strings.Contains(text, "swordfish") {
					t.Errorf("%s tells what the command line or the environment holds", name)
				}
			}
			if len(into.Problems) > 0 || len(into.Notes) > 0 {
				t.Fatalf("problems %q, notes %q", into.Problems, into.Notes)
			}
			report, err := diagnose.Judge(t.Context(), e, into)
			if err != nil {
				t.Fatal(err)
			}
			assess(t, report, into)
			if t.Failed() {
				var table bytes.Buffer
				_ = diagnose.WriteTable(&table, []*diagnose.Report{report}, false, 120)
				t.Logf("missing %q\n%s", into.Missing, table.String())
			}
		})
	}
}

// assess holds the report of a registry to what is known of it.
func assess(t *testing.T, report *diagnose.Report, into *collect.Collection) {
	t.Helper()
	checks := map[string]engine.Check{}
	for _, check := range report.Checks {
		checks[check.Check] = check
	}
	for _, name := range []string{"memory", "oom-kills", "heap-after-gc", "metaspace", "threads"} {
		if c := checks[name]; c.Status != engine.StatusOK {
			t.Errorf("%s: %+v", name, c)
		}
	}
	c := checks["cpu-throttled"]
	if c.Status == engine.StatusUnknown || !strings.Contains(c.Message, "since the container started") {
		t.Errorf("a start under a quota: %+v", c)
	}
	for name, limit := range map[string]string{"memory": "of 400 MiB", "heap-after-gc": "of 64 MiB"} {
		if !strings.Contains(checks[name].Message, limit) {
			t.Errorf("%s is not %s: %q", name, limit, checks[name].Message)
		}
	}
	if _, told := into.Files[reading.Flags]; !told {
		if why := into.Missing[reading.Flags]; why != "jcmd: the image does not have it" {
			t.Errorf("no flags: %q", why)
		}
		return
	}
	c = checks["direct-memory"]
	if c.Status == engine.StatusUnknown && strings.Contains(c.Message, "before Java 11") {
		return
	}
	if c.Status != engine.StatusOK || !strings.Contains(c.Message, "of 16 MiB: MaxDirectMemorySize") {
		t.Errorf("direct memory: %+v", c)
	}
}

// A second JVM must not be what gets the container killed.
func TestNoJcmdWhereMemoryIsShort(t *testing.T) {
	java := javas(t)[0]
	command := slices.Concat([]string{java, "-Xmx16m", "-Xmn1m"}, manager(java), []string{program, "0"})
	c := start(t, cage.Limits{MemoryBytes: 90 << 20}, nil, command...)
	if c == nil {
		return
	}
	into := collected(t, c, collect.Options{Timeout: 10 * time.Minute})
	if why := into.Missing[reading.Flags]; !strings.Contains(why, "jcmd was not started: only") {
		t.Errorf("VM.flags: %q, missing: %q", into.Files[reading.Flags], why)
	}
	if into.Files[reading.PerfCounters] == "" {
		t.Errorf("the counters take no memory: %q", into.Missing)
	}
}
