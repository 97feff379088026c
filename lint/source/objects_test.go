package source

import (
	"fmt"
	"strings"
	"testing"
)

// kubectl takes Lists apart however deep they stand in each other.
func TestListsInLists(t *testing.T) {
	nest := func(lists int) string {
		return strings.Repeat("{apiVersion: v1, kind: List, items: [", lists) +
			"{apiVersion: v1, kind: Pod, metadata: {name: a}}" + strings.Repeat("]}", lists) + "\n"
	}
	for lists := range maxNesting + 1 {
		items := Parse("a.yaml", []byte(nest(lists)), Options{})
		if len(items) != 1 || items[0].Document == nil {
			t.Fatalf("%d Lists: %v", lists, items)
		}
		found := 0
		for object, path := range Objects(items[0].Document) {
			found++
			if object["kind"] != "Pod" || len(path) != 2*lists {
				t.Errorf("%d Lists: %v at %v", lists, object, path)
			}
		}
		if found != 1 {
			t.Errorf("%d Lists: %d objects", lists, found)
		}
	}
	want := fmt.Sprintf("a.yaml:1: Lists stand in each other more than %d deep", maxNesting)
	if got := describe(Parse("a.yaml", []byte(nest(maxNesting+1)), Options{})); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
