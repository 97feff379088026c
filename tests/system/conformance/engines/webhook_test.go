package engines

import (
	"maps"
	"testing"
)

func TestWarningsAreHeldToTheNote(t *testing.T) {
	const note = "HR202 error app, HR302 warning app, HR302 warning side, HR402 error app, HR403 warning app, HR413 info app"
	const (
		first  = "[HR202] container app: limits.cpu is 2; want: no CPU limit"
		both   = "[HR302] containers app, side: requests.memory is 1Gi"
		jvm    = "[HR402, with HR403] container app: no CPU limit"
		server = `spec.template.spec.containers[0].env[1].name: duplicate name "A"`
	)
	listed, err := readNote(note)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		warnings []string
		fine     bool
	}{
		"all":                        {[]string{first, both, server, jvm}, true},
		"one is left out":            {[]string{first, both}, false},
		"one of several":             {[]string{first, both, "[HR402] container app: no CPU limit"}, false},
		"there is more":              {[]string{first, "2 more: headroom lint"}, true},
		"many containers":            {[]string{"[HR302] 5 containers: requests.memory is 1Gi", first, jvm}, true},
		"what is not noted":          {[]string{first, both, jvm, "[HR301] container app: no"}, false},
		"a container not noted":      {[]string{first, both, jvm, "[HR302] containers app, b: no"}, false},
		"an info":                    {[]string{first, both, jvm, "[HR413] container app: no"}, false},
		"no decision":                {[]string{"headroom could not judge this Pod: no time; it is admitted as it is"}, false},
		"no finding":                 {[]string{"container app: no"}, false},
		"what the server has to say": {[]string{server}, false},
	} {
		if err := checkWarnings(c.warnings, listed); (err == nil) != c.fine {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReadNote(t *testing.T) {
	listed, err := readNote("HR202 error app, HR103 warning, HR413 info b")
	want := Verdicts{{Rule: "HR202", Container: "app"}: "error", {Rule: "HR103"}: "warning", {Rule: "HR413", Container: "b"}: "info"}
	if !maps.Equal(listed, want) || err != nil {
		t.Error(listed, err)
	}
	for _, text := range []string{"HR202 app", "HR202 error app, and 4 more"} {
		if listed, err := readNote(text); err == nil {
			t.Errorf("%q is read as %v", text, listed)
		}
	}
}
