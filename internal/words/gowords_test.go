package words_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	yamlv3 "go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/internal/words"
)

// What the libraries say, as they say it today, comes out in plain words.
func TestWithoutGo(t *testing.T) {
	said := func(_ any, err error) string {
		if err == nil {
			t.Fatal("the library takes it")
		}
		return err.Error()
	}
	parsed := func(text string) string { return said(strconv.ParseInt(text, 10, 64)) }
	var shape struct {
		Name string         `json:"name"`
		Each map[string]int `json:"each"`
	}
	for message, want := range map[string]string{
		parsed("1k"):                                                         `"1k" is not a number`,
		said(strconv.ParseFloat(`a"b`, 64)):                                  `"a\"b" is not a number`,
		parsed("99999999999999999999"):                                       `"99999999999999999999" is too large or too small a number`,
		said(strconv.ParseBool("maybe")):                                     `"maybe" is not true or false`,
		said(time.ParseDuration("5")):                                        `"5" is not a time, such as 90s or 5m`,
		said(nil, json.Unmarshal([]byte(`{"name": 1}`), &shape)):             "name has the wrong type: a number stands there",
		said(nil, json.Unmarshal([]byte(`[]`), &shape)):                      "a list stands where something else is expected",
		said(nil, yamlv3.Unmarshal([]byte("name: [a]"), &shape)):             "line 1: a value has the wrong type",
		said(nil, yamlv3.Unmarshal([]byte("a: !!int b"), &map[string]any{})): "the tag does not suit its value `b`",
		said(nil, yaml.Unmarshal([]byte("? {a: 1}\n: b"), &shape)):           "a key is a list or a map",
		"the value is <nil>":                                                 "the value is nothing",
		"count %!d(string=a) of them":                                        "count ? of them",
		`is map[string]interface {}{}`:                                       "is a map",
		"a file: no such file":                                               "a file: no such file",
	} {
		if got := words.WithoutGo(message); got != want {
			t.Errorf("%s:\n%s, want\n%s", message, got, want)
		}
	}
	if long := strings.Repeat("a", 1<<16); words.WithoutGo(long) != long {
		t.Error("a long message changes")
	}
}
