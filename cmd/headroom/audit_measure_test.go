package main

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"k8s.io/client-go/rest"
)

func TestMeasureFlags(t *testing.T) {
	t.Setenv(tokenVariable, "")
	const local = "--prometheus=http://localhost:9090"
	for _, test := range []struct{ arguments, want string }{
		{"", ""},
		{local, "Prometheus at http://localhost:9090, last 7d"},
		{local + " --prometheus-window=36h", "Prometheus at http://localhost:9090, last 1d12h"},
		{"--vpa", "recommendations of VerticalPodAutoscalers"},
		{"--vpa " + local, "Prometheus at http://localhost:9090, last 7d; where that knows nothing, recommendations"},
		{"--prometheus=localhost:9090", "error: --prometheus takes a URL, such as"},
		{local + " --prometheus-header=secret", "error: --prometheus-header takes NAME: VALUE, as in 'X-Scope-OrgID: team-a'"},
		{local + " --prometheus-header=X-Scope-OrgID:a", "Prometheus at"},
		{`--prometheus-matcher=a="b"`, "error: flags such as --prometheus-token-file need --prometheus URL"},
		{local + " --prometheus-window=0d", "error: --prometheus-window, --prometheus-step and --prometheus-timeout have to be longer"},
		{local + " --prometheus-window=soon", "error: not a duration such as 7d"},
	} {
		arguments, want := test.arguments, test.want
		var f measureFlags
		flags := pflag.NewFlagSet("audit", pflag.ContinueOnError)
		f.add(flags)
		err := flags.Parse(strings.Fields(arguments))
		got := ""
		if err == nil {
			source, failed := f.source(&rest.Config{Host: "https://localhost:1"})
			if err = failed; source != nil {
				got = source.Describe()
			}
		}
		wanted, bad := strings.CutPrefix(want, "error: ")
		switch {
		case bad && (err == nil || !strings.Contains(err.Error(), wanted) || strings.Contains(err.Error(), "secret")):
			t.Errorf("%s: %v, want %s", arguments, err, wanted)
		case !bad && (err != nil || !strings.HasPrefix(got, want) || (want == "") != (got == "")):
			t.Errorf("%s: %q, %v; want %q", arguments, got, err, want)
		}
	}

	// A token in the environment is as good as one in a file: not for plain HTTP elsewhere.
	t.Setenv(tokenVariable, "s3cret")
	var f measureFlags
	f.add(pflag.NewFlagSet("audit", pflag.ContinueOnError))
	f.prometheus.URL = "http://prometheus.example"
	if _, err := f.source(nil); err == nil || !strings.Contains(err.Error(), "plain HTTP") ||
		strings.Contains(err.Error(), "s3cret") {
		t.Error(err)
	}
}
