package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
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
	// request are the places of its UID and of the Pod's name; template is one in the value
	// of a variable, so that another number there makes it a Pod that was never seen.
	request, template []int
}

// newReview is one of a Pod as it should be. What is to be fixed, where it is asked
// for, is a memory request below its limit (HR302).
func newReview(wrong bool) (review, error) {
	text := recorded
	if wrong {
		const right, lower = `"requests":{"cpu":"1","memory":"1Gi"}`, `"requests":{"cpu":"1","memory":"512Mi"}`
		text = strings.Replace(text, right, lower, 1)
		if text == recorded {
			return review{}, fmt.Errorf("the recorded review has no %s", right)
		}
	}
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
