package edit

import (
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
)

const measured = `apiVersion: apps/v1
kind: Deployment
metadata: {name: "shop", namespace: 'orders', labels: {app: shop, team: orders, tier: backend}}
spec:
  selector: {matchLabels: {app: shop, team: orders, tier: backend}}
  template:
    metadata: {labels: {app: shop, team: orders, tier: backend}}
    spec:
      containers:
      - name: app
        image: registry.example.com/shop:1
        env:
        - {name: MODE, value: live}
        - {name: REGION, value: north}
        - {name: LEVEL, value: quiet}
        resources:
          requests: {cpu: 500m, memory: 512Mi}
          limits: {cpu: 500m, memory: 1Gi}
`

// An edit of a document costs the same wherever it stands in a file, and looks only at the strings around it.
func TestEffortGrowsWithTheDocuments(t *testing.T) {
	effort := func(documents int) float64 {
		text := []byte(strings.Repeat("---\n"+measured, documents))
		patches := map[int][]engine.Operation{}
		for i := range documents {
			patches[i] = []engine.Operation{
				{Op: opReplace, Path: "/spec/template/spec/containers/0/resources/requests/memory", Value: "1Gi"},
				{Op: opAdd, Path: "/spec/template/spec/containers/0/env/0", Value: map[string]any{"name": "A", "value": "b"}},
			}
		}
		return testing.AllocsPerRun(1, func() {
			if _, errs := ApplyAll(text, patches); len(errs) > 0 {
				t.Fatal(errs)
			}
		}) / float64(documents)
	}
	few, many := effort(20), effort(200)
	t.Logf("allocations for a document: %.0f of 20, %.0f of 200", few, many)
	if many > 1.1*few {
		t.Error("a document of a large file takes more")
	}
	if few > 8000 {
		t.Error("more of the document is looked at than what is near")
	}
}
