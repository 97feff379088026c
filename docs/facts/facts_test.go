package facts_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/docs/facts"
)

// TestEveryFactOfTheIndex looks up each number that the index has.
func TestEveryFactOfTheIndex(t *testing.T) {
	numbers := regexp.MustCompile(`(?m)^\| \[([A-Z][0-9]+)\]`).FindAllStringSubmatch(facts.Index(), -1)
	if len(numbers) < 50 {
		t.Fatalf("the index has %d facts", len(numbers))
	}
	for _, number := range numbers {
		text, ok := facts.Named(number[1])
		if !ok || !strings.HasPrefix(strings.TrimLeft(text, "# "), number[1]+": ") {
			t.Errorf("%s: %t, %.60q", number[1], ok, text)
		}
		if strings.Contains(text, "<a id") || strings.Contains(text, "\n#") {
			t.Errorf("%s holds more than itself: %q", number[1], text)
		}
	}
	if text, ok := facts.Named("T999"); ok {
		t.Errorf("T999 is %q", text)
	}
	if _, ok := facts.Named("t7"); !ok {
		t.Error("letters count")
	}
	if text, _ := facts.Named("F1"); !strings.HasPrefix(text, "| F1 | one replica") || strings.Count(text, "\n") != 1 {
		t.Errorf("F1 is %q", text)
	}
}
