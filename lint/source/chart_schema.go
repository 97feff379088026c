//go:build !js && !lean

package source

import (
	"encoding/json"
	"strings"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	chart "helm.sh/helm/v4/pkg/chart/v2"

	"github.com/headroom-dev/headroom/internal/pattern"
)

// bySchema says whether values are what the schemas of a chart ask for, if these can be
// asked without the network: Helm would fetch what a schema refers to. What is wrong is not
// told, as it quotes values.
func bySchema(loaded *chart.Chart, seen common.Values) bool {
	return !selfContained(loaded) || util.ValidateAgainstSchema(loaded, seen) == nil
}

// selfContained says whether no schema of a chart and its subcharts leads out of itself.
func selfContained(loaded *chart.Chart) bool {
	if len(loaded.Schema) > 0 {
		var schema any
		if err := json.Unmarshal(loaded.Schema, &schema); err != nil || leadsOut(schema) {
			return false
		}
	}
	for _, sub := range loaded.Dependencies() {
		if !selfContained(sub) {
			return false
		}
	}
	return true
}

// drafts are the schemas of schemas that the validator has at hand.
var drafts = pattern.Lazy(`^https?://json-schema\.org/(?:draft-0[4-7]|draft/20(?:19-09|20-12))/schema#?$`)

func leadsOut(schema any) bool {
	switch schema := schema.(type) {
	case map[string]any:
		for key, value := range schema {
			text, isText := value.(string)
			switch {
			case isText && key == "$schema" && !drafts().MatchString(text):
				return true
			case isText && strings.HasSuffix(strings.ToLower(key), "ref") && key[0] == '$' && !strings.HasPrefix(text, "#"):
				return true
			case leadsOut(value):
				return true
			}
		}
	case []any:
		for _, value := range schema {
			if leadsOut(value) {
				return true
			}
		}
	}
	return false
}
