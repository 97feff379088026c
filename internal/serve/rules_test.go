package serve

import (
	"encoding/json"
	"testing"
)

func TestExempts(t *testing.T) {
	for config, want := range map[string]bool{
		`{}`: false, `{"ignore": []}`: false, `{"ignore": [{"rules": ["HR1"]}]}`: false, `{"ignore": [1, {"name": "a"}]}`: true,
		`{"ignore": [{"namespace": "a"}, {"name": ""}]}`: true,
	} {
		var read map[string]any
		if err := json.Unmarshal([]byte(config), &read); err != nil {
			t.Fatal(err)
		}
		if Exempts(read, "name") != want {
			t.Errorf("%s: %t", config, !want)
		}
	}
}
