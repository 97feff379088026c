package main

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

// TestWatchFlags: what an audit without end does not heed is refused, and it asks a Prometheus as one run does.
func TestWatchFlags(t *testing.T) {
	for arguments, want := range map[string]string{
		"": "",
		"--prometheus=http://localhost:9090 --prometheus-window=2d --prometheus-every=30m": "",
		"--vpa":         "--vpa says nothing to it",
		"--preview=off": "--preview says nothing to it",
	} {
		var watch watchFlags
		var measured measureFlags
		flags := pflag.NewFlagSet("audit", pflag.ContinueOnError)
		flags.String("preview", "", "")
		measured.add(flags)
		watch.add(flags)
		if err := flags.Parse(strings.Fields(arguments)); err != nil {
			t.Fatal(err)
		}
		err := watch.check()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", arguments, err)
		}
		if every := watch.MeasureEvery; every != time.Hour && (want != "" || every != 30*time.Minute) {
			t.Errorf("%s: every %v", arguments, every)
		}
	}
}
