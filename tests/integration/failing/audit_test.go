//go:build integration

package failing

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/internal/audit"
	"github.com/headroom-dev/headroom/tests/harness/apitest"
)

// An audit of the two Pods names the rule that fails with its object, and keeps what the other rules found.
func TestAnAuditWithARuleThatFails(t *testing.T) {
	server := apitest.New(t)
	client, err := kubernetes.NewForConfig(server.Config)
	if err != nil {
		t.Fatal(err)
	}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "default", Namespace: "default"}}
	_, err = client.CoreV1().ServiceAccounts("default").Create(t.Context(), account, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// An API server refuses a request above the limit.
	admitted := strings.ReplaceAll(manifests, `requests: {cpu: "2"}`, `requests: {cpu: "1"}`)
	for document := range strings.SplitSeq(admitted, "---\n") {
		var pod corev1.Pod
		if err := yaml.UnmarshalStrict([]byte(document), &pod); err != nil {
			t.Fatal(err)
		}
		if _, err := client.CoreV1().Pods("default").Create(t.Context(), &pod, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}

	judged, err := audit.Run(t.Context(), broken(t), audit.Options{Config: server.Config, Namespaces: []string{"default"}})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, f := range judged.Findings {
		found[f.Resource.Name] += f.Rule + " "
	}
	if strings.Contains(found["a"], "HR301") || !strings.Contains(found["b"], "HR301") || found["a"] == "" {
		t.Errorf("findings: %v", found)
	}
	if len(judged.Problems) != 1 || !strings.HasSuffix(judged.Problems[0].Message, "Pod default/a: "+said) {
		t.Errorf("problems: %+v", judged.Problems)
	}
}
