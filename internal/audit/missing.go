package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/render/report"
)

// missing gathers what could not be read.
type missing struct {
	mu       sync.Mutex
	refused  map[string]map[access]bool // by namespace, "" for the whole cluster
	problems []string
	said     map[string]bool
	gone     bool
	notRead  []string
	// maps are the namespaces whose ConfigMaps may not be read.
	maps map[string]bool
	// nodes may not be listed.
	nodes bool
	// scalers are the kinds of autoscalers and boosts that may not be read.
	scalers map[access]bool
}

// access is what a rule of a Role allows.
type access struct{ group, resource, verb string }

func newMissing() *missing {
	return &missing{
		refused: map[string]map[access]bool{}, said: map[string]bool{}, maps: map[string]bool{}, scalers: map[access]bool{},
	}
}

func forbidden(err error) bool { return apierrors.IsForbidden(err) && !masked(err) }

// masked means that impersonation is refused: no right of either user would help.
func masked(err error) bool {
	return apierrors.IsForbidden(err) && strings.Contains(err.Error(), "cannot impersonate")
}

func (m *missing) forbidden(verb string, k cluster.Kind, namespace string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.refused[namespace] == nil {
		m.refused[namespace] = map[access]bool{}
	}
	m.refused[namespace][access{k.Group, k.Resource, verb}] = true
}

// configMaps are not reported as a problem: the policies say what is unknown without them.
func (m *missing) configMaps(namespace string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.maps[namespace] = true
}

// noNodes is not reported as a problem: HR202 wants the same values, and its price says less.
func (m *missing) noNodes() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.nodes = true
}

// scaler is not reported as a problem: a note says once that autoscaling is not known.
func (m *missing) scaler(k cluster.Kind) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.scalers[access{k.Group, k.Resource, "list"}] = true
}

// failed notes an error once. After an error that says that the server does not answer, no further request is made.
func (m *missing) failed(verb string, k cluster.Kind, namespace string, err error) {
	at := ""
	switch {
	case namespace != "" && k == cluster.Namespaces:
		at = " " + namespace // itself
	case namespace != "":
		at = " of namespace " + namespace
	}
	if apierrors.IsUnauthorized(err) {
		m.lost("the API server does not know who asks (Unauthorized): log in again, or name another --context")
		return
	}
	if masked(err) {
		m.lost("--as and --as-group need the right to impersonate: " + err.Error())
		return
	}
	if cluster.Unreachable(err) {
		m.lost(fmt.Sprintf("%s %s%s: %s", verb, name(k), at, err))
		return
	}
	m.problem(fmt.Sprintf("%s %s%s: %s", verb, name(k), at, err))
}

func (m *missing) lost(text string) {
	m.problem(text)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.gone = true
}

func (m *missing) away() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.gone
}

// unread notes a kind that was not asked for any more.
func (m *missing) unread(k cluster.Kind) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !slices.Contains(m.notRead, name(k)) {
		m.notRead = append(m.notRead, name(k))
	}
}

// problem notes a text once.
func (m *missing) problem(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.said[text] {
		m.said[text] = true
		m.problems = append(m.problems, text)
	}
}

// errors notes an error, or each of several that were joined.
func (m *missing) errors(err error) {
	for text := range strings.SplitSeq(err.Error(), "\n") {
		m.problem(text)
	}
}

// name is how kubectl writes a resource.
func name(k cluster.Kind) string {
	if k.Group == "" {
		return k.Resource
	}
	return k.Resource + "." + k.Group
}

// report words all of it.
func (m *missing) report() []report.Problem {
	var texts []string
	// Namespaces that lack the same are named together.
	alike := map[string][]string{}
	for namespace, refused := range m.refused {
		text := rules(refused)
		alike[text] = append(alike[text], namespace)
	}
	for _, rules := range slices.Sorted(maps.Keys(alike)) {
		namespaces := alike[rules]
		slices.Sort(namespaces)
		if namespaces[0] == "" {
			texts = append(texts, "forbidden in the whole cluster (-n names one namespace); "+
				"a ClusterRole with this would allow it: "+rules)
			namespaces = namespaces[1:]
		}
		if len(namespaces) > 0 {
			texts = append(texts, fmt.Sprintf("forbidden in %s; a Role there with this would allow it: %s",
				listed(namespaces), rules))
		}
	}
	slices.Sort(m.problems)
	texts = append(texts, m.problems...)
	if len(m.notRead) > 0 {
		texts = append(texts, "not read at all, or not to the end, after that: "+strings.Join(m.notRead, ", "))
	}
	problems := make([]report.Problem, 0, len(texts))
	for _, text := range texts {
		problems = append(problems, report.Problem{Message: text})
	}
	return problems
}

// maxNamed bounds the namespaces that a sentence names.
const maxNamed = 20

func listed(namespaces []string) string {
	if len(namespaces) == 1 {
		return "namespace " + namespaces[0]
	}
	text := "namespaces " + strings.Join(namespaces[:min(len(namespaces), maxNamed)], ", ")
	if more := len(namespaces) - maxNamed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// rules writes accesses as the fewest rules of a Role. An account that may list Pods will need
// to get one of them next.
func rules(refused map[access]bool) string {
	both := map[access]bool{}
	for a := range refused {
		if a.verb == "list" {
			a.verb = "get, list"
		}
		both[a] = true
	}
	return asRules(both)
}

// asRules writes accesses as they are.
func asRules(accesses map[access]bool) string {
	resources := map[[2]string][]string{}
	for a := range accesses {
		key := [2]string{a.group, a.verb}
		resources[key] = append(resources[key], a.resource)
	}
	var texts []string
	for key, names := range resources {
		slices.Sort(names)
		texts = append(texts, fmt.Sprintf("{apiGroups: [%q], resources: [%s], verbs: [%s]}",
			key[0], strings.Join(names, ", "), key[1]))
	}
	slices.Sort(texts)
	return strings.Join(texts, ", ")
}
