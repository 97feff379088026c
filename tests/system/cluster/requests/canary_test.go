//go:build system

package requests

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// canary stands wherever a secret may: it must not be met again.
const canary = "kanarie-7f3a"

// canaried is a Pod with canaries in what headroom reads closely: the variables and
// arguments of a JVM, right or with a heap that no limit has room for.
func canaried(name, heap string) *corev1.Pod {
	pod := java(name)
	pod.Annotations["vault.example.com/token"] = canary
	pod.Labels = map[string]string{"note": canary}
	c := &pod.Spec.Containers[0]
	c.Command = []string{"java", "-Dpassword=" + canary, "-Xmx" + heap, "-jar", "app.jar", "--token=" + canary}
	c.Args = []string{canary}
	c.Env = []corev1.EnvVar{
		{Name: "PASSWORD", Value: canary},
		{Name: "JAVA_TOOL_OPTIONS", Value: "-Djavax.net.ssl.keyStorePassword=" + canary + " -XX:OnOutOfMemoryError=" + canary +
			" -XX:OnOutOfMemoryError=b," + canary + " -XX:MaxRAMPercentage=5" + canary},
		{Name: "GOMEMLIMIT", Value: canary},
		{Name: "GOMAXPROCS", Value: "2" + canary},
		{Name: "JAVA_OPTS", Value: "-Dtoken=" + canary + " -XX:+UseG1GC"},
		{Name: "GUNICORN_CMD_ARGS", Value: "--keyfile " + canary},
		{Name: "NODE_OPTIONS", Value: "--title=" + canary},
		{Name: "FROM", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{
			LocalObjectReference: corev1.LocalObjectReference{Name: "credentials"}, Key: "password",
		}}},
	}
	c.EnvFrom = []corev1.EnvFromSource{{SecretRef: &corev1.SecretEnvSource{
		LocalObjectReference: corev1.LocalObjectReference{Name: "credentials"},
	}}}
	return pod
}

// Nothing secret that passes through the webhook is found afterwards where people look. They look
// in logs at their most verbose, in what kubectl prints, in audit log, Events and metrics, and in
// headroom's annotation on the Pod.
func TestCanary(t *testing.T) {
	var printed strings.Builder
	for _, labels := range [][]string{
		{warn, mutate}, {warn}, {enforce, mutate}, {enforce}, {"headroom.dev/mode=audit", mutate},
	} {
		namespace := cluster.Namespace(t, labels...)
		_, err := cluster.Client.CoreV1().Secrets(namespace).Create(t.Context(), &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Name: "credentials"}, StringData: map[string]string{"password": canary},
		}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		show := func(manifest string, more ...string) {
			more = append([]string{"create", "-n", namespace, "-f", "-"}, more...)
			out := cluster.KubectlAs(plane.Developer, manifest, more...)
			printed.WriteString(out.Stdout + out.Stderr)
		}
		show(text(t, canaried("a", "1g")))
		show(text(t, canaried("b", "4g")))
		show(text(t, canaried("c", "1g")), "--dry-run=server")
		show(manifest(t, canaried("a", "4g"), 1))
		// What cannot be judged, for its size and for its labor.
		big := canaried("d", "1g")
		variable := corev1.EnvVar{Name: "BIG", Value: strings.Repeat("<", 600<<10) + canary}
		big.Spec.Containers[0].Env = append(big.Spec.Containers[0].Env, variable)
		show(text(t, big))
		labor := laborious("e")
		labor.Spec.Containers[0].Env = canaried("", "1g").Spec.Containers[0].Env
		show(text(t, labor))
		// What fails elsewhere.
		show(strings.Replace(text(t, canaried("f", "1g")), `"cpu":"2"`, `"cpu":"0.0000000001"`, 1))
		if out := cluster.Kubectl("scale", "deployment", "shop", "--replicas=2", "-n", namespace); out.Code == 0 {
			settle()
		}
		for _, name := range []string{"a", "d"} {
			pod, err := cluster.Client.CoreV1().Pods(namespace).Get(t.Context(), name, metav1.GetOptions{})
			if err == nil {
				printed.WriteString(pod.Annotations[applied])
			}
		}
		printed.WriteString(cluster.Must(t, "events", "-n", namespace, "-o", "yaml"))
	}
	for _, part := range []string{"-XX:ActiveProcessorCount=2", "[HR304]", "headroom refuses", unjudged} {
		if !strings.Contains(printed.String(), part) {
			t.Errorf("no %s in:\n%s", part, printed.String())
		}
	}
	found := func(where, text string) {
		for _, form := range []string{canary, base64.StdEncoding.EncodeToString([]byte(canary))} {
			if at := strings.Index(text, form); at >= 0 {
				t.Errorf("%s: …%s…", where, text[max(0, at-200):min(len(text), at+100)])
			}
		}
	}
	found("kubectl, the annotation or Events", printed.String())
	logs, err := filepath.Glob(filepath.Join(cluster.Dir, "pods", "*.log"))
	if err != nil || len(logs) < 2 {
		t.Fatal(logs, err)
	}
	files := append(logs, filepath.Join(cluster.Dir, "audit.log"), cluster.Controllers.Log)
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil || len(content) == 0 {
			t.Fatalf("%s: %v", file, err)
		}
		found(filepath.Base(file), string(content))
	}
	verbose := ""
	for _, replica := range cluster.Replicas() {
		verbose += replica.Logs()
		metrics, err := replica.Scrape()
		if err != nil {
			t.Fatal(err)
		}
		found("metrics", metrics)
	}
	for _, message := range []string{`"msg":"judged"`, `"msg":"fixed"`, "could not judge an object"} {
		if !strings.Contains(verbose, message) {
			t.Errorf("the log is not verbose: no %s in\n%.2000s", message, verbose)
		}
	}
	for _, replica := range cluster.Replicas() {
		plane.Eventually(t, "the replica to stay ready", func() error {
			if !replica.Ready() {
				return errNotYet
			}
			return nil
		})
	}
}
