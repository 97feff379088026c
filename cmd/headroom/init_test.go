package main

import (
	"strings"
	"testing"
)

// TestNext: what is printed can be typed.
func TestNext(t *testing.T) {
	for name, c := range map[string]struct {
		flags, args, want []string
		unread            bool
	}{
		"here": {args: []string{"."}, want: []string{
			"headroom lint . --baseline headroom-baseline.yaml   # fails", "headroom lint . --changed-since origin/trunk        # in",
		}},
		"odd paths": {args: []string{"my apps", "it's", "-x", "$(a)"}, want: []string{
			`headroom lint 'my apps' 'it'\''s' ./-x '$(a)' --baseline headroom-baseline.yaml `,
		}},
		"a cluster": {flags: []string{"--live", "-A", "--context", "blue green", "--token", "secret"}, want: []string{
			"headroom audit --context 'blue green' -A --baseline headroom-baseline.yaml ",
		}},
		"unread":      {args: []string{"k8s"}, want: []string{"headroom lint k8s --write-baseline=headroom-baseline.yaml "}, unread: true},
		"a namespace": {flags: []string{"--live", "-n", "shop"}, want: []string{"headroom audit --namespace shop --baseline "}},
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
			f.next(&said, c.args, !c.unread, "origin/trunk")
			for _, want := range c.want {
				if !strings.Contains(said.String(), "\n  "+want) || strings.Contains(said.String(), "secret") {
					t.Errorf("%s", said.String())
				}
			}
		})
	}
}
