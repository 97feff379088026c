//go:build integration

package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

// previewed is what a preview says of a workload.
type previewed struct {
	Preview *struct {
		Mode  string
		Items []struct {
			Resource        struct{ Name string }
			File            string
			Line            int
			Refused, Warned []struct {
				Rule string
				Line int
			}
			Changed []struct{ Rule, Path string }
		}
	}
}

func TestPreview(t *testing.T) {
	// A program of which nothing is known could count processors: only then does the limit stay.
	pinned := strings.Replace(limited, "{headroom.dev/workload-class", "{runtime.headroom.dev/app: native, headroom.dev/workload-class", 1)
	in := func(namespace string) string {
		return strings.Replace(pinned, "{name: cart}", "{name: "+namespace+"-cart, namespace: "+namespace+"}", 1)
	}
	dir := write(t, map[string]string{
		"deploy/off.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: quiet, labels: {headroom.dev/mode: 'off'}}\n---\n" + in("quiet"),
		"deploy/fixed.yaml": in("fixed") + "---\napiVersion: v1\nkind: Namespace\n" +
			"metadata: {name: fixed, labels: {headroom.dev/mutate: enabled}}\n",
		"deploy/plain.yaml":  in("plain"),
		"deploy/system.yaml": in("kube-system"),
	})
	for _, c := range []struct {
		arguments []string
		want      string
	}{
		{[]string{"--preview", "enforce"}, "fixed-cart changed, plain-cart refused"},
		{[]string{"--preview", "enforce", "--preview-mutate"}, "fixed-cart changed, plain-cart changed"},
		{[]string{"--preview", "warn"}, "fixed-cart changed, plain-cart"},
		{nil, "none"},
	} {
		o := headroom(t, dir, "", append([]string{"lint", "deploy", "-o", "json"}, c.arguments...)...)
		var r previewed
		if err := json.Unmarshal([]byte(o.stdout), &r); err != nil {
			t.Fatalf("%v\n%s%s", err, o.stdout, o.stderr)
		}
		got := "none"
		if r.Preview != nil {
			var items []string
			for _, item := range r.Preview.Items {
				text := item.Resource.Name
				if len(item.Refused) > 0 {
					text += " refused"
					if f := item.Refused[0]; f.Rule != "HR202" || f.Line != 13 || item.Line != 1 {
						t.Errorf("%s: %v", text, item)
					}
				}
				if len(item.Changed) > 0 {
					text += " changed"
				}
				items = append(items, text)
			}
			got = strings.Join(items, ", ")
		}
		if got != c.want || o.code != 1 {
			t.Errorf("%v: %s, exit code %d, want %s", c.arguments, got, o.code, c.want)
		}
	}
	for _, arguments := range [][]string{{"--preview", "audit"}, {"--preview-mutate"}} {
		o := headroom(t, dir, "", append([]string{"lint", "deploy"}, arguments...)...)
		if o.code != 2 || !strings.Contains(o.stderr, "--preview") {
			t.Errorf("%v: exit code %d, %s", arguments, o.code, o.stderr)
		}
	}
}
