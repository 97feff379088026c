//go:build integration

package cli

import (
	"strings"
	"testing"
)

// Objects that were read from a cluster are judged without their Namespace unless it is there, too, and that is said.
func TestObjectsOfAClusterWithoutTheirNamespace(t *testing.T) {
	live := strings.Replace(limited, "{name: cart}", "{name: cart, namespace: shop, uid: 1-2}", 1)
	const namespace = "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n"
	other := "---\n" + strings.Replace(live, "namespace: shop", "namespace: till", 1)
	for name, c := range map[string]struct{ text, want string }{
		"alone":               {live, "`headroom audit -n shop --preview enforce` judges with them"},
		"of several":          {live + other, "`headroom audit -A --preview enforce` judges with them"},
		"with its Namespace":  {live + namespace, ""},
		"of a repository":     {strings.Replace(live, ", uid: 1-2", "", 1), ""},
		"of no namespace":     {strings.Replace(live, "namespace: shop, ", "", 1), ""},
		"one of both is bare": {live + namespace + other, "`headroom audit -n till --preview enforce`"},
	} {
		for _, arguments := range [][]string{{"lint", "-"}, {"lint", "-", "-o", "json"}} {
			out := headroom(t, t.TempDir(), c.text, arguments...)
			if said := strings.Contains(out.stderr, "come from a cluster"); out.code != 1 || said != (c.want != "") ||
				!strings.Contains(out.stderr, c.want) || strings.Contains(out.stdout, "come from a cluster") {
				t.Errorf("%s: exit code %d, %s", name, out.code, out.stderr)
			}
		}
	}
}
