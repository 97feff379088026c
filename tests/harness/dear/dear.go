// Package dear makes Pods that cost a reader of strangers' objects as much as their size allows.
package dear

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Pod is a Pod in JSON of about so many bytes, of a kind that Kinds names. Those of another seed are others, so that no
// cache knows them.
func Pod(kind string, bytes, seed int) string {
	s := scale{bytes, seed}
	switch make := kinds[kind]; {
	case make != nil:
		return s.pod("", "", make(s))
	case annotations[kind] != "":
		return s.pod("", ","+s.list(annotations[kind]), `"containers":[{"name":"a"}]`)
	default:
		return s.pod(`"labels":{`+s.list(`"l%d":""`)+`},`, "", `"containers":[{"name":"a"}]`)
	}
}

// Kinds are what can be dear about a Pod, sorted.
func Kinds() []string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(kinds)), maps.Keys(annotations))
	return slices.Sorted(slices.Values(append(names, "labels")))
}

type scale struct{ bytes, seed int }

// kinds make the spec of a Pod.
var kinds = map[string]func(s scale) string{
	"containers":         containers(`{"name":"c%d","image":"eclipse-temurin:17","command":["java","-Xmx1g"]}`),
	"JVMs with scripts":  containers(scripted),
	"JVMs with flags":    containers(flagged),
	"small containers":   containers(`{"name":"c%d"}`),
	"init containers":    around(`"containers":[{"name":"a"}],"initContainers":[`, `{"name":"c%d","restartPolicy":"Always"}`, `]`),
	"volumes":            around(`"containers":[{"name":"a"}],"volumes":[`, `{"name":"v%d","emptyDir":{"medium":"Memory"}}`, `]`),
	"flags":              text(`"env":[{"name":"JAVA_TOOL_OPTIONS","value":"`, flags, `"}]`),
	"flags that differ":  text(`"env":[{"name":"JAVA_TOOL_OPTIONS","value":"`, `-XX:Flag%d=%d `, `"}]`),
	"one word of an env": text(`"env":[{"name":"JAVA_OPTS","value":"`, strings.Repeat("x", chunk), `"}]`),
	"many references":    text(`"args":["`, `$(A%d)`, `"],"env":[{"name":"A1","value":"-Xmx1g"}]`),
	"files of flags":     list(`"command":["java",`, `"@f%d"`, `]`),
	"arguments":          list(`"command":["java"],"args":[`, `"-Da%d=%d"`, `]`),
	"references":         list(`"command":["java"],"env":[`, `{"name":"A%d","value":"$(B%d)"}`, `]`),
	"variables":          list(`"env":[`, `{"name":"A%d"}`, `]`),
	"ports":              list(`"ports":[`, `{"containerPort":%d}`, `]`),
	"mounts":             list(`"volumeMounts":[`, `{"name":"v%d","mountPath":"/%d"}`, `]`),
	"resources":          list(`"resources":{"limits":{`, `"a%d":"1"`, `}}`),
	"lists":              list(`"x":[`, `[]`, `]`),
	"numbers":            list(`"x":[`, `1`, `]`),
	"keys":               list(`"x":{`, `"%d":1`, `}`),
	"depth":              list(`"x":[`, strings.Repeat("[", 150)+strings.Repeat("]", 150), `]`),
	"quotes":             script(strings.Repeat(`\"`, chunk)),
	"quotes that end":    script(`\"a%d\" `),
	"exports":            script(`export A%d=$A%d; `),
	"a script of javas":  script(`java ` + flags + `-jar a%d.jar\n`),
	"a script of ifs":    script(`if [ -n \"$A%d\" ]; then B=\"$B $A%d\"; fi\n`),
	"substitutions":      script(`A=$(echo ${B%d:-x}) `),
	"here documents":     script(`cat <<E%d\nx\nE%d\n`),
	"options":            script("`-"),
	"backslashes":        script(strings.Repeat(`\\`, chunk)),
	"one line":           script(strings.Repeat("x", chunk)),
	"semicolons":         script(strings.Repeat(";", chunk)),
	"escapes":            script(`\u00e9`),
}

// annotations are kinds whose Pods have many of one annotation.
var annotations = map[string]string{
	"classes":    `"class.headroom.dev/c%d":"batch"`,
	"exemptions": `"ignore.headroom.dev/HR%d":"a reason"`,
	"averages":   `"cpu-average.headroom.dev/c%d":"1%d"`,
}

const (
	chunk     = 1000
	flags     = `-Xmx%dm -Xms1m -XX:MaxMetaspaceSize=100m -XX:+UseG1GC `
	resources = `"resources":{"limits":{"cpu":"2","memory":"1Gi"},"requests":{"cpu":"1"}}}`
	scripted  = `{"name":"c%d","image":"eclipse-temurin:17","command":["sh","-c",` +
		`"export A=-Xmx%dm; exec java $A -XX:+UseG1GC -jar a.jar"],` + resources
	flagged = `{"name":"c%d","command":["java","-jar","a.jar"],` +
		`"env":[{"name":"JAVA_TOOL_OPTIONS","value":"` + flags + `"}],` + resources
)

func around(before, each, after string) func(scale) string {
	return func(s scale) string { return before + s.list(each) + after }
}

func containers(each string) func(scale) string { return around(`"containers":[`, each, `]`) }

const one, end = `"containers":[{"name":"app","image":"eclipse-temurin:17",`, `}]`

func list(before, each, after string) func(scale) string { return around(one+before, each, after+end) }

func text(before, each, after string) func(scale) string {
	return func(s scale) string { return one + before + s.joined(each, "") + after + end }
}

func script(each string) func(scale) string { return text(`"command":["sh","-c","`, each, `"]`) }

// pod has the annotation of a class, and more of them.
func (s scale) pod(metadata, annotations, spec string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p",%s"annotations":{`+
		`"headroom.dev/workload-class":"latency-sensitive","seed":"%d"%s}},"spec":{%s}}`, metadata, s.seed, annotations, spec)
}

func (s scale) list(each string) string { return s.joined(each, ",") }

// joined repeats a text until it is long enough; each %d is the number of the repetition.
func (s scale) joined(each, between string) string {
	var b strings.Builder
	parts := strings.Split(each, "%d")
	for i := 0; i == 0 || b.Len() < s.bytes; i++ {
		if i > 0 {
			b.WriteString(between)
		}
		b.WriteString(strings.Join(parts, strconv.Itoa(i)))
	}
	return b.String()
}
