package plan

import (
	"reflect"
	"regexp/syntax"
	"testing"
)

// What an image has of a pattern is what would be found of it anew.
func TestListedPatterns(t *testing.T) {
	texts := []string{"plain", `(?i)rocksdb|tcm`, "^a", `a(`, `[`, `x$`, `\bfoo`, `[ab]`, "", `-Xlog(?::|\s|$)|-verbose:gc`}
	list, _, err := cutTable(string(appendTable(nil, texts)))
	if err != nil {
		t.Fatal(err)
	}
	entries, _, err := cutTable(string(appendTable(nil, listPatterns(texts))))
	if err != nil {
		t.Fatal(err)
	}
	listed := 0
	for _, text := range texts {
		found, ok := patterns{entries, list}.needlesOf(text)
		parsed, invalid := syntax.Parse(text, syntax.Perl)
		if !ok {
			continue
		}
		listed++
		if invalid != nil || len(found)+len(needlesOf(parsed)) > 0 && !reflect.DeepEqual(found, needlesOf(parsed)) {
			t.Errorf("%s has %v, not %v (%v)", text, found, needlesOf(parsed), invalid)
		}
	}
	if listed != 6 {
		t.Errorf("%d patterns are listed", listed)
	}
	if _, ok := (patterns{}).needlesOf("^a"); ok {
		t.Error("an image without patterns has one")
	}
}
