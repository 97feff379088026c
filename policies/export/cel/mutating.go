package cel

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Mutation is an expression that gives the JSON patch of a Pod. It holds its variables as well,
// so that each can be taken alone; none depends on another having come before it.
type Mutation struct {
	Name, Title, Description string
	Rules                    []string // whose findings it fixes
	Expression               string
}

var mutations = []Mutation{
	{
		Name: "active-processor-count", Title: "ActiveProcessorCount for JVMs without a CPU limit",
		Description: "Puts -XX:ActiveProcessorCount behind java in the command of new Pods, else in front of their JAVA_TOOL_OPTIONS. Only of " +
			"a JVM that is one for sure, whose flags are all visible, whose release an annotation tells, and that would not be worse off with it.",
		Rules: []string{"HR402"},
	},
	{
		Name: "cpu-matrix", Title: "CPU requests and limits as the class of a container wants them",
		Description: "Sets or removes the CPU limits and requests of new Pods as the matrix of classes has it. A limit goes only where " +
			"it is known what runs in the container; a JVM gets its ActiveProcessorCount in the same patch. " +
			"LimitRanges and ResourceQuotas are out of sight of CEL: where the namespace has some for CPU, use the webhook.",
		Rules: []string{"HR201", "HR202", "HR204", "HR205", "HR206", "HR207"},
	},
	{
		Name: "memory-request", Title: "Memory requests raised to the limits",
		Description: "Raises requests.memory of new Pods to limits.memory. ResourceQuotas are out of sight of CEL: where the namespace has one " +
			"for memory, use the webhook.",
		Rules: []string{"HR302"},
	},
}

// firstOfMutations is the first variable of the model that only mutations use.
const firstOfMutations = "jvm_complaints"

// mutations adds what the mutations need to the model: the findings that they go by, and the JVMs
// as they would be.
func (s *Set) mutations(parts *fragments, say func(string) string) error {
	known, err := s.known(parts, say)
	if err != nil {
		return err
	}
	at, then := s.place(firstOfMutations), s.place("jvms_then")
	if at < 0 || then < at {
		return errors.New("the CEL model has no JVMs that mutations could change")
	}
	s.Model = slices.Concat(s.Model[:at], known, s.Model[at:then+1], s.Then(), s.Model[then+1:])
	for _, m := range mutations {
		expression, err := parts.read("export/cel/mutate/" + m.Name + ".cel")
		if err != nil {
			return err
		}
		m.Expression = say(expression)
		s.Mutations = append(s.Mutations, m)
	}
	return nil
}

// known are the findings of the rules that mutations go by; none of a rule that is turned off. The
// classes that a namespace does not allow count, even if a workload is exempt from that finding.
func (s *Set) known(parts *fragments, say func(string) string) ([]Variable, error) {
	refused, err := parts.read("export/cel/rules/class-not-allowed.cel")
	if err != nil {
		return nil, err
	}
	variables := []Variable{{"class_not_allowed", say(refused)}}
	for _, m := range mutations {
		for _, id := range m.Rules {
			v := Variable{strings.ToLower(id), "[]"}
			if i := slices.IndexFunc(s.Rules, func(r Rule) bool { return r.ID == id }); i >= 0 {
				v = s.Rules[i].Variable()
			}
			variables = append(variables, v)
		}
	}
	return variables, nil
}

var ofJVMs = regexp.MustCompile(`\bvariables\.(jvms|jvm_\w+)\b`)

// Then is the model of the JVMs once more, for variables.jvms_then: jvm_gc_then is to jvms_then
// what jvm_gc is to jvms.
func (s *Set) Then() []Variable {
	first, end := s.place("jvms"), s.place("jvms_then")
	var list []Variable
	copied := map[string]bool{"jvms": true}
	for _, v := range s.Model[first+1 : end] {
		uses := ofJVMs.FindAllStringSubmatch(v.Expression, -1)
		if !slices.ContainsFunc(uses, func(m []string) bool { return copied[m[1]] }) || !strings.HasPrefix(v.Name, "jvm_") {
			continue
		}
		copied[v.Name] = true
		list = append(list, Variable{v.Name + "_then", ofJVMs.ReplaceAllStringFunc(v.Expression, func(used string) string {
			if copied[strings.TrimPrefix(used, "variables.")] {
				return used + "_then"
			}
			return used
		})})
	}
	return list
}

func (s *Set) place(name string) int {
	return slices.IndexFunc(s.Model, func(v Variable) bool { return v.Name == name })
}

type mutatingSpec struct {
	FailurePolicy string     `yaml:"failurePolicy"`
	Reinvocation  string     `yaml:"reinvocationPolicy"`
	Match         Match      `yaml:"matchConstraints"`
	Variables     []Variable `yaml:"variables"`
	Mutations     []Patch    `yaml:"mutations"`
}

// Patch is a mutation as the API server and Kyverno read it.
type Patch struct {
	Type string `yaml:"patchType"`
	JSON struct {
		Expression string `yaml:"expression"`
	} `yaml:"jsonPatch"`
}

// Patches are the one patch that a mutation is.
func (m Mutation) Patches() []Patch {
	p := Patch{Type: "JSONPatch"}
	p.JSON.Expression = m.Expression
	return []Patch{p}
}

// Mutable are the namespaces whose new Pods may be changed, as the webhook has them: in mode off
// nothing is, whatever the other label says.
var Mutable = selector{Expressions: []requirement{
	{"kubernetes.io/metadata.name", "NotIn", []string{"kube-system", "kube-public", "kube-node-lease"}},
	{"headroom.dev/mutate", "In", []string{"enabled"}},
	{modeLabel, "NotIn", []string{"off"}},
}}

// Mutating is the set as MutatingAdmissionPolicies, each bound to the namespaces that ask for it. A
// mutation that fails leaves the Pod as it is. Another plugin may add a container later: then they are
// asked again, and change no more than is new.
func (s *Set) Mutating() ([]byte, error) {
	var documents []document
	for _, m := range s.Mutations {
		named := Metadata{Name: "headroom-" + m.Name, Labels: Labels, Annotations: map[string]string{
			"headroom.dev/description": m.Description, "headroom.dev/rules": strings.Join(m.Rules, ","),
		}}
		documents = append(documents,
			document{apiVersion, "MutatingAdmissionPolicy", named, mutatingSpec{
				FailurePolicy: "Ignore", Reinvocation: "IfNeeded", Match: Pods,
				Variables: Needs(s.Model, m.Expression), Mutations: m.Patches(),
			}},
			document{
				apiVersion, "MutatingAdmissionPolicyBinding",
				Metadata{Name: named.Name, Labels: Labels},
				bindingSpec{PolicyName: named.Name, MatchResources: &matchResources{Mutable}},
			},
		)
	}
	text, err := yamlOf(documents...)
	if err != nil {
		return nil, fmt.Errorf("mutations: %w", err)
	}
	return text, nil
}
