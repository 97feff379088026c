//go:build integration

package fixfiles_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// documents reads a file's documents as kubectl does, nil for those that it would not take.
func documents(t tester, text []byte) []any {
	t.Helper()
	var all []any
	for _, part := range parts(t, text) {
		var value any
		if out, err := yaml.YAMLToJSON(part); err == nil {
			value = decode(t, out)
		}
		all = append(all, value)
	}
	return all
}

// parts are the texts of a file's documents.
func parts(t tester, text []byte) [][]byte {
	t.Helper()
	text = folded(text)
	texts, err := source.Texts(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var all [][]byte
	for _, part := range texts {
		all = append(all, text[part.Start:part.End])
	}
	return all
}

// folded has newlines for line ends and no byte order mark.
func folded(text []byte) []byte {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	return []byte(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(text)))
}

func decode(t tester, text []byte) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return value
}

func encode(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// at follows keys and indexes.
func at(value any, path ...any) any {
	for _, step := range path {
		switch here := value.(type) {
		case map[string]any:
			value = here[fmt.Sprint(step)]
		case []any:
			index, err := strconv.Atoi(fmt.Sprint(step))
			if err != nil || index >= len(here) {
				return nil
			}
			value = here[index]
		default:
			return nil
		}
	}
	return value
}

func object(value any, path ...any) map[string]any {
	found, _ := at(value, path...).(map[string]any)
	return found
}

// patched applies a patch with a library that knows nothing of files.
func patched(t tester, value any, patch []byte) any {
	t.Helper()
	decoded, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		t.Fatalf("%v: %s", err, patch)
	}
	out, err := decoded.Apply([]byte(encode(value)))
	if err != nil {
		t.Fatalf("apply %s: %v", patch, err)
	}
	return decode(t, out)
}

// below gives operations the path to their object in front.
func below(prefix []any, ops []engine.Operation) []engine.Operation {
	way := ""
	for _, step := range prefix {
		way += fmt.Sprintf("/%v", step)
	}
	out := make([]engine.Operation, len(ops))
	for i, op := range ops {
		op.Path = way + op.Path
		out[i] = op
	}
	return out
}
