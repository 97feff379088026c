//go:build integration

package cli

import (
	"os"
	"strings"
	"testing"
)

// Mistakes that people make are told of, with what they may have meant; none is passed over.
func TestMistakes(t *testing.T) {
	dir := write(t, map[string]string{"good.yaml": sound, "known.yaml": "schema: headroom.dev/baseline/v1\nfindings: []\n"})
	for arguments, want := range map[string]string{
		"lint good.yaml --color maybe":                  `"--color" flag: it is not one of auto, always, never`,
		"explain good.yaml --color maybe":               `"--color" flag: it is not one of auto, always, never`,
		"lint good.yaml --write-baseline new.yaml":      "new.yaml: no such file or folder; did you mean --write-baseline=new.yaml?",
		"lint good.yaml --write-baseline known.yaml":    "known.yaml is a baseline; did you mean --write-baseline=known.yaml?",
		"audit --write-baseline new.yaml":               "did you mean --write-baseline=new.yaml?",
		"audit --cluster-name eu":                       "--cluster-name is for an audit that goes on: it needs --watch",
		"audit --prometheus-every 30m":                  "--prometheus-every is for an audit that goes on: it needs --watch",
		"lint good.yaml --values gone.yaml":             "--values is for Helm charts: it needs --helm-chart PATH",
		"fix good.yaml --set a=b":                       "--set is for Helm charts: it needs --helm-chart PATH",
		"lint good.yaml --release-name shop":            "--release-name is for Helm charts: it needs --helm-chart PATH",
		"lint good.yaml -n shop":                        "--namespace is for Helm charts: it needs --helm-chart PATH",
		"explain good.yaml --set a=b":                   "--set is for Helm charts: it needs --helm-chart PATH",
		"annotate good.yaml --vpa --set a=b":            "--set is for Helm charts: it needs --helm-chart PATH",
		"policies kyvern":                               `headroom policies has no "kyvern"; there are gatekeeper, kyverno, native`,
		"completion bsh":                                `headroom completion has no "bsh"; there are bash, fish, kubectl, powershell, zsh`,
		"policies kyverno":                              "name the folder for them, as in -o policies",
		"lint --nope":                                   "unknown flag: --nope; headroom lint --help lists the flags",
		"rules HR303 jvm-headrom":                       `there is no rule "jvm-headrom", did you mean HR303 jvm-headroom?`,
		"lint good.yaml --config gone.yaml":             "headroom: gone.yaml: no such file or folder\n",
		"simulate gone.yaml":                            "headroom: gone.yaml: no such file or folder\n",
		"annotate good.yaml --measured gone.json":       "headroom: gone.json: no such file or folder\n",
		"lint good.yaml --baseline gone.yaml":           "the baseline gone.yaml: no such file or folder\n",
		"lint good.yaml -o json=gone/x":                 "json output: write gone/x: no such file or directory\n",
		"lint good.yaml --write-baseline=gone/x":        "the baseline: write gone/x: no such file or directory\n",
		"policies native -o gone/x":                     "headroom: write gone/x: no such file or directory\n",
		"diagnose cart --fail-on info":                  "is not one of error, warning, never",
		"policies gatekeeper --output=gone/gatekeeper/": "headroom: write gone/gatekeeper/: no such file or directory\n",
	} {
		got := headroom(t, dir, "", strings.Fields(arguments)...)
		if got.code != 2 || got.stdout != "" || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: exit code %d, want %q:\n%s%s", arguments, got.code, want, got.stdout, got.stderr)
		}
	}
	if _, err := os.Stat(dir + "/headroom-baseline.yaml"); err == nil {
		t.Error("a baseline was written")
	}
}

// Without a kubeconfig no cluster is asked that happens to be on this machine.
func TestNoKubeconfig(t *testing.T) {
	dir := write(t, map[string]string{"good.yaml": sound, "empty": "apiVersion: v1\nkind: Config\n"})
	for file, want := range map[string]string{
		"/gone": "there is no kubeconfig: KUBECONFIG names /gone, which does not exist",
		"empty": "the kubeconfig empty names no cluster",
		"":      "does not exist, and neither KUBECONFIG nor --kubeconfig names another",
	} {
		t.Setenv("KUBECONFIG", file)
		t.Setenv("HOME", dir)
		for _, arguments := range []string{"audit", "diagnose cart", "explain deploy/cart", "annotate good.yaml --vpa"} {
			got := headroom(t, dir, "", strings.Fields(arguments)...)
			if got.code != 2 || got.stdout != "" || !strings.Contains(got.stderr, want) {
				t.Errorf("%s: exit code %d, want %q:\n%s%s", arguments, got.code, want, got.stdout, got.stderr)
			}
		}
	}
}

// What is typed first is answered.
func TestAsked(t *testing.T) {
	dir := write(t, map[string]string{"good.yaml": sound})
	for arguments, want := range map[string]string{
		"--version":                        "headroom version ",
		"rules HR303 hr304":                "HR304",
		"rules HR303 HR304 -o json":        `"rule": "HR304"`,
		"lint --help":                      "      --write-baseline[=FILE]         write what is found",
		"audit --help":                     " --write-baseline[=FILE] ",
		"policies":                         "Available Commands:",
		"policies native --output -":       "kind: ValidatingAdmissionPolicy\n",
		"policies gatekeeper -o -":         "kind: ConstraintTemplate\n",
		"__complete lint --fail-on ":       "error\nwarning\ninfo\nnever\n:4\n",
		"__complete lint -o ":              "sarif\njunit\n",
		"__complete audit --preview ":      "enforce\nwarn\n:4\n",
		"__complete explain --color ":      "auto\nalways\nnever\n:4\n",
		"__complete explain -o ":           "text\njson\nhtml\nsvg\n",
		"__complete lint -o json=":         "\n:0\n",
		"__complete fix good.yaml --rule ": "HR302\t",
	} {
		list := strings.Fields(arguments)
		if strings.HasSuffix(arguments, " ") {
			list = append(list, "")
		}
		got := headroom(t, dir, "", list...)
		if got.code != 0 || !strings.Contains("\n"+got.stdout, want) {
			t.Errorf("%s: exit code %d, want %q:\n%s%s", arguments, got.code, want, got.stdout, got.stderr)
		}
	}
}
