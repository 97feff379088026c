package charts

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// TestFlagsExist: what the Pods are started with, headroom takes.
func TestFlagsExist(t *testing.T) {
	program := filepath.Join(t.TempDir(), "headroom")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/headroom").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	help := func(command ...string) string {
		out, err := exec.Command(program, append(command, "--help")...).CombinedOutput()
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
}
