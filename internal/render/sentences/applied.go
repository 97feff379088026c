package sentences

import (
	"strings"

	"github.com/go-openapi/jsonpointer"

	"github.com/headroom-dev/headroom/policies/engine"
)

// Change is what a fix changes, in words: "limits.cpu 2 removed". Its names are as the manifest has them.
func Change(a engine.Applied) string {
	name := field(a.Path)
	switch {
	case a.BehindJava():
		return a.Added + " added behind java"
	case strings.HasPrefix(a.Added, "-"):
		return a.Added + " added to JAVA_TOOL_OPTIONS"
	case a.Added != "":
		return a.Added + " added to env"
	case a.New == "":
		return name + " " + a.Old + " removed"
	case a.Old == "":
		return name + " " + a.New + " added"
	default:
		return name + " " + a.Old + " → " + a.New
	}
}

// field is the last steps of a pointer, as people call it.
func field(pointer string) string {
	steps := strings.Split(pointer, "/")
	last := jsonpointer.Unescape(steps[len(steps)-1])
	if len(steps) < 2 {
		return last
	}
	switch above := steps[len(steps)-2]; above {
	case "limits", "requests":
		return above + "." + last
	case "annotations":
		return "annotation " + last
	default:
		return last
	}
}
