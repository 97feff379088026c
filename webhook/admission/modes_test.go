package admission

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/policies/engine"
)

// said is an answer in short.
func said(r *admissionv1.AdmissionResponse) string {
	var words []string
	if r.Allowed {
		words = append(words, "allowed")
	} else {
		words = append(words, "refused")
	}
	if len(r.Warnings) > 0 {
		words = append(words, "warned")
	}
	if r.Patch != nil {
		words = append(words, "patched")
	}
	if r.AuditAnnotations[auditFindings] != "" {
		words = append(words, "noted")
	}
	if r.AuditAnnotations[auditRefuse] != "" {
		words = append(words, "would-refuse")
	}
	return strings.Join(words, " ")
}

// inBlue is an enforce namespace that allocates one CPU to each of its Pods.
func inBlue(t *testing.T, annotations map[string]any) *place {
	t.Helper()
	around, err := engine.NewContext("shop", map[string][]map[string]any{
		"namespaces": {{"metadata": map[string]any{"name": "shop", "annotations": annotations}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return &place{facts: Facts{Mode: ModeEnforce, Around: around, Fingerprint: jsonOf(t, annotations)}}
}

func tenantPod(limit, annotations string) string {
	return `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","annotations":{"headroom.dev/workload-class":"multi-tenant"` +
		annotations + `}},"spec":{"containers":[{"name":"app","image":"app:1","resources":{"requests":{"cpu":"100m","memory":"64Mi"},` +
		`"limits":{"cpu":"` + limit + `","memory":"64Mi"}}}]}}`
}

// A Pod that has more than its allocation already may get less, and no more than that.
func TestAResizeMayNotGetWorse(t *testing.T) {
	for _, c := range []struct{ allocation, from, to, want string }{
		{"1", "1", "1", "allowed"},
		{"1", "1", "32", "refused noted would-refuse"},
		{"1", "2", "1", "allowed"},
		{"1", "2", "1500m", "allowed warned noted"},
		{"1", "2", "2", "allowed warned noted"},
		{"1", "2", "32", "refused noted would-refuse"},
		{"lots", "2", "1", "allowed warned noted"},
		{"lots", "2", "32", "refused noted would-refuse"},
	} {
		h := handlers(inBlue(t, map[string]any{"headroom.dev/cpu-allocation": c.allocation})).ValidateEnforce
		r := answerTo(t, h, ask{operation: "UPDATE", subresource: "resize", object: tenantPod(c.to, ""), old: tenantPod(c.from, "")})
		if said(r) != c.want {
			t.Errorf("of %s, from %s to %s: %s, not %s", c.allocation, c.from, c.to, said(r), c.want)
		}
	}
}

// A resize is judged with what the process was started for: another decision for each Pod that there was.
func TestResizeOfAJVM(t *testing.T) {
	java := func(memory string) string {
		return `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"blue"},"spec":{"containers":[{"name":"app",` +
			`"image":"a:1","command":["java","-XX:MaxRAMPercentage=50","-jar","a.jar"],` +
			`"resources":{"requests":{"cpu":"1","memory":"` + memory + `"},"limits":{"memory":"` + memory + `"}}}]}}`
	}
	h := handlers(inBlue(t, nil)).ValidateEnforce
	for from, want := range map[string]bool{"8Gi": false, "2Gi": true} {
		r := answerTo(t, h, ask{operation: "UPDATE", subresource: "resize", object: java("2Gi"), old: java(from)})
		if r.Allowed != want {
			t.Errorf("from %s to 2Gi: allowed %t: %+v", from, r.Allowed, r.Result)
		}
		if !want && !strings.Contains(r.Result.Message, "[HR606]") {
			t.Errorf("refused for something else: %s", r.Result.Message)
		}
	}
}

// What a Namespace says bounds what a workload says (H1, H2, M2, M5).
func TestBoundsOfANamespace(t *testing.T) {
	tenants := map[string]any{"headroom.dev/allowed-classes": "multi-tenant", "headroom.dev/cpu-allocation": "1"}
	job := strings.NewReplacer("apps/v1", "batch/v1", `"Deployment"`, `"Job"`).Replace(deployment(goodSpec))
	mirror := strings.Replace(deployment(badSpec), `"name":"web"`, `"name":"web","annotations":{"kubernetes.io/config.mirror":"1"}`, 1)
	for _, c := range []struct {
		name string
		ask  ask
		want string
	}{
		{"within", ask{object: tenantPod("1", "")}, "allowed"},
		{"over", ask{object: tenantPod("32", "")}, "refused noted would-refuse"},
		{"over, and says so", ask{object: tenantPod("32", `,"headroom.dev/cpu-allocation":"32"`)}, "refused noted would-refuse"},
		{"over, and exempted", ask{object: tenantPod("32", `,"ignore.headroom.dev/HR207":"known"`)}, "refused noted would-refuse"},
		{"a Job", ask{kind: "Job", object: job}, "refused noted would-refuse"},
		{"a mirror that is none", ask{kind: "Deployment", object: mirror}, "refused noted would-refuse"},
	} {
		if r := answerTo(t, handlers(inBlue(t, tenants)).ValidateEnforce, c.ask); said(r) != c.want {
			t.Errorf("%s: %s, not %s: %+v", c.name, said(r), c.want, r)
		}
	}
}

// An exemption is a decision that somebody should see (M5).
func TestAnExemptionIsNotSilent(t *testing.T) {
	pod := strings.Replace(tenantPod("2", `,"headroom.dev/cpu-average":"2","ignore.headroom.dev/HR204":"REASON"`), "multi-tenant", "batch", 1)
	for reason, want := range map[string]string{
		"known to us": "[HR204] container app: exempted by ignore.headroom.dev: known to us",
		"\u200b":      "",
		"...":         "",
	} {
		h := handlers(inBlue(t, nil))
		r := answerTo(t, h.ValidateEnforce, ask{object: strings.Replace(pod, "REASON", reason, 1)})
		if r.Allowed != (want != "") {
			t.Errorf("%q: allowed is %v", reason, r.Allowed)
		}
		if want != "" && (!slices.Contains(r.Warnings, want) || r.AuditAnnotations[auditExempted] != "HR204 app (annotation: known to us)") {
			t.Errorf("%q: %q, %q", reason, r.Warnings, r.AuditAnnotations)
		}
	}
}

// A label that means nothing is said in every mode, once for an object: the mode that was meant may be another.
func TestAnOddLabelWarns(t *testing.T) {
	const odd = "the label headroom.dev/mode=enforced of namespace shop means nothing"
	for _, mode := range modes {
		p := in(mode)
		p.facts.Odd, p.facts.Mutate = []string{odd}, true
		h := handlers(p)
		count := func(warnings []string) (n int) {
			for _, w := range warnings {
				if w == odd {
					n++
				}
			}
			return n
		}
		object := ask{object: `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[{"name":"a"}]}}`}
		if n := count(answerTo(t, h.Validate, object).Warnings); n != 1 {
			t.Errorf("%s: %d warnings", mode, n)
		}
		if n := count(answerTo(t, h.Mutate, object).Warnings); n != 0 {
			t.Errorf("%s, mutate: %d warnings", mode, n)
		}
	}
}

func TestModes(t *testing.T) {
	newer := strings.Replace(deployment(badSpec), "app:1", "app:2", 1)
	rollout := strings.NewReplacer("apps/v1", "argoproj.io/v1alpha1", "Deployment", "Rollout").Replace(deployment(badSpec))
	scaled := strings.Replace(deployment(badSpec), `"replicas":1`, `"replicas":9`, 1)
	exempt := strings.Replace(deployment(badSpec), `"name":"web"`,
		`"name":"web","annotations":{"ignore.headroom.dev/HR202":"known","ignore.headroom.dev/HR302":"known"}`, 1)
	labelled := strings.Replace(deployment(badSpec), `"name":"web"`, `"name":"web","annotations":{"team":"a"}`, 1)
	deleting := strings.Replace(newer, `"name":"web"`, `"name":"web","deletionTimestamp":"2026-11-21T10:00:00Z"`, 1)
	resized := strings.Replace(pod(worseSpec), `"cpu":"1"`, `"cpu":"3"`, 1)
	limited := strings.Replace(pod(goodSpec), `"limits":{`, `"limits":{"cpu":"3",`, 1)
	create, update := "CREATE", "UPDATE"
	for _, c := range []struct {
		name                  string
		ask                   ask
		audit, warn           string // in these modes
		enforce, withMutation string // in enforce mode, and where Pods are mutated too
	}{
		{"a Pod with nothing to find", ask{object: pod(goodSpec)}, "allowed", "allowed", "allowed", "allowed"},
		{
			"a Pod",
			ask{object: pod(badSpec)},
			"allowed noted would-refuse", "allowed warned noted would-refuse",
			"refused noted would-refuse", "refused noted would-refuse",
		},
		{
			"a Deployment",
			ask{kind: "Deployment", object: deployment(badSpec)},
			"allowed noted would-refuse",
			"allowed warned noted would-refuse", "refused noted would-refuse", "allowed warned noted",
		},
		{
			"a Rollout",
			ask{kind: "Rollout", object: rollout},
			"allowed noted would-refuse",
			"allowed warned noted would-refuse", "refused noted would-refuse", "allowed warned noted",
		},
		{
			"an update of it that changes nothing there",
			ask{kind: "Rollout", operation: update, object: rollout, old: rollout},
			"allowed noted", "allowed warned noted", "allowed warned noted", "allowed warned noted",
		},
		{
			"a Deployment that nobody can fix",
			ask{kind: "Deployment", object: deployment(worseSpec)},
			"allowed noted would-refuse", "allowed warned noted would-refuse", "refused noted would-refuse",
			"refused noted would-refuse",
		},
		{
			"an update",
			ask{kind: "Deployment", operation: update, object: newer, old: deployment(badSpec)},
			"allowed noted would-refuse", "allowed warned noted would-refuse", "refused noted would-refuse",
			"allowed warned noted",
		},
		{
			"an update of the replicas",
			ask{kind: "Deployment", operation: update, object: scaled, old: deployment(badSpec)},
			"allowed noted", "allowed warned noted", "allowed warned noted", "allowed warned noted",
		},
		{
			"an update of another annotation",
			ask{kind: "Deployment", operation: update, object: labelled, old: deployment(badSpec)},
			"allowed noted", "allowed warned noted", "allowed warned noted", "allowed warned noted",
		},
		{
			"an exemption removed",
			ask{kind: "Deployment", operation: update, object: deployment(badSpec), old: exempt},
			"allowed noted would-refuse", "allowed warned noted would-refuse", "refused noted would-refuse",
			"allowed warned noted",
		},
		{
			"an update while being deleted",
			ask{kind: "Deployment", operation: update, object: deleting, old: deployment(badSpec)},
			"allowed noted", "allowed warned noted", "allowed warned noted", "allowed warned noted",
		},
		{
			"a resize that makes it no worse",
			ask{operation: update, subresource: "resize", object: resized, old: pod(worseSpec)},
			"allowed noted", "allowed warned noted", "allowed warned noted", "allowed warned noted",
		},
		{
			"a resize that does",
			ask{operation: update, subresource: "resize", object: limited, old: pod(goodSpec)},
			"allowed noted would-refuse", "allowed warned noted would-refuse", "refused noted would-refuse",
			"refused noted would-refuse",
		},
		{
			"a Pod's update",
			ask{operation: update, object: pod(badSpec), old: pod(badSpec)},
			"allowed", "allowed", "allowed", "allowed",
		},
		{
			"a debug container",
			ask{operation: update, subresource: "ephemeralcontainers", object: pod(badSpec)},
			"allowed", "allowed", "allowed", "allowed",
		},
		{
			"a binding",
			ask{kind: "Binding", operation: create, subresource: "binding", object: `{}`},
			"allowed", "allowed", "allowed", "allowed",
		},
		{
			"a scale",
			ask{kind: "Scale", operation: update, subresource: "scale", object: `{}`},
			"allowed", "allowed", "allowed", "allowed",
		},
		{
			"a deletion",
			ask{kind: "Deployment", operation: "DELETE", old: deployment(badSpec)},
			"allowed", "allowed", "allowed", "allowed",
		},
		{
			"a kind without a template",
			ask{kind: "Service", object: `{"apiVersion":"v1","kind":"Service","metadata":{}}`},
			"allowed", "allowed", "allowed", "allowed",
		},
	} {
		for _, mode := range []struct {
			place *place
			want  string
		}{
			{in(ModeOff), "allowed"},
			{in(ModeAudit), c.audit},
			{in(ModeWarn), c.warn},
			{in(ModeEnforce), c.enforce},
			{mutating(ModeEnforce), c.withMutation},
			{&place{facts: Facts{Mode: ModeEnforce, Excluded: true}}, "allowed"},
		} {
			h := handlers(mode.place)
			got := answerTo(t, h.Validate, c.ask)
			if said(got) != mode.want {
				t.Errorf("%s in %+v: %s, want %s\n%+v", c.name, mode.place.facts, said(got), mode.want, got)
			}
			// Asked on the path for enforce, the namespace is in that mode, whatever the cache has.
			want := c.enforce
			switch {
			case mode.place.facts.Excluded:
				want = "allowed"
			case mode.place.facts.Mutate:
				want = c.withMutation
			}
			if strict := answerTo(t, h.ValidateEnforce, c.ask); said(strict) != want {
				t.Errorf("%s in %+v: the path for enforce says %s, want %s", c.name, mode.place.facts, said(strict), want)
			}
			c.ask.extra = `,"options":{"dryRun":["All"]}`
			if dry := answerTo(t, h.Validate, c.ask); said(dry) != said(got) || len(dry.Warnings) != len(got.Warnings) {
				t.Errorf("%s in %+v: a dry run says %s", c.name, mode.place.facts, said(dry))
			}
		}
	}
}

func TestRefusal(t *testing.T) {
	h := handlers(in(ModeEnforce))
	r := answerTo(t, h.Validate, ask{kind: "Deployment", object: deployment(badSpec)})
	if r.Result.Code != http.StatusForbidden || r.Result.Reason != metav1.StatusReasonForbidden || len(r.Warnings) > 0 {
		t.Errorf("%+v", r.Result)
	}
	for _, part := range []string{
		"headroom refuses Deployment shop/web, for 2 errors:\n",
		"\n[HR202] container app: resources.limits.cpu\n  is:   limits.cpu is 2",
		"\n  want: no CPU limit;",
		"\n[HR302] container app: resources.",
		"\nfix:    `headroom fix FILE` does what is wanted above\n",
		"`headroom rules HR302`",
		"ignore.headroom.dev/HR302: \"<reason>\"",
	} {
		if !strings.Contains(r.Result.Message, part) {
			t.Errorf("no %q in\n%s", part, r.Result.Message)
		}
	}
	if c := r.Result.Details.Causes; len(c) != 2 || c[1].Type != "HR202" ||
		c[1].Field != "/spec/template/spec/containers/0/resources/limits/cpu" {
		t.Errorf("%+v", c)
	}
	t.Log(r.Result.Message)
}

// The answer stays small for any number of containers and any names.
func TestAnswersAreBounded(t *testing.T) {
	var containers []string
	for i := range 100 {
		containers = append(containers, fmt.Sprintf(`{"name":"%s%d","image":"a","resources":{"requests":{"memory":"%dMi"},"limits":{"memory":"4Gi"}}}`,
			strings.Repeat("ü\\u202e ", 500), i, i+100))
	}
	object := pod(`{"containers":[` + strings.Join(containers, ",") + `]}`)
	for _, mode := range []string{ModeAudit, ModeWarn, ModeEnforce} {
		w := post(t, handlers(in(mode)).Validate, ask{object: object}.body())
		if w.Body.Len() > 64<<10 || strings.Contains(w.Body.String(), "\u202e") {
			t.Errorf("%s: %d bytes", mode, w.Body.Len())
		}
	}
	r := answerTo(t, handlers(in(ModeWarn)).Validate, ask{object: object})
	if len(r.Warnings) != maxWarnings+1 || !strings.HasSuffix(r.Warnings[maxWarnings], " more: headroom lint") {
		t.Errorf("%q", r.Warnings)
	}
	for _, warning := range r.Warnings {
		if n := utf8.RuneCountInString(warning); n > maxWarning || !utf8.ValidString(warning) {
			t.Errorf("%d characters: %s", n, warning)
		}
	}
	for key, value := range r.AuditAnnotations {
		if len(value) > 8<<10 {
			t.Errorf("%s has %d bytes", key, len(value))
		}
	}
}

func TestWarningsMostSevereFirst(t *testing.T) {
	java := `{"containers":[{"name":"app","image":"eclipse-temurin:21","command":["java","-jar","a.jar"],"resources":` +
		`{"requests":{"cpu":"1","memory":"2Gi"},"limits":{"cpu":"2","memory":"2Gi"}}}]}`
	object := strings.Replace(pod(java), `app":"native`, `app":"jvm`, 1)
	r := answerTo(t, handlers(in(ModeWarn)).Validate, ask{object: object})
	if len(r.Warnings) < 2 || !strings.HasPrefix(r.Warnings[0], "[HR202] container app: limits.cpu is 2") ||
		!strings.Contains(r.Warnings[0], "; want: ") {
		t.Errorf("%s", strings.Join(r.Warnings, "\n"))
	}
	t.Log("\n" + strings.Join(r.Warnings, "\n"))
	answer := answerTo(t, handlers(mutating(ModeWarn)).Validate, ask{kind: "Deployment", object: deployment(badSpec)})
	if len(answer.Warnings) == 0 || !strings.HasSuffix(answer.Warnings[0], "(fixed in the Pods)") {
		t.Errorf("%s", strings.Join(answer.Warnings, "\n"))
	}
}
