//go:build integration

package converge_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-openapi/jsonpointer"
)

// A way does to an object what a text of a finding says. It is false where the text gives no number.
type way func(p place, text string) (bool, error)

// ways is how the advice of each rule is followed. Advice that is missing here is not tested yet.
var ways = map[string]way{
	"HR201": resources, "HR202": withoutLimit, "HR203": resources, "HR204": resources,
	"HR205": resources, "HR206": resources, "HR207": resources, "HR210": both(flags, resources), "HR302": resources,
	"HR402": flags, "HR403": flags, "HR404": flags, "HR405": flags,
	"HR414": serial, "HR501": variables,
	"HR502": first(annotation, workers, resources), "HR503": variables,
}

// seldom are the rules whose findings in the project's manifests all lack a number.
var seldom = map[string]bool{"HR210": true} // random Pods declare a pause

// openEnded is advice without a number, where a measurement, or a decision of somebody's, has to give it, and advice
// to follow another rule's.
var openEnded = regexp.MustCompile(strings.Join([]string{
	"which was not measured", "not known yet", "at its (average|peak) CPU use", "× the average CPU use",
	"^limits.cpu, so that", "^limits.cpu; headroom.dev/cpu-allocation", "^CPU limits of", "^headroom.dev/cpu-allocation: ",
	"^-XX:ParallelGCThreads at twice the cores", "^limits.cpu at the request, where the peak", "^shorter pauses", "headroom annotate measures it", "near its measured peak$",
	"^-XX:ActiveProcessorCount( in [A-Z_a-z]+| right behind java in the command)? \\(HR402\\)", "^GOMAXPROCS: twice the measured average",
	"^GOMEMLIMIT: 90 % of limits.memory, with", "^no limits.cpu \\(HR202\\)", "^another limit than its class asks for",
	"^the annotation [^ ]+ with the measured need of one, and limits.cpu for all",
}, "|"))

// first takes the first of several ways that knows what to do.
func first(several ...way) way {
	return func(p place, text string) (bool, error) {
		for _, one := range several {
			if done, err := one(p, text); done || err != nil {
				return done, err
			}
		}
		return false, nil
	}
}

// both does what each of two ways knows.
func both(one, other way) way {
	return func(p place, text string) (bool, error) {
		a, err := one(p, text)
		if err != nil {
			return false, err
		}
		b, err := other(p, text)
		return a || b, err
	}
}

func child(parent map[string]any, name string) map[string]any {
	if found, ok := parent[name].(map[string]any); ok {
		return found
	}
	made := map[string]any{}
	parent[name] = made
	return made
}

// amount is requests.cpu: 500m, requests.cpu and limits.cpu: 2, requests.cpu = limits.cpu = 2, and
// limits.cpu: its measured peak, 100m.
var amount = regexp.MustCompile(
	`((?:(?:requests|limits)\.(?:cpu|memory)(?: of the Pod)?(?: and | = )?)+)(?:: |)(?:its measured (?:average|peak), )?([0-9][0-9.]*[A-Za-z]*)`)

var field = regexp.MustCompile(`(requests|limits)\.(cpu|memory)`)

func resources(p place, text string) (bool, error) {
	done := false
	for _, found := range amount.FindAllStringSubmatch(text, -1) {
		owner, err := p.owner()
		if err != nil {
			return false, err
		}
		if !strings.Contains(found[1], "of the Pod") && !strings.Contains(p.finding.Path, "/resources") {
			if owner, err = p.container(); err != nil {
				return false, err
			}
		}
		for _, name := range field.FindAllStringSubmatch(found[1], -1) {
			child(child(owner, "resources"), name[1])[name[2]] = found[2]
		}
		done = true
	}
	if !done || !strings.Contains(text, "no limits.cpu") {
		return done, nil
	}
	if _, err := withoutLimitOfAnother(p, text); err != nil {
		return false, err
	}
	_, err := flags(p, text)
	return true, err
}

// withoutLimit takes the limit away that the finding points to, and sets the flags that the text names.
func withoutLimit(p place, text string) (bool, error) {
	if !strings.HasPrefix(text, "no CPU limit") {
		return false, nil
	}
	owner, err := p.owner()
	if err != nil {
		return false, err
	}
	delete(child(child(owner, "resources"), "limits"), "cpu")
	if _, err = resources(p, text); err != nil {
		return false, err
	}
	_, err = flags(p, text)
	return true, err
}

// withoutLimitOfAnother is advice to do what HR202 wants first.
func withoutLimitOfAnother(p place, text string) (bool, error) {
	if !strings.Contains(text, "no limits.cpu") {
		return false, nil
	}
	c, err := p.container()
	if err != nil {
		return false, err
	}
	delete(child(child(c, "resources"), "limits"), "cpu")
	return true, nil
}

var flagWanted = regexp.MustCompile(`-XX:([A-Za-z]+)=[0-9]+|-XX:[+]([A-Za-z0-9]+)`)

// placeWanted is the variable that the text names.
var placeWanted = regexp.MustCompile(` in ([A-Z_][A-Z0-9_]*)\b`)

// flags puts each flag in the place of what stands there, wherever that is, or into the variable that the
// text names, or into JAVA_TOOL_OPTIONS.
func flags(p place, text string) (bool, error) {
	found := flagWanted.FindAllStringSubmatch(strings.SplitN(text, ", at most ", 2)[0], -1)
	if len(found) == 0 {
		return false, nil
	}
	c, err := p.container()
	if err != nil {
		return false, err
	}
	for _, flag := range found {
		there := regexp.MustCompile(`-XX:` + flag[1] + `=[^\s"']*`)
		if flag[2] != "" {
			there = regexp.MustCompile(`-XX:[+-]` + flag[2] + `\b`)
		}
		replaced := false
		replace := func(text string) string {
			replaced = replaced || there.MatchString(text)
			return there.ReplaceAllString(text, flag[0])
		}
		eachText(c, replace)
		if replaced {
			continue
		}
		if place := placeWanted.FindStringSubmatch(text); place != nil {
			prepend(c, place[1], flag[0])
		} else if !behindJava(c, flag[0]) {
			prepend(c, "JAVA_TOOL_OPTIONS", flag[0])
		}
	}
	return true, nil
}

// serial takes another collector, in the place of the one that a flag asks for.
func serial(p place, text string) (bool, error) {
	wanted, inPlace, _ := strings.Cut(text, " in place of ")
	c, err := p.container()
	if err != nil {
		return false, err
	}
	if inPlace != "" {
		eachText(c, func(text string) string { return strings.ReplaceAll(text, "-XX:+UseSerialGC", "") })
		words, _ := c["command"].([]any)
		if len(words) > 0 {
			c["command"] = slices.DeleteFunc(words, func(word any) bool { return word == "" })
		}
	}
	if _, err := flags(p, wanted); err != nil {
		return false, err
	}
	return both(resources, limitOfMemory)(p, text)
}

// memoryWanted is limits.memory of 2304Mi (and requests.memory).
var memoryWanted = regexp.MustCompile(`limits\.memory of ([0-9]+Mi)`)

func limitOfMemory(p place, text string) (bool, error) {
	found := memoryWanted.FindStringSubmatch(text)
	if found == nil {
		return true, nil
	}
	c, err := p.container()
	if err != nil {
		return false, err
	}
	for _, list := range []string{"limits", "requests"} {
		child(child(c, "resources"), list)["memory"] = found[1]
	}
	return true, nil
}

// behindJava puts a flag on the command line where that mentions the variable itself.
func behindJava(c map[string]any, flag string) bool {
	words, _ := c["command"].([]any)
	if line := fmt.Sprint(words, c["args"]); !strings.Contains(line, "JAVA_TOOL_OPTIONS") {
		return false
	}
	for i, word := range words {
		text, _ := word.(string)
		if text == "java" || strings.HasSuffix(text, "/java") {
			c["command"] = slices.Insert(words, i+1, any(flag))
			return true
		}
		if strings.Contains(text, "java ") {
			words[i] = strings.Replace(text, "java ", "java "+flag+" ", 1)
			return true
		}
	}
	return false
}

// eachText changes the command and the variables of a container.
func eachText(c map[string]any, change func(string) string) {
	for _, list := range []string{"command", "args"} {
		words, _ := c[list].([]any)
		for i, word := range words {
			if text, ok := word.(string); ok {
				words[i] = change(text)
			}
		}
	}
	env, _ := c["env"].([]any)
	for _, one := range env {
		entry, _ := one.(map[string]any)
		if text, ok := entry["value"].(string); ok {
			entry["value"] = change(text)
		}
	}
}

func prepend(c map[string]any, name, text string) {
	env, _ := c["env"].([]any)
	for i := len(env) - 1; i >= 0; i-- {
		entry, _ := env[i].(map[string]any)
		if entry["name"] != name {
			continue
		}
		before, _ := entry["value"].(string)
		entry["value"] = strings.TrimSpace(text + " " + before)
		delete(entry, "valueFrom")
		return
	}
	c["env"] = append(env, map[string]any{"name": name, "value": text})
}

// variableWanted is GOMAXPROCS: "2" (limits.cpu rounded up), and GOMEMLIMIT: 460MiB.
var variableWanted = regexp.MustCompile(`^(GOMAXPROCS|GOMEMLIMIT): "?([0-9]+[A-Za-z]*)"?(?: \(|,|$)`)

func variables(p place, text string) (bool, error) {
	found := variableWanted.FindStringSubmatch(text)
	if found == nil {
		return false, nil
	}
	c, err := p.container()
	if err != nil {
		return false, err
	}
	env, _ := c["env"].([]any)
	var kept []any
	for _, one := range env {
		if entry, _ := one.(map[string]any); entry["name"] != found[1] {
			kept = append(kept, one)
		}
	}
	c["env"] = append(kept, map[string]any{"name": found[1], "value": found[2]})
	return true, nil
}

var annotationWanted = regexp.MustCompile(`^the annotation (\S+)(?:, where one needs| with the measured need of one:) ([0-9]+m?) or less`)

func annotation(p place, text string) (bool, error) {
	found := annotationWanted.FindStringSubmatch(text)
	if found == nil {
		return false, nil
	}
	template, err := p.template()
	if err != nil {
		return false, err
	}
	child(child(template, "metadata"), "annotations")[found[1]] = found[2]
	return true, nil
}

var fewer = regexp.MustCompile(`^at most ([0-9]+) (?:worker|thread)s?`)

// workers writes another number where the finding points to: the value, or the word behind the option. What a
// ConfigMap says does not stand in the object.
func workers(p place, text string) (bool, error) {
	found := fewer.FindStringSubmatch(text)
	if found == nil {
		return false, nil
	}
	if strings.Contains(p.finding.Path, "/envFrom/") {
		return false, nil
	}
	now := fmt.Sprint(p.finding.Figures["workers"])
	number := regexp.MustCompile(`\b` + now + `\b(?:$|\s*$)`)
	pointer := strings.Split(p.finding.Path, "/")
	for range 2 {
		path := strings.Join(pointer, "/")
		value, err := p.at(path)
		if err != nil {
			return false, err
		}
		if text, ok := value.(string); ok && number.MatchString(text) {
			where, err := jsonpointer.New(path)
			if err != nil {
				return false, err
			}
			_, err = where.Set(p.object, number.ReplaceAllString(text, found[1]))
			return true, err
		}
		last, err := strconv.Atoi(pointer[len(pointer)-1])
		if err != nil {
			return false, fmt.Errorf("%v at %s has no %s: %w", value, path, now, err)
		}
		pointer[len(pointer)-1] = strconv.Itoa(last + 1)
	}
	return false, fmt.Errorf("nothing at %s says %s", p.finding.Path, now)
}
