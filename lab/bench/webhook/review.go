package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// recorded is what kube-apiserver 1.36 sent for policies/engine/testdata/bench/pod.yaml: 3
// containers, 30 variables; nearly half of it is managedFields.
//
//go:embed testdata/review.json
var recorded string

// digits is how many stand where reviews differ.
const digits = 10

// review is an AdmissionReview that can be made another one without changing its length.
type review struct {
	text []byte
	// request are the places of its UID and of the Pod's name. template is one in the value of a
	// variable, so that another number there makes it a Pod that was never seen.
	request, template []int
}

// jvms is a Pod with two JVMs of ten flags, from the root of the repository.
const jvms = "policies/engine/testdata/bench/jvms.yaml"

// newReview is one of a Pod as it should be. What is to be fixed, where it is asked
// for, is a memory request below its limit (HR302).
func newReview(wrong bool) (review, error) {
	text := recorded
	if wrong {
		var err error
		if text, err = replaced(text, `"requests":{"cpu":"1","memory":"1Gi"}`, `"requests":{"cpu":"1","memory":"512Mi"}`); err != nil {
			return review{}, err
		}
	}
	return reviewOf(text)
}

// newJVMs is the same with the containers of two JVMs. What is to be fixed is a memory request, and the threads of a
// collector that nothing bounds.
func newJVMs(wrong bool) (review, error) {
	file, err := os.ReadFile(jvms)
	if err != nil {
		return review{}, err
	}
	var pod, envelope map[string]any
	if err := yaml.Unmarshal(file, &pod); err != nil {
		return review{}, fmt.Errorf("%s: %w", jvms, err)
	}
	if err := json.Unmarshal([]byte(recorded), &envelope); err != nil {
		return review{}, fmt.Errorf("the recorded review: %w", err)
	}
	for _, path := range [][]string{{"metadata", "annotations"}, {"spec", "containers"}} {
		value, _, err := unstructured.NestedFieldNoCopy(pod, path...)
		if err != nil {
			return review{}, fmt.Errorf("%s: %w", jvms, err)
		}
		if err := unstructured.SetNestedField(envelope, value, append([]string{"request", "object"}, path...)...); err != nil {
			return review{}, fmt.Errorf("the recorded review: %w", err)
		}
	}
	made, err := json.Marshal(envelope)
	if err != nil {
		return review{}, err
	}
	text := string(made)
	if wrong {
		for _, mistake := range [][2]string{
			{`"requests":{"cpu":"1","memory":"2Gi"}`, `"requests":{"cpu":"1","memory":"1Gi"}`},
			{`-XX:ParallelGCThreads=2 -XX:ConcGCThreads=1`, `-XX:ActiveProcessorCount=2`},
			{`"-XX:ParallelGCThreads=2"`, `"-XX:ParallelGCThreads=9"`},
		} {
			if text, err = replaced(text, mistake[0], mistake[1]); err != nil {
				return review{}, err
			}
		}
	}
	return reviewOf(text)
}

// replaced has something else in a place that must be there.
func replaced(text, right, wrong string) (string, error) {
	if !strings.Contains(text, right) {
		return "", fmt.Errorf("the review has no %s", right)
	}
	return strings.Replace(text, right, wrong, 1), nil
}

func reviewOf(text string) (review, error) {
	const uid, name, topic = "35214e93431f", "x2k4p", "orders.v2"
	zeros := strings.Repeat("0", digits)
	r := review{text: []byte(strings.NewReplacer(uid, zeros, name, zeros, topic, zeros).Replace(text))}
	for at := 0; ; at += digits {
		next := bytes.Index(r.text[at:], []byte(zeros))
		if next < 0 {
			break
		}
		at += next
		if bytes.HasSuffix(r.text[:at], []byte(`"value":"`)) {
			r.template = append(r.template, at)
		} else {
			r.request = append(r.request, at)
		}
	}
	if len(r.request) != 3 || len(r.template) != 1 { // the UID, and the name twice
		return review{}, fmt.Errorf("the recorded review differs in %d and %d places", len(r.request), len(r.template))
	}
	return r, nil
}

// number makes a copy of the review another request; fresh makes it another template too.
func (r review) number(text []byte, n uint64, fresh bool) {
	places := [][]int{r.request}
	if fresh {
		places = append(places, r.template)
	}
	for _, list := range places {
		for _, at := range list {
			left := n
			for i := digits - 1; i >= 0; i-- {
				text[at+i] = byte('0' + left%10)
				left /= 10
			}
		}
	}
}

// pod is the Pod of the review as one would create it, with a name that the API server
// gives it.
func (r review) pod() ([]byte, error) {
	var envelope struct {
		Request struct{ Object map[string]any }
	}
	if err := json.Unmarshal(r.text, &envelope); err != nil {
		return nil, fmt.Errorf("the recorded review: %w", err)
	}
	object := envelope.Request.Object
	metadata, _ := object["metadata"].(map[string]any)
	object["metadata"] = map[string]any{
		"generateName": "orders-", "labels": metadata["labels"], "annotations": metadata["annotations"],
	}
	delete(object, "status")
	return json.Marshal(object)
}
