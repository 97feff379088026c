//go:build integration

package scripts

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// record is what an image's file says of its start script, as docs/adding-an-image.md describes it.
type record struct {
	Names   []string `json:"names"`
	Scripts []string `json:"scripts"`
	Tag     string   `json:"tag"`
	VM      string   `json:"vm"`
	Java    []struct {
		Tag     string `json:"tag"`
		Release any    `json:"release"`
		Least   int    `json:"least"`
	} `json:"java"`
	Line     []part    `json:"line"`
	Unsets   []string  `json:"unsets"`
	Drops    bool      `json:"drops_environment"`
	Examples []example `json:"examples"`
}

type part struct {
	Options  string `json:"options"`
	Script   string `json:"script"`
	Variable string `json:"variable"`
	Size     string `json:"size"`
	Percent  *int   `json:"percent"`
	Of       string `json:"of"`
	Least    int    `json:"least"`
	Most     int    `json:"most"`
	Becomes  string `json:"becomes"`
	Unit     string `json:"unit"`
	File     string `json:"file"`
	Argument string `json:"argument"`
	Default  any    `json:"default"`
	Unknown  string `json:"unknown"`
	When     struct {
		Tag    *string           `json:"tag"`
		Words  *string           `json:"words"`
		Lack   *string           `json:"not_words"`
		Option *string           `json:"option"`
		Other  *string           `json:"not_option"`
		Set    string            `json:"set"`
		Unset  string            `json:"unset"`
		Equals map[string]string `json:"equals"`
		Lacks  string            `json:"lacks"`
	} `json:"when"`
}

type example struct {
	Image   string            `json:"image"`
	Env     map[string]string `json:"env"`
	Command []string          `json:"command"`
	Args    []string          `json:"args"`
	Limit   string            `json:"limit"`
}

// tag is what stands behind the last colon of the image.
func (e example) tag() string {
	_, tag, _ := strings.Cut(e.Image[strings.LastIndex(e.Image, "/")+1:], ":")
	return tag
}

// script is a start script in POSIX shell that does what the record says of the image's own. It ends in java with the
// options of the line, which prints what it makes of them. The limit is in bytes.
func (r record) script(e example, limit int64) string {
	var b strings.Builder
	b.WriteString("set --\nshare() { m=$(($1 * $2 / 104857600)); [ $m -lt $3 ] && m=$3; [ $m -gt $4 ] && m=$4; echo $m; }\n")
	words := strings.Join(slices.Concat(e.Command, e.Args), " ")
	options := regexp.MustCompile(`(?:^| )(--?[a-z-]+(?:=| [^- ])\S*)`).FindAllString(words, -1)
	has := func(pattern *string) bool {
		return pattern != nil && slices.ContainsFunc(options, func(option string) bool { return matches(pattern, strings.TrimSpace(option)) })
	}
	for i, p := range r.Line {
		if !matches(p.When.Tag, e.tag()) || !matches(p.When.Words, words) || p.When.Lack != nil && matches(p.When.Lack, words) || p.Unknown != "" ||
			p.When.Option != nil && !has(p.When.Option) || has(p.When.Other) {
			continue
		}
		made := p.shell(limit)
		if p.Argument != "" {
			made = p.argument(options)
		}
		fmt.Fprintf(&b, "if true%s; then\n%s\nfi\n", r.conditions(i), made)
	}
	for _, name := range r.Unsets {
		fmt.Fprintf(&b, "unset %s\n", name)
	}
	if r.Drops {
		b.WriteString("exec env -i ")
	}
	// The machine has another memory than the container; a heap that is touched would fill it.
	fmt.Fprintf(&b, "\"$JAVA\" \"$@\" -XX:MaxRAM=%d -XX:-AlwaysPreTouch -XX:+PrintFlagsFinal -version\n", limit)
	return b.String()
}

func matches(pattern *string, text string) bool {
	return pattern == nil || regexp.MustCompile(*pattern).MatchString(text)
}

// conditions are those of a part that the environment decides.
func (r record) conditions(at int) string {
	p := r.Line[at]
	var b strings.Builder
	if p.When.Set != "" {
		fmt.Fprintf(&b, ` && [ -n "$%s" ]`, p.When.Set)
	}
	if p.When.Unset != "" {
		fmt.Fprintf(&b, ` && [ -z "$%s" ]`, p.When.Unset)
	}
	for name, value := range p.When.Equals {
		fmt.Fprintf(&b, ` && [ "$%s" = '%s' ]`, name, value)
	}
	if p.When.Lacks != "" {
		for _, other := range r.Line[:at] {
			if other.Variable != "" {
				fmt.Fprintf(&b, ` && [ "${%s#*%s}" = "$%s" ]`, other.Variable, p.When.Lacks, other.Variable)
			}
		}
	}
	return b.String()
}

// shell puts what the part says on java's line.
func (p part) shell(limit int64) string {
	given := ""
	if p.Default != nil {
		given = fmt.Sprint(p.Default)
	}
	switch {
	case p.Options != "":
		return put(p.Options)
	case p.File != "":
		return put(given)
	case p.Percent != nil && p.Of == "node":
		return ":" // it takes what the node has
	case p.Percent != nil:
		most := p.Most
		if most == 0 {
			most = 1e9
		}
		percent := strconv.Itoa(*p.Percent)
		if p.Variable != "" {
			percent = fmt.Sprintf("${%s:-%s}", p.Variable, percent)
		}
		return fmt.Sprintf("p=%s; if [ \"$p\" != 0 ]; then v=$(share %d $p %d %d); %s; fi", percent, limit, p.Least, most, becomes(p.Becomes))
	case p.Size != "":
		return fmt.Sprintf("v=${%s:-%s}; %sif [ -n \"$v\" ]; then %s; fi", p.Size, given, p.withUnit(), becomes(p.Becomes))
	case p.Becomes != "":
		return fmt.Sprintf("v=${%s:-%s}; if [ -n \"$v\" ]; then %s; fi", p.Variable, given, becomes(p.Becomes))
	}
	return fmt.Sprintf("if [ -n \"$%[1]s\" ]; then set -- \"$@\" $%[1]s; else %[2]s; fi", p.Variable, put(given))
}

// argument puts what the last such option says on java's line.
func (p part) argument(options []string) string {
	made := ":"
	for _, option := range options {
		if found := regexp.MustCompile(p.Argument).FindStringSubmatch(strings.TrimSpace(option)); found != nil {
			made = put(strings.ReplaceAll(p.Becomes, "{}", found[1]))
		}
	}
	return made
}

// withUnit gives a bare number the unit that the script adds.
func (p part) withUnit() string {
	if p.Unit == "" {
		return ""
	}
	return fmt.Sprintf(`case $v in ""|*[!0-9]*) ;; *) v=$v%s ;; esac; `, p.Unit)
}

func becomes(flags string) string {
	return "set -- \"$@\" " + strings.ReplaceAll(flags, "{}", "${v}")
}

// inside is what a container of the image alone has: folders, agents and logs in them, which this machine lacks.
var inside = regexp.MustCompile(`/|^-(?:D|javaagent|agent|Xlog|Xloggc|XX:StartFlightRecording|-)|^[^-]`)

func put(options string) string {
	var kept []string
	for _, word := range strings.Fields(options) {
		if !inside.MatchString(word) {
			kept = append(kept, "'"+word+"'")
		}
	}
	return `set -- "$@" ` + strings.Join(kept, " ")
}

// release is the JVM's for a tag: that of the image, or the least that its program takes.
func (r record) release(tag string) int {
	for _, j := range r.Java {
		found := regexp.MustCompile(j.Tag).FindStringSubmatch(tag)
		if found == nil {
			continue
		}
		switch release := j.Release.(type) {
		case float64:
			return int(release)
		case string:
			n, _ := strconv.Atoi(found[1])
			return n
		}
		return j.Least
	}
	return 8
}

func bytesOf(quantity string) int64 {
	q := resource.MustParse(quantity)
	return q.Value()
}
