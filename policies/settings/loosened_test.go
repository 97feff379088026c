package settings

import (
	"slices"
	"testing"
)

func TestChanges(t *testing.T) {
	const head = "apiVersion: headroom.dev/v1alpha1\nkind: Config\n"
	for name, tc := range map[string]struct {
		before, now string
		want        []string
	}{
		"nothing":           {"defaultClass: batch\n", "defaultClass: batch\n", nil},
		"a rule is off":     {"", "rules: {HR301: {severity: off}}\n", []string{"HR301 is off in place of its default"}},
		"a rule as a word":  {"", "rules: {HR301: {severity: \"off\"}}\n", []string{"HR301 is off in place of its default"}},
		"back to a default": {"rules: {HR101: {severity: error}}\n", "", []string{"HR101 is its default in place of error"}},
		"exemptions": {
			"ignore: [{rules: [HR202], reason: a}]\n",
			"ignore: [{rules: [HR202], reason: a}, {rules: [HR301, HR302], kind: Deployment, name: shop-*, reason: b}]\n",
			[]string{"an exemption from HR301, HR302, kind Deployment, name shop-*"},
		},
		"the rest": {"defaultClass: batch\n", "defaultClass: cron\ntolerance: 0.5\n", []string{"defaultClass, tolerance changed"}},
	} {
		t.Run(name, func(t *testing.T) {
			read := func(text string) map[string]any {
				config, err := Parse(FileName, []byte(head+text))
				if err != nil {
					t.Fatal(err)
				}
				return config
			}
			if got := Changes(read(tc.before), read(tc.now)); !slices.Equal(got, tc.want) {
				t.Errorf("%q", got)
			}
		})
	}
	if got := Changes(nil, map[string]any{"kinds": []any{}}); !slices.Equal(got, []string{"kinds changed"}) {
		t.Errorf("%q", got)
	}
}
