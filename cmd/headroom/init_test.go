package main

import (
	"strings"
	"testing"
)

// TestNext: what is printed can be typed.
func TestNext(t *testing.T) {
	for name, c := range map[string]struct {
		flags, args, want []string
	}{
		"here": {nil, []string{"."}, []string{
			"headroom lint . --baseline headroom-baseline.yaml ", "headroom lint . --changed-since origin/main ",
		}},
		"odd paths": {nil, []string{"my apps", "it's", "-x", "$(a)"}, []string{
			`headroom lint 'my apps' 'it'\''s' ./-x '$(a)' --baseline headroom-baseline.yaml `,
		}},
		"a cluster": {[]string{"--live", "-A", "--context", "blue green", "--token", "secret"}, nil, []string{
			"headroom audit --context 'blue green' -A --baseline headroom-baseline.yaml ",
		}},
		"a namespace": {[]string{"--live", "-n", "shop"}, nil, []string{"headroom audit --namespace shop --baseline "}},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := initCommand()
			if err := cmd.ParseFlags(c.flags); err != nil {
				t.Fatal(err)
			}
			live, err := cmd.Flags().GetBool("live")
			if err != nil {
				t.Fatal(err)
			}
			f := initFlags{live: live, asked: askedOf(cmd.Flags())}
			var said strings.Builder
			f.next(&said, c.args)
			for _, want := range c.want {
				if !strings.Contains(said.String(), "\n  "+want) || strings.Contains(said.String(), "secret") {
					t.Errorf("%s", said.String())
				}
			}
		})
	}
}
