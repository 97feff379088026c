package sentences_test

import (
	"slices"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/lint/source"
)

func TestNotRead(t *testing.T) {
	for _, c := range []struct {
		found []report.Unread
		want  []string
	}{
		{nil, nil},
		{
			[]report.Unread{{File: "a/.b", Reason: report.DotFolder}},
			[]string{"not read: 1 dot folder (a/.b); --hidden reads it"},
		},
		{
			[]report.Unread{
				{File: ".a", Reason: report.DotFolder},
				{File: "x.yaml.tpl", Reason: string(source.Unnamed)},
				{File: ".b", Reason: report.DotFolder},
				{File: "x\x1b[2J", Reason: string(source.DeadLink)},
				{File: ".c", Reason: report.DotFolder},
				{File: "y.yaml.tpl", Reason: string(source.Unnamed)},
				{File: "z", Reason: string(source.DeadLink)},
				{File: ".d", Reason: report.DotFolder},
				{File: "p.yaml", Reason: string(source.NoFile)},
			},
			[]string{
				"not read: 4 dot folders (.a, .b, .c, …); --hidden reads them",
				"not read: 2 files whose names do not end in .yaml, .yml or .json (x.yaml.tpl, y.yaml.tpl)",
				"not read: 2 links that lead nowhere (x\\x1b[2J, z)",
				"not read: 1 pipe or device (p.yaml)",
			},
		},
	} {
		if got := sentences.NotRead(c.found); !slices.Equal(got, c.want) {
			t.Errorf("%q\nwant\n%q", got, c.want)
		}
	}
	if report.DotFolder != string(source.DotFolder) {
		t.Error("a report does not know the reason of the sources")
	}
}
