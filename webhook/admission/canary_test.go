package admission

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prometheus/common/expfmt"
	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/webhook/decision"
)

// canaried is a Pod with a canary (the word kanarie) wherever a secret may stand.
func canaried(extra string) string {
	return `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"shop","labels":{"a":"kanarie"},` +
		`"annotations":{"headroom.dev/workload-class":"latency-sensitive","vault/secret":"kanarie",` +
		`"kubectl.kubernetes.io/last-applied-configuration":"kanarie"},"managedFields":[{"manager":"kanarie"}]},` +
		`"spec":{"imagePullSecrets":[{"name":"kanarie"}],"volumes":[{"name":"kanarie","hostPath":{"path":"/kanarie"}}],` +
		`"containers":[{"name":"app","image":"eclipse-temurin:21","command":["java","-Dpassword=kanarie","-jar","app.jar",` +
		`"--token=kanarie"],"args":["kanarie"],"env":[{"name":"PASSWORD","value":"kanarie"},{"name":"JAVA_OPTS","value":` +
		`"-Dpassword=kanarie -Xmx1g"},{"name":"JAVA_TOOL_OPTIONS","value":"-Dpassword=kanarie -XX:OnOutOfMemoryError=kanarie ` +
		`-XX:OnOutOfMemoryError=b,kanarie -Xmskanarie -XX:MaxRAMPercentage=5kanarie -Xkanarie"},{"name":"GOMEMLIMIT","value":"kanarie"},` +
		`{"name":"GOMAXPROCS","value":"2kanarie"},{"name":"WEB_CONCURRENCY","value":"kanarie"},{"name":` +
		`"GUNICORN_CMD_ARGS","value":"--certfile kanarie"},{"name":"FROM",` +
		`"valueFrom":{"secretKeyRef":{"name":"s","key":"k"}}}],` +
		`"resources":{"requests":{"cpu":"1","memory":"1Gi"},"limits":{"cpu":"2","memory":"2Gi"}}}` + extra + `]}}`
}

// No value of a variable, and nothing else that may be secret, gets into a log at any
// verbosity, into what is said, or into a metric.
func TestCanary(t *testing.T) {
	broken := canaried(`,{"name":"b","image":5,"env":"kanarie","command":["java","-Dx=kanarie",5],"resources":{"limits":` +
		`{"cpu":"kanarie"}}}`)
	for _, d := range []decider{
		the(), stub{panic: true}, stub{err: decision.ErrPolicies}, stub{err: decision.ErrDeadline},
	} {
		for _, mode := range []string{ModeAudit, ModeWarn, ModeEnforce, "wrong"} {
			h, m, log := registry(mutating(mode), d)
			for _, handler := range []http.Handler{h.Mutate, h.Validate, h.ValidateEnforce} {
				for _, object := range []string{canaried(""), broken, `{"kind":"kanarie"}`, `"kanarie"`} {
					// The value that cannot be read as a quantity is the one thing that is quoted.
					r := answerTo(t, handler, ask{object: object, extra: `,"options":{"a":"kanarie"}`})
					r.Patch = nil // it has the variable that it extends
					text := strings.ReplaceAll(jsonOf(t, r), `\"kanarie\"`, "")
					if strings.Contains(text, "kanarie") {
						t.Errorf("%s: %s", mode, text)
					}
				}
				post(t, handler, `{"kanarie":`)
				post(t, handler, strings.ReplaceAll(ask{object: canaried("")}.body(), "AdmissionReview", "kanarie"))
			}
			if strings.Contains(log.String(), "kanarie") || log.Len() == 0 {
				t.Errorf("%s: the log says %s", mode, log)
			}
			families, err := m.Registry().Gather()
			if err != nil {
				t.Fatal(err)
			}
			for _, family := range families {
				var b strings.Builder
				if _, err := expfmt.MetricFamilyToText(&b, family); err != nil || strings.Contains(b.String(), "kanarie") {
					t.Errorf("%s, %v", b.String(), err)
				}
			}
		}
	}
}

// For any request, the answer is an AdmissionReview with the UID of the request, or an HTTP
// error.
func FuzzHandler(f *testing.F) {
	files, err := filepath.Glob("../../policies/rego/headroom/rules/*/*/bad.yaml")
	if err != nil || len(files) < 40 {
		f.Fatal(len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, document := range strings.Split(string(text), "\n---\n") {
			if object, err := yaml.YAMLToJSON([]byte(document)); err == nil {
				f.Add(ask{object: string(object)}.body())
				f.Add(ask{kind: "Deployment", operation: "UPDATE", object: string(object), old: string(object)}.body())
			}
		}
	}
	f.Add(ask{object: canaried("")}.body())
	f.Add(`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"\u0000ü","namespace":"a"}}`)
	h := handlers(mutating(ModeEnforce))
	f.Fuzz(func(t *testing.T, body string) {
		for _, handler := range []http.Handler{h.Mutate, h.Validate, h.ValidateEnforce} {
			w := post(t, handler, body)
			if w.Code >= 400 && w.Code < 500 {
				continue
			}
			request, err := parseReview(body)
			if err != nil || w.Code != http.StatusOK {
				t.Fatalf("%d %s for a body that says %v", w.Code, w.Body, err)
			}
			review := reviewIn(t, w)
			if review.Response == nil || string(review.Response.UID) != strings.ToValidUTF8(request.uid, "\ufffd") {
				t.Errorf("%s answers %q", w.Body, request.uid)
			}
			for _, warning := range review.Response.Warnings {
				if length(warning) > maxWarning {
					t.Errorf("%q", warning)
				}
			}
		}
	})
}
