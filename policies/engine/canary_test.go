package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/search"
)

// The canary stands wherever a value may be secret. Nothing that headroom says may have it.
const canary = "kanarie"

// flagsOfJVMs are the names of the flag table.
func flagsOfJVMs(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../rego/headroom/runtime/jvm/flag_table.rego")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, found := range regexp.MustCompile(`(?m)^\t"([A-Z][A-Za-z0-9]+)": \["[bnidsu]"`).FindAllStringSubmatch(string(text), -1) {
		names = append(names, found[1])
	}
	if len(names) < 300 {
		t.Fatalf("%d flags in the table", len(names))
	}
	return names
}

// spoilt is a value with a canary in one of many places.
func spoilt(r *rand.Rand) string {
	return a(r, []string{
		canary, canary + "1", "1" + canary, "4g" + canary, canary + "g", "-1" + canary, "50" + canary + "%", "1." + canary,
		"'" + canary, `"` + canary + `"`, canary + " " + canary, "/x/" + canary, "$" + canary, "$(" + canary + ")", "${" + canary + "}",
		"a=" + canary, canary + "=a", "a:" + canary, "a," + canary + ",b", "+" + canary, "auto" + canary, "\u200b" + canary, "\n" + canary,
		"off," + canary, "true " + canary, "{{" + canary + "}}", "<" + canary + ">", "0x" + canary, "1e" + canary, "1Gi" + canary,
	})
}

// option is one argument of a JVM.
func option(r *rand.Rand, flags []string) string {
	name := a(r, flags)
	return a(r, []string{
		"-XX:" + name + "=" + spoilt(r), "-XX:" + name + "=" + spoilt(r), "-XX:+" + name + " " + spoilt(r), "-XX:-" + name + "=" + spoilt(r),
		"-XX:" + name + ":" + spoilt(r), "-XX:+" + name, "-XX:" + name + "=1", "-XX:" + name, "-XX:" + spoilt(r), "-XX:" + spoilt(r) + "=1",
		"-Xmx" + spoilt(r), "-Xms" + spoilt(r), "-Xss" + spoilt(r), "-Xmn" + spoilt(r), "-Xlog:" + spoilt(r), "-X" + spoilt(r), "-Xloggc:" + spoilt(r),
		"-D" + spoilt(r), "-Da=" + spoilt(r), "-javaagent:" + spoilt(r), "-agentlib:" + spoilt(r), "-agentpath:" + spoilt(r), "--" + spoilt(r),
		"-" + spoilt(r), "@" + spoilt(r), "-cp", "-jar", spoilt(r), "-Xbootclasspath:" + spoilt(r), "--add-opens=" + spoilt(r), "-verbose:" + spoilt(r),
		"-XX:OnOutOfMemoryError=" + spoilt(r), "-XX:Flags=" + spoilt(r), "-XX:VMOptionsFile=" + spoilt(r), "-XX:MaxRAMPercentage=" + spoilt(r),
		"-XX:ActiveProcessorCount=" + spoilt(r), "-Xmx1g", "-Xmx2g", "-XX:+UseSerialGC", "-XX:+UseG1GC", "-ea:" + spoilt(r), "-XX:GCPauseIntervalMillis=1",
	})
}

func someOptions(r *rand.Rand, flags []string) []string {
	var all []string
	for range 1 + r.IntN(4) {
		one := option(r, flags)
		all = append(all, one)
		if r.IntN(3) == 0 {
			name, _, _ := strings.Cut(one, "=")
			all = append(all, name+"="+spoilt(r)) // twice
		}
	}
	return all
}

// container runs something that headroom reads closely, with canaries in its values.
func canaryContainer(r *rand.Rand, flags, variables, images []string) map[string]any {
	options := someOptions(r, flags)
	line := strings.Join(options, " ")
	env := []any{}
	for range r.IntN(4) {
		value := a(r, []string{spoilt(r), line, "--workers " + spoilt(r) + " -t " + spoilt(r) + ":" + spoilt(r), "1", "2Gi", "off"})
		env = append(env, map[string]any{"name": a(r, variables), "value": value})
	}
	c := map[string]any{"name": "app", "image": a(r, images), "env": env, "resources": map[string]any{
		"requests": map[string]any{"cpu": a(r, []string{"1", "100m"}), "memory": "1Gi"},
		"limits":   map[string]any{"cpu": a(r, []string{"1", "2", "100m"}), "memory": a(r, []string{"1Gi", "256Mi"})},
	}}
	java := append(append([]string{"java"}, options...), a(r, [][]string{{"-jar", spoilt(r)}, {spoilt(r)}, {"-jar", "a.jar", "--token=" + spoilt(r), "-Xmx" + spoilt(r)}})...)
	commands := [][]string{
		nil, nil, java, java,
		{"sh", "-c", strings.Join(java, " ")},
		{"sh", "-c", "export JAVA_TOOL_OPTIONS='" + line + "'; " + strings.Join(java, " ") + " & " + strings.Join(java, " ")},
		{"/run.sh", spoilt(r)},
		append([]string{"env", "A=" + spoilt(r)}, java...),
		{"sh", "-c", "eval " + spoilt(r) + "; exec java $JAVA_OPTS " + line},
		{"gunicorn", "-w", spoilt(r), "--threads", spoilt(r), "--worker-class=" + spoilt(r), "a:b"},
		{"gunicorn", "-w" + spoilt(r)},
		{"puma", "-t", spoilt(r), "-w", spoilt(r)},
		{"uvicorn", "--workers", spoilt(r)},
		{"celery", "worker", "-c", spoilt(r)},
		{"celery", "--concurrency=" + spoilt(r)},
		{"uwsgi", "--processes", spoilt(r)},
		{"node", "--max-old-space-size=" + spoilt(r), spoilt(r)},
		{"pm2-runtime", "-i", spoilt(r)},
		{"sidekiq", "-c", spoilt(r)},
		{"sleep", spoilt(r)},
		{"sh", "-c", "gunicorn -w " + spoilt(r) + " --bind " + spoilt(r)},
		{"unicorn", "-E", spoilt(r)},
	}
	if command := a(r, commands); command != nil {
		at := len(command)
		if r.IntN(3) == 0 {
			at = 1
		}
		c["command"] = toAny(command[:at])
		if at < len(command) {
			c["args"] = toAny(command[at:])
		}
	} else if r.IntN(2) == 0 {
		c["args"] = toAny(java[1:])
	}
	if r.IntN(4) == 0 {
		c["livenessProbe"] = map[string]any{"exec": map[string]any{"command": toAny([]string{"curl", spoilt(r)})}}
	}
	return c
}

func toAny(words []string) []any {
	all := make([]any, len(words))
	for i, word := range words {
		all[i] = word
	}
	return all
}

// Of the values of variables and arguments, only numbers, sizes, the names of flags and the words of closed lists are
// told. That holds for every question and every error.
func TestNoValueIsRepeated(t *testing.T) {
	e := newEngine(t)
	rounds := search.Rounds(6000)
	r := rand.New(rand.NewPCG(search.Seed(t, 15), 3))
	flags := flagsOfJVMs(t)
	known, err := e.Value(t.Context(), "data.headroom.registry.variables")
	if err != nil {
		t.Fatal(err)
	}
	variables := []string{
		"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "JAVA_OPTS", "CATALINA_OPTS", "ES_JAVA_OPTS", "KAFKA_HEAP_OPTS",
		"HEAP", "MAX_HEAP_SIZE", "ZOO_HEAP_SIZE", "MEMORY", "GODEBUG", "PASSWORD",
	}
	for _, name := range known.([]any) {
		variables = append(variables, name.(string))
	}
	images := []string{
		"registry.example.com/app:1", "eclipse-temurin:21", "openjdk:8u111", "elasticsearch:8.1.0", "zookeeper:3.9", "kafka:3", "tomcat:9",
		"jenkins/jenkins:lts", "cassandra:4.1", "bitnami/kafka:3.7",
	}
	seen := map[string]int{}
	shown := map[string]bool{}
	for round := range rounds {
		manifest := map[string]any{
			"apiVersion": "v1", "kind": "Pod",
			"metadata": map[string]any{"name": "web", "annotations": map[string]any{
				"headroom.dev/workload-class": a(r, []string{"latency-sensitive", "batch", "cron"}), "headroom.dev/cpu-average": "300m",
				"runtime.headroom.dev/app": a(r, []string{"", "jvm", "go version=1.24", "native", "ruby"}),
				"jvm.headroom.dev/app":     a(r, []string{"", "version=8", "version=21"}),
				"inject.headroom.dev/app":  "metaspace,direct,codecache,gclog",
			}},
			"spec": map[string]any{"containers": []any{canaryContainer(r, flags, variables, images)}},
		}
		review := Review{Manifest: manifest}
		said := map[string]any{}
		result, err := e.Evaluate(context.Background(), review)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range result.Findings {
			seen[f.Rule]++
			said[fmt.Sprint(f.Rule, " ", len(said))] = f
		}
		if said["explanation"], err = e.Explain(context.Background(), review, ExplainOptions{}); err != nil {
			t.Fatal(err)
		}
		if said["details"], err = e.Details(context.Background(), review); err != nil {
			t.Fatal(err)
		}
		fixed, err := e.Fix(context.Background(), review)
		if err != nil {
			t.Fatal(err)
		}
		said["fix"] = fixed.Applied
		for what, one := range said {
			text, err := json.Marshal(one)
			if err != nil {
				t.Fatal(err)
			}
			if at := strings.Index(string(text), canary); at >= 0 {
				where := strings.TrimRight(what, "0123456789 ")
				near := string(text[max(0, at-160):min(len(text), at+60)])
				if key := where + regexp.MustCompile(`[^ ]*`+canary+`[^ ]*`).ReplaceAllString(near[100:], ""); len(shown) < 40 && !shown[key] {
					shown[key] = true
					t.Errorf("round %d, %s: …%s…", round, where, near)
				}
			}
		}
	}
	rules := []string{}
	for rule, n := range seen {
		rules = append(rules, fmt.Sprintf("%s %d", rule, n))
	}
	slices.Sort(rules)
	t.Logf("%d containers, findings: %v", rounds, rules)
}
