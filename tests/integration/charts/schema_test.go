//go:build integration

package charts

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/headroom-dev/headroom/policies/settings"
)

// TestSchemaRefuses: what is misspelt or makes no sense stops the installation.
func TestSchemaRefuses(t *testing.T) {
	for _, setting := range []string{
		"replica=3",
		"image.tags=v1",
		"defaults.mode=Warn",
		"defaults.mode=enforcing",
		"defaults.mutate=true",
		"certificates.mode=certmanager",
		"certificates.certManager.issuerRef.nam=x",
		"certificates.certManager.issuerRef.kind=ClusterIssuer",
		"certificates.existingSecret.caBundle=LS0tLS1CRUdJTg==",
		"webhooks.timeoutSeconds=30",
		"webhooks.failurePolicy=Fail",
		"replicas=0",
		"resources.limits.memory=512m",
		"resources.limits.memory=1000000",
		"resources.limits.memory=null",
		"resources.requests.cpu=fast",
		"networkPolicy.apiServerCIDRs={10.0.0.0}",
		"excludeNamespaces={Shop}",
		"config.tolerence=0.3",
		"config.rules.HR407.severity=hint",
		"image.digest=sha256:abc",
		"logLevel=trace",
		"audit.enable=true",
		"audit.resync=often",
		"audit.reportRate=0",
		"audit.resources.limits.memory=512m",
	} {
		if _, err := tryTemplates(t, setting); err == nil {
			t.Errorf("%s is taken", setting)
		} else if !strings.Contains(err.Error(), "values don't meet the specifications") {
			t.Errorf("%s: %v", setting, err)
		}
	}
	if _, err := tryTemplates(t, existingMode); err == nil {
		t.Error("existing-secret without the name of a Secret is taken")
	}
}

// TestValuesAreTheSchema: every value has a default and a place in the schema, and none is
// in only one of them.
func TestValuesAreTheSchema(t *testing.T) {
	var schema map[string]any
	readJSON(t, filepath.Join(chartDir, "values.schema.json"), &schema)
	compareKeys(t, "", schema, loadChart(t).Values)
}

// open are the parts whose keys are the user's.
var open = []string{".config", ".certificates.certManager.issuerRef", ".metrics.dashboard.labels"}

// optional have no default: Helm itself sets one, and the other would throttle the webhook.
var optional = []string{".global", ".resources.limits.cpu"}

func compareKeys(t *testing.T, at string, schema map[string]any, values map[string]any) {
	t.Helper()
	properties, _ := schema["properties"].(map[string]any)
	if properties == nil || slices.Contains(open, at) {
		return
	}
	if schema["additionalProperties"] != false {
		t.Errorf("%s takes keys that the schema does not know", at)
	}
	for key, property := range properties {
		if slices.Contains(optional, at+"."+key) {
			continue
		}
		value, set := values[key]
		if !set {
			t.Errorf("values.yaml lacks %s.%s", at, key)
		}
		if below, ok := value.(map[string]any); ok {
			compareKeys(t, at+"."+key, property.(map[string]any), below)
		}
	}
	for key := range values {
		if properties[key] == nil {
			t.Errorf("the schema lacks %s.%s", at, key)
		}
	}
}

// TestConfigSchemaIsTheSame: config is checked by the schema of headroom.yaml, less the two
// keys that the chart writes itself.
func TestConfigSchemaIsTheSame(t *testing.T) {
	var values, own map[string]any
	readJSON(t, filepath.Join(chartDir, "values.schema.json"), &values)
	readJSON(t, "../../../policies/schema/headroom.schema.json", &own)
	delete(own, "required")
	delete(own, "$schema")
	properties := own["properties"].(map[string]any)
	delete(properties, "apiVersion")
	delete(properties, "kind")
	if got := values["properties"].(map[string]any)["config"]; !reflect.DeepEqual(got, any(own)) {
		t.Error("properties.config of values.schema.json is not policies/schema/headroom.schema.json")
	}
}

// TestConfigIsRead: what the chart writes, headroom reads.
func TestConfigIsRead(t *testing.T) {
	for _, values := range [][]string{
		nil,
		{
			"config.jvm.threads=100", "config.defaultClass=batch", "config.rules.HR407.severity=off",
			"config.jvm.inject={metaspace}",
		},
	} {
		data := as[corev1.ConfigMap](t, find(t, render(t, values...), "ConfigMap", "headroom-config")).Data
		file := filepath.Join(t.TempDir(), "headroom.yaml")
		if err := os.WriteFile(file, []byte(data["headroom.yaml"]), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := settings.Load(file)
		if err != nil {
			t.Errorf("%v: %v", values, err)
		}
		if len(values) > 0 && (got["defaultClass"] != "batch" || got["jvm"] == nil) {
			t.Errorf("read as %v", got)
		}
	}
}

func readJSON(t testing.TB, file string, into any) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(content, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}
