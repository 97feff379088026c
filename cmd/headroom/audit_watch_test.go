package main

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

// parsed are the flags of an audit that goes on.
func parsed(t *testing.T, arguments string) *watchFlags {
	t.Helper()
	var watch watchFlags
	var measured measureFlags
	flags := pflag.NewFlagSet("audit", pflag.ContinueOnError)
	flags.String("preview", "", "")
	measured.add(flags)
	watch.add(flags)
	if err := flags.Parse(strings.Fields(arguments)); err != nil {
		t.Fatal(err)
	}
	return &watch
}

// TestFlagsWithoutWatch: a flag that would have no effect is an error.
func TestFlagsWithoutWatch(t *testing.T) {
	for arguments, want := range map[string]string{
		"":                               "",
		"--watch":                        "",
		"--watch --cluster-name=a":       "",
		"--prometheus-window=2d":         "",
		"--prometheus-every=30m":         "--prometheus-every is for an audit that goes on: it needs --watch",
		"--prometheus-every=1h":          "--prometheus-every is for an audit that goes on: it needs --watch",
		"--cluster-name=a":               "--cluster-name is for an audit that goes on: it needs --watch",
		"--report-rate=5 --watch=false":  "--report-rate is for an audit that goes on: it needs --watch",
		"--log-level=debug":              "--log-level is for an audit that goes on: it needs --watch",
		"--watch --prometheus-every=30m": "",
	} {
		watch := parsed(t, arguments)
		err := watch.idle()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", arguments, err)
		}
	}
}

// TestWatchFlags: what an audit without end does not heed is refused, and it asks a Prometheus as one run does.
func TestWatchFlags(t *testing.T) {
	for arguments, want := range map[string]string{
		"": "",
		"--prometheus=http://localhost:9090 --prometheus-window=2d --prometheus-every=30m": "",
		"--vpa":         "leave out --vpa",
		"--preview=off": "leave out --preview",
	} {
		watch := parsed(t, arguments)
		err := watch.check()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", arguments, err)
		}
		if every := watch.MeasureEvery; every != time.Hour && (want != "" || every != 30*time.Minute) {
			t.Errorf("%s: every %v", arguments, every)
		}
	}
}
