package gatekeeper

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/format"
	"go.yaml.in/yaml/v3"
)

// documents are what Write writes, read back.
func documents(t *testing.T, o Options) (template, []constraint) {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, o); err != nil {
		t.Fatal(err)
	}
	decoder := yaml.NewDecoder(&out)
	var packed template
	if err := decoder.Decode(&packed); err != nil {
		t.Fatal(err)
	}
	var all []constraint
	for {
		var c constraint
		if err := decoder.Decode(&c); err == io.EOF {
			return packed, all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
}

// Gatekeeper finds imports wherever a module uses them, but not every reference to data.
func TestLibrariesAreReachedByImports(t *testing.T) {
	packed, _ := documents(t, Options{Action: "warn"})
	code := packed.Spec.Targets[0].Code[0].Source
	modules := map[string]*ast.Module{}
	for _, text := range append(code.Libs, code.Rego) {
		if strings.Contains(text, "#") && strings.Contains(text, "METADATA") {
			t.Errorf("a comment is left:\n%s", text)
		}
		module, err := parse("", text)
		if err != nil {
			t.Fatal(err)
		}
		for _, rule := range module.Rules {
			ast.WalkRefs(rule, func(ref ast.Ref) bool {
				if ref.HasPrefix(ast.DefaultRootRef) && !inventory(ref) {
					t.Errorf("%s: %s", module.Package, ref)
				}
				return false
			})
		}
		modules[text] = module
	}
	compiler := ast.NewCompiler().WithStrict(true)
	if compiler.Compile(modules); compiler.Failed() {
		t.Error(compiler.Errors)
	}
}

func TestAdapterIsFormatted(t *testing.T) {
	formatted, err := format.SourceWithOpts("violation.rego", []byte(violation), format.Opts{RegoVersion: ast.RegoV1})
	if err != nil {
		t.Fatal(err)
	}
	if string(formatted) != violation {
		t.Error("run `opa fmt --write policies/export/gatekeeper`")
	}
}

func TestConstraints(t *testing.T) {
	config := map[string]any{"apiVersion": "headroom.dev/v1alpha1", "kind": "Config", "tolerance": 0.5}
	for action, want := range map[string]string{
		"warn":   "headroom warn error,warning,info",
		"dryrun": "headroom dryrun error,warning,info",
		"deny":   "headroom deny error; headroom-advice warn warning,info",
	} {
		_, all := documents(t, Options{Action: action, Config: config, Excluded: []string{"kube-system"}})
		var got []string
		for _, c := range all {
			got = append(got, strings.Join([]string{
				c.Metadata.Name, c.Spec.EnforcementAction, strings.Join(c.Spec.Parameters.Severities, ","),
			}, " "))
			if parameters := c.Spec.Parameters.Config; len(parameters) != 1 || parameters["tolerance"] != 0.5 {
				t.Errorf("config is %v", parameters)
			}
			if len(c.Spec.Match.ExcludedNamespaces) != 1 {
				t.Errorf("excluded are %v", c.Spec.Match.ExcludedNamespaces)
			}
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s gives %q", action, got)
		}
	}
	if len(config) != 3 {
		t.Error("the caller's config was changed")
	}
	if err := Write(io.Discard, Options{Action: "refuse"}); err == nil {
		t.Error("no error for an action that Gatekeeper does not have")
	}
}

func TestEveryKindWithAPodTemplateIsMatched(t *testing.T) {
	_, all := documents(t, Options{Action: "warn"})
	matched := map[string]bool{}
	for _, k := range all[0].Spec.Match.Kinds {
		for _, name := range k.Kinds {
			matched[k.APIGroups[0]+"/"+name] = true
		}
	}
	for _, want := range []string{
		"/Pod", "/ReplicationController", "/PodTemplate", "/Namespace", "apps/Deployment", "apps/StatefulSet",
		"apps/DaemonSet", "apps/ReplicaSet", "batch/Job", "batch/CronJob",
	} {
		if !matched[want] {
			t.Errorf("%s is not matched: %v", want, matched)
		}
	}
}
