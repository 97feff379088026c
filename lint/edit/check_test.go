package edit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/lint/edit"
	"github.com/headroom-dev/headroom/policies/engine"
)

func TestCheck(t *testing.T) {
	text := "items:\n- a: &x {cpu: 1}\n- a: *x\n- a: {cpu: 1}\n- a:\n    cpu: >-\n      1\n"
	var patches [][]engine.Operation
	for _, item := range []string{"0", "1", "2", "3"} {
		patches = append(patches, operations(t, strings.Replace(set, "/a/cpu", "/items/"+item+"/a/cpu", 1)))
	}
	want := []string{
		"line 2: the value has an anchor (&) that is used elsewhere",
		"line 3: the value is an alias (*) of one that stands elsewhere", "",
		"line 6: a value over several lines would have to be cut",
	}
	for i, err := range edit.Check([]byte(text), 0, patches) {
		_, alone := edit.Apply([]byte(text), 0, patches[i])
		said := ""
		if err != nil {
			said = err.Error()
		}
		if said != want[i] || (err != nil) != (alone != nil) || err != nil && !errors.Is(err, edit.ErrUnsafe) {
			t.Errorf("%d: %v; Apply says %v", i, err, alone)
		}
	}
	for _, broken := range []string{"a: [", "kind: '{{ x }}'\n"} {
		for i, err := range edit.Check([]byte(broken), 0, patches) {
			if !errors.Is(err, edit.ErrUnsafe) {
				t.Errorf("%q, %d: %v", broken, i, err)
			}
		}
	}
}
