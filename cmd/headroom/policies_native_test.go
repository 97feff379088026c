package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// What is written is what the API server takes: no field that its types lack.
func TestPoliciesNative(t *testing.T) {
	file := filepath.Join(t.TempDir(), "native.yaml")
	if code := run(t.Context(), []string{"policies", "native", "--enforce", "--mutate", "-o", file}); code != exitClean {
		t.Fatalf("exit code %d", code)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		var head struct {
			metav1.TypeMeta   `json:",inline"`
			metav1.ObjectMeta `json:"metadata"`
		}
		if err := yaml.Unmarshal([]byte(document), &head); err != nil {
			t.Fatal(err)
		}
		var object any
		switch head.Kind {
		case "ValidatingAdmissionPolicy":
			object = &admissionv1.ValidatingAdmissionPolicy{}
		case "ValidatingAdmissionPolicyBinding":
			object = &admissionv1.ValidatingAdmissionPolicyBinding{}
		case "MutatingAdmissionPolicy":
			object = &admissionv1.MutatingAdmissionPolicy{}
		case "MutatingAdmissionPolicyBinding":
			object = &admissionv1.MutatingAdmissionPolicyBinding{}
		}
		if err := yaml.UnmarshalStrict([]byte(document), object); err != nil {
			t.Errorf("%s %s: %v", head.Kind, head.Name, err)
		}
		if head.APIVersion != admissionv1.SchemeGroupVersion.String() {
			t.Errorf("%s %s: %s", head.Kind, head.Name, head.APIVersion)
		}
		if name, policy := strings.CutSuffix(head.Kind, "Policy"); policy {
			got = append(got, name+" "+head.Name)
		}
	}
	const want = "ValidatingAdmission headroom, ValidatingAdmission headroom-enforce, " +
		"MutatingAdmission headroom-active-processor-count, MutatingAdmission headroom-cpu-matrix, MutatingAdmission headroom-memory-request"
	if all := strings.Join(got, ", "); all != want {
		t.Errorf("policies: %s", all)
	}
}
