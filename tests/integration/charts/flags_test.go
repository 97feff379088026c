//go:build integration

package charts

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/headroom-dev/headroom/tests/harness/program"
)

// TestFlagsExist: what the Pods are started with, headroom takes, and its own defaults are
// the chart's.
func TestFlagsExist(t *testing.T) {
	headroom := program.Headroom(t)
	help := func(command ...string) string {
		out, err := exec.Command(headroom, append(command, "--help")...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	objects := renderAll(t, selfSigned, "clientCA.secretName=callers")
	webhook := as[appsv1.Deployment](t, find(t, objects, "Deployment", "")).Spec.Template.Spec.Containers[0].Args
	probe := as[corev1.Pod](t, find(t, objects, "Pod", "")).Spec.Containers[0].Args
	check := func(page string, arguments []string) {
		for _, argument := range arguments {
			flag, _, _ := strings.Cut(argument, "=")
			if !strings.Contains(page, " "+flag+" ") {
				t.Errorf("headroom has no flag %s:\n%s", flag, page)
			}
		}
	}
	check(help(webhook[0]), webhook[1:])
	check(help(probe[0], probe[1]), probe[2:])
	audit := as[appsv1.Deployment](t, find(t, render(t, auditing), "Deployment", "headroom-audit")).
		Spec.Template.Spec.Containers[0].Args
	check(help(audit[0]), audit[1:])

	// Where the chart's defaults say no more than the command's own, they say the same.
	page := strings.Split(help(webhook[0]), "\n")
	for _, argument := range webhook[1:] {
		flag, value, _ := strings.Cut(argument, "=")
		value = strings.TrimSuffix(value, ","+namespace) // the command adds its own
		i := slices.IndexFunc(page, func(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), flag+" ") })
		if i < 0 || slices.Contains([]string{"--namespace", "--service-name", "--client-ca", "--self-signed"}, flag) {
			continue
		}
		own := strings.NewReplacer(`"`, "", "[", "", "]", "").Replace(page[i])
		if !strings.Contains(own, "(default "+value+")") {
			t.Errorf("the chart says %s, the command\n%s", argument, page[i])
		}
	}
}

// TestLargeNumbers: what a values file has as a number comes to Helm as a float, which it
// would write as 1e+06.
func TestLargeNumbers(t *testing.T) {
	rendered, err := renderValues(t, map[string]any{"cacheEntries": float64(1_000_000)})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(rendered["headroom/templates/deployment.yaml"], "--cache-entries=1000000\n") {
		t.Error("a million cache entries are not written as a number that headroom reads")
	}
}
