package admission

import (
	"encoding/json"
	"strings"
	"testing"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	admissionv1 "k8s.io/api/admission/v1"
)

func TestMutate(t *testing.T) {
	windows := strings.Replace(pod(badSpec), `"spec":{`, `"spec":{"os":{"name":"windows"},`, 1)
	mirror := strings.Replace(pod(badSpec), `"annotations":{`, `"annotations":{"kubernetes.io/config.mirror":"1",`, 1)
	mirrored := strings.Replace(mirror, `"annotations":{`, `"ownerReferences":[{"apiVersion":"v1","kind":"Node","name":"a","uid":"1",`+
		`"controller":true}],"annotations":{`, 1)
	off := mutating(ModeOff)
	excluded := mutating(ModeWarn)
	excluded.facts.Excluded = true
	for _, c := range []struct {
		name  string
		place *place
		ask   ask
		want  string
	}{
		{"a Pod in warn mode", mutating(ModeWarn), ask{object: pod(badSpec)}, "allowed warned patched"},
		{"a Pod in enforce mode", mutating(ModeEnforce), ask{object: pod(badSpec)}, "allowed warned patched"},
		{"a Pod in audit mode", mutating(ModeAudit), ask{object: pod(badSpec)}, "allowed patched"},
		{"a dry run", mutating(ModeWarn), ask{object: pod(badSpec), extra: `,"dryRun":true`}, "allowed warned patched"},
		{"off", off, ask{object: pod(badSpec)}, "allowed"},
		{"excluded", excluded, ask{object: pod(badSpec)}, "allowed"},
		{"not asked for", in(ModeEnforce), ask{object: pod(badSpec)}, "allowed"},
		{"nothing to change", mutating(ModeWarn), ask{object: pod(goodSpec)}, "allowed"},
		{"nothing that can be changed", mutating(ModeWarn), ask{object: pod(worseSpec)}, "allowed"},
		{"an update", mutating(ModeWarn), ask{operation: "UPDATE", object: pod(badSpec), old: pod(badSpec)}, "allowed"},
		{"a resize", mutating(ModeWarn), ask{operation: "UPDATE", subresource: "resize", object: pod(badSpec)}, "allowed"},
		{"a workload", mutating(ModeWarn), ask{kind: "Deployment", object: deployment(badSpec)}, "allowed"},
		{"a Windows Pod", mutating(ModeWarn), ask{object: windows}, "allowed"},
		{"a mirror Pod", mutating(ModeWarn), ask{object: mirrored}, "allowed"},
		{"a Pod that says it is one", mutating(ModeWarn), ask{object: mirror}, "allowed warned patched"},
	} {
		if got := answerTo(t, handlers(c.place).Mutate, c.ask); said(got) != c.want {
			t.Errorf("%s: %s, want %s\n%+v", c.name, said(got), c.want, got)
		}
	}
}

func TestPatch(t *testing.T) {
	// What this build does not know survives, byte for byte (F28).
	unknown := `"future":{"b":1.50,"a":[1e2,"\u00fc"]}`
	object := strings.Replace(pod(badSpec), `"spec":{`, `"spec":{`+unknown+`,`, 1)
	h := handlers(mutating(ModeWarn))
	first := answerTo(t, h.Mutate, ask{object: object})
	if first.PatchType == nil || *first.PatchType != admissionv1.PatchTypeJSONPatch {
		t.Fatal(first)
	}
	patch, err := jsonpatch.DecodePatch(first.Patch)
	if err != nil {
		t.Fatal(err)
	}
	fixed, err := patch.Apply([]byte(object))
	if err != nil {
		t.Fatalf("%v: %s", err, first.Patch)
	}
	if !strings.Contains(string(fixed), unknown) {
		t.Errorf("a field that nobody knows has changed: %s", fixed)
	}
	var after struct {
		Metadata struct{ Annotations map[string]string }
		Spec     struct {
			Containers []struct {
				Resources struct{ Requests, Limits map[string]string }
			}
		}
	}
	if err := json.Unmarshal(fixed, &after); err != nil {
		t.Fatal(err)
	}
	resources := after.Spec.Containers[0].Resources
	if resources.Limits["cpu"] != "" || resources.Requests["memory"] != "512Mi" || resources.Requests["cpu"] != "1" {
		t.Errorf("%s", fixed)
	}
	applied := after.Metadata.Annotations["headroom.dev/applied"]
	entry := `{"rule":"HR202","container":"app","path":"/spec/containers/0/resources/limits/cpu","old":"2"}`
	if !strings.Contains(applied, entry) {
		t.Errorf("%s", applied)
	}
	t.Log("\n" + strings.Join(first.Warnings, "\n"))
	if !strings.HasPrefix(first.Warnings[0], "[HR202] container app: removed limits.cpu 2; why: limits.cpu is 2") {
		t.Errorf("%q", first.Warnings)
	}
	// Asked again, with what it has made of it, there is nothing left to say or to refuse.
	if second := answerTo(t, h.Mutate, ask{object: string(fixed)}); said(second) != "allowed" {
		t.Errorf("%+v", second)
	}
	strict := handlers(mutating(ModeEnforce)).ValidateEnforce
	if judged := answerTo(t, strict, ask{object: string(fixed)}); said(judged) != "allowed" {
		t.Errorf("%+v", judged)
	}
}

func TestAPodWithoutAName(t *testing.T) {
	object := strings.Replace(pod(worseSpec), `"name":"web"`, `"generateName":"web-7d4b9-"`, 1)
	r := answerTo(t, handlers(in(ModeEnforce)).Validate, ask{object: object})
	if r.Allowed || !strings.HasPrefix(r.Result.Message, "headroom refuses Pod shop/web-7d4b9-*, for 1 error:") {
		t.Errorf("%+v", r.Result)
	}
}

func TestOwnersReachTheSurroundings(t *testing.T) {
	p := in(ModeWarn)
	object := strings.Replace(pod(goodSpec), `"name":"web"`, `"name":"web","ownerReferences":[{"apiVersion":"batch/v1",`+
		`"kind":"Job","name":"report-1","uid":"7","controller":true,"blockOwnerDeletion":true},{"kind":"Other"}]`, 1)
	answerTo(t, handlers(p).Validate, ask{object: object})
	if len(p.asked) != 1 || p.asked[0].Kind != "Pod" || len(p.asked[0].Owners) != 2 {
		t.Fatalf("%+v", p.asked)
	}
	if o := p.asked[0].Owners[0]; o.APIVersion != "batch/v1" || o.Kind != "Job" || o.Name != "report-1" || o.UID != "7" ||
		o.Controller == nil || !*o.Controller {
		t.Errorf("%+v", o)
	}
}
