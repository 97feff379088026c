package measure

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// unnamed are matchers of series that name no Pod in any way, but where they were scraped.
const unnamed = `pod="",exported_pod="",k8s_pod_name="",kubernetes_pod_name="",instance=~".+:[0-9]+"`

// lease is for how long the address of a Pod has to be its own, where that alone says whose a series is. Before that it
// may have been another Pod's.
const lease = 24 * time.Hour

// shared is the question which Pods are told of by an address that several have.
const shared = "shared"

// runtimeSeries selects what is told of a namespace's containers. A series that another label names is not the Pod's
// that passes it on.
func (s selectors) runtimeSeries(m meaning, j join) string {
	matchers := []string{unnamed}
	if j != byAddress {
		matchers = []string{j.namespace + "=" + quoted(s.namespace), j.pod + `!=""`}
	}
	if j == own {
		for _, other := range passedOn {
			matchers = append(matchers, other.pod+`=""`)
		}
	}
	if m.Match != "" {
		matchers = append(matchers, m.Match)
	}
	return fmt.Sprintf("%s{%s%s}", m.Metric, strings.Join(matchers, ","), s.matchers)
}

// labels are those that tell one program of many.
func (j join) labels() string {
	if j == byAddress {
		return j.pod
	}
	return j.pod + ", " + j.container
}

// within is how far back what a join leads to may be read.
func (j join) within(length time.Duration) time.Duration {
	if j == byAddress {
		return min(length, lease)
	}
	return length
}

// named gives the result the labels pod and container.
func (s selectors) named(j join, expression, what string, length time.Duration) string {
	switch j {
	case own:
		return expression
	case byAddress:
		function := "max"
		if what == least {
			function = "min"
		}
		return fmt.Sprintf("%s by (pod, container, uid) (%s * on (pod_ip) group_left (pod) (%s))",
			function, withAddress(expression), s.leased(j.within(length)))
	}
	for _, label := range [][2]string{{"pod", j.pod}, {"container", j.container}} {
		expression = fmt.Sprintf(`label_replace(%s, %q, "$1", %q, "(.*)")`, expression, label[0], label[1])
	}
	return expression
}

// withAddress gives series the label pod_ip: the part of instance in front of the port.
func withAddress(expression string) string {
	return fmt.Sprintf(`label_replace(%s, "pod_ip", "$1", "instance", %q)`, expression, `\[?([^\]]+)\]?:[0-9]+`)
}

// addresses are those of Pods, with 1 for each. The network of the node is that of many programs.
func (s selectors) addresses(namespace string) string {
	return fmt.Sprintf(`max by (pod_ip, namespace, pod) (%s{%spod_ip!="",host_network!="true"%s})`,
		metricPodInfo, namespace, s.matchers)
}

// ofSeveral are addresses that several Pods have, in any namespace: one that has ended keeps its own.
func (s selectors) ofSeveral() string {
	return fmt.Sprintf("count by (pod_ip) (%s) > 1", s.addresses(""))
}

// leased are the Pods of the namespace by their address, those alone that had it all the time.
func (s selectors) leased(length time.Duration) string {
	namespace := "namespace=" + quoted(s.namespace)
	return fmt.Sprintf("(%s unless on (pod_ip) (%s)) and on (pod) (max by (pod) (%s{%s%s}) < time() - %g)",
		s.addresses(namespace+","), s.ofSeveral(), metricCreated, namespace, s.matchers, length.Seconds())
}

// shared asks which Pods of the namespace have an address of several, by which one of these is told of.
func (s selectors) shared(m meaning) query {
	series := s.runtimeSeries(m, byAddress)
	return query{m.Metric, "what runtimes measure of themselves", func(time.Duration) string {
		return fmt.Sprintf("max by (pod) ((%s and on (pod_ip) (%s)) and on (pod_ip) %s)",
			s.addresses("namespace="+quoted(s.namespace)+","), s.ofSeveral(), withAddress(series))
	}, math.Max, instant}
}
