//go:build system

package requests

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// escaped is a Pod with a variable of this many characters, each of which is six as the API server
// writes it to webhooks. etcd keeps what no webhook is able to read.
func escaped(name string, characters int) *corev1.Pod {
	pod := wrong(name)
	pod.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "TEMPLATE", Value: strings.Repeat("<", characters)}}
	return pod
}

// laborious is a Pod that takes longer to judge than a decision may.
func laborious(name string) *corev1.Pod {
	pod := java(name)
	template := pod.Spec.Containers[0]
	pod.Spec.Containers = nil
	for i := range 1000 {
		c := *template.DeepCopy()
		c.Name = fmt.Sprintf("app-%d", i)
		c.Env = []corev1.EnvVar{{Name: "JAVA_TOOL_OPTIONS", Value: fmt.Sprintf("-Xmx%dm -XX:+UseG1GC", 100+i)}}
		pod.Spec.Containers = append(pod.Spec.Containers, c)
	}
	return pod
}

// What headroom itself cannot do refuses no Pod outside of namespaces in enforce mode, and
// there it does, with words that help (W46).
func TestOurOwnErrors(t *testing.T) {
	undisturbed(t)
	for _, c := range []struct {
		name, why, kind string
		pod             *corev1.Pod
	}{
		{"larger than 3 MiB", "it is larger than 3 MiB", "object", escaped("a", 600<<10)},
		// Of this nothing is read: the answer is for the API server, which only passes it on
		// where the webhook must answer.
		{"larger than 7 MiB", "", "request", escaped("a", 1300<<10)},
		{"too laborious", "it took more than 250 ms", "deadline", laborious("a")},
	} {
		const audit = "headroom.dev/mode=audit"
		for _, mode := range []string{audit, warn, enforce} {
			t.Run(c.name+"/"+strings.TrimPrefix(mode, "headroom.dev/mode="), func(t *testing.T) {
				namespace := cluster.Namespace(t, mode, mutate)
				before := metric(t, "headroom_errors_total", `kind="`+c.kind+`"`)
				began := time.Now()
				a := create(t.Context(), client(t), namespace, c.pod.DeepCopy(), false)
				took := time.Since(began)
				if after := metric(t, "headroom_errors_total", `kind="`+c.kind+`"`); after <= before {
					t.Errorf("no error of the kind %s is counted", c.kind)
				}
				says := func(text string) bool { return strings.Contains(text, unjudged+": "+c.why) }
				if mode != enforce {
					if a.err != nil {
						t.Fatal(a.err)
					}
					if a.pod.Annotations[applied] != "" {
						t.Errorf("what could not be judged is changed: %s", a.pod.Annotations[applied])
					}
					// In audit the audit log alone is told.
					if told := slices.ContainsFunc(a.warnings, says); told != (mode == warn && c.why != "") {
						t.Errorf("told: %t, %q", told, a.warnings)
					}
					t.Logf("%s: %q", took.Round(time.Millisecond), a.warnings)
					return
				}
				if !apierrors.IsInternalError(a.err) {
					t.Fatalf("not refused: %v", a.err)
				}
				wanted := []string{"enforce.headroom.dev"}
				if c.why != "" {
					wanted = append(wanted, unjudged+": "+c.why, "kubectl label namespace "+namespace+" headroom.dev/mode=warn",
						"docs/break-glass.md")
				} else {
					wanted = append(wanted, "headroom: the body is larger than 7 MiB")
				}
				for _, w := range wanted {
					if !strings.Contains(a.err.Error(), w) {
						t.Errorf("no %q in: %v", w, a.err)
					}
				}
				t.Logf("%s: %v", took.Round(time.Millisecond), a.err)
				// The way out that the words name.
				cluster.Must(t, "label", "--overwrite", "namespace", namespace, warn)
				plane.Eventually(t, "the Pod to be admitted", func() error {
					return create(t.Context(), client(t), namespace, c.pod.DeepCopy(), true).err
				})
			})
		}
	}
	// Nothing of it is left: the next Pod is judged as ever.
	namespace := cluster.Namespace(t, enforce)
	if a := create(t.Context(), client(t), namespace, wrong("a"), true); !refused(a.err) {
		t.Errorf("afterwards: %v", a.err)
	}
}
