package cel

import (
	"slices"
	"strings"
)

// Match says which requests a policy sees.
type Match struct {
	Rules []ResourceRule `yaml:"resourceRules"`
}

// ResourceRule is one kind of request.
type ResourceRule struct {
	Groups     []string `yaml:"apiGroups,flow"`
	Versions   []string `yaml:"apiVersions,flow"`
	Operations []string `yaml:"operations,flow"`
	Resources  []string `yaml:"resources,flow"`
}

// MatchCondition is an expression without which a request is let through.
type MatchCondition struct {
	Name       string `yaml:"name"`
	Expression string `yaml:"expression"`
}

var createAndUpdate = []string{"CREATE", "UPDATE"}

// Workloads are all kinds with a pod template, and Pods as they are made: of a Pod that runs,
// only a resize changes anything that is judged.
var Workloads = Match{Rules: []ResourceRule{
	{[]string{""}, []string{"v1"}, []string{"CREATE"}, []string{"pods"}},
	{[]string{""}, []string{"v1"}, []string{"UPDATE"}, []string{"pods/resize"}},
	{[]string{""}, []string{"v1"}, createAndUpdate, []string{"replicationcontrollers"}},
	{[]string{"apps"}, []string{"v1"}, createAndUpdate, []string{"deployments", "statefulsets", "daemonsets", "replicasets"}},
	{[]string{"batch"}, []string{"v1"}, createAndUpdate, []string{"jobs", "cronjobs"}},
}}

// Match says what a rule looks at: workloads, and Namespaces where it speaks of them.
func (r Rule) Match() Match {
	if !strings.Contains(r.Findings, "'Namespace'") {
		return Workloads
	}
	return Match{Rules: append(slices.Clone(Workloads.Rules), ResourceRule{[]string{""}, []string{"v1"}, createAndUpdate, []string{"namespaces"}})}
}

// matchOf is all that some rules look at.
func matchOf(rules []Rule) Match {
	widest := Workloads
	for _, rule := range rules {
		if m := rule.Match(); len(m.Rules) > len(widest.Rules) {
			widest = m
		}
	}
	return widest
}

// Pods are those that a mutation may still change.
var Pods = Match{Rules: []ResourceRule{{[]string{""}, []string{"v1"}, []string{"CREATE"}, []string{"pods"}}}}

// Changed lets an update through that leaves alone what is judged. A controller that scales, or
// writes an annotation of its own, gets no message and is not stopped.
var Changed = []MatchCondition{{"changed", `request.operation != 'UPDATE' || object.kind == 'Pod' ||
(object.kind == 'CronJob' ? object.spec.jobTemplate != oldObject.spec.jobTemplate : object.spec.?template != oldObject.spec.?template) ||
object.metadata.?annotations.orValue({}).transformList(k, v, k.contains('headroom.dev/'), k + '=' + v) !=
oldObject.metadata.?annotations.orValue({}).transformList(k, v, k.contains('headroom.dev/'), k + '=' + v)`}}
