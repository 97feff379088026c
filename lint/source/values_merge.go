//go:build !js && !lean

package source

import (
	"bytes"
	"errors"
	"fmt"

	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/strvals"
)

// merged merges values files and settings, later ones over earlier ones.
func (j job) merged() (map[string]any, error) {
	values := map[string]any{}
	for _, file := range j.Values {
		more, err := file.values(j.options())
		if err != nil {
			return nil, err
		}
		values = loader.MergeMaps(values, more)
	}
	if len(j.Chart.Inline) > 0 {
		// What is no map sets nothing.
		if more, err := (valuesFile{Name: display(j.Chart.Path), Text: j.Chart.Inline}).values(j.options()); err == nil {
			values = loader.MergeMaps(values, more)
		}
	}
	for i, setting := range j.Chart.Set {
		// The parser's own error quotes what follows a comma, which may be the
		// rest of a password.
		if err := strvals.ParseInto(setting, values); err != nil {
			return nil, fmt.Errorf(`--set number %d cannot be read as key=value; write \, for a comma in a value`, i+1)
		}
	}
	return values, nil
}

func (f valuesFile) values(opts Options) (map[string]any, error) {
	if problem := firstProblem(f.Name, f.Text, opts); problem != nil {
		return nil, *problem
	}
	values, err := loader.LoadValues(bytes.NewReader(f.Text))
	if err != nil {
		return nil, Problem{File: f.Name, Cause: errors.New("values must be a map at the top")}
	}
	return values, nil
}

// inputs reads each of the user's inputs for itself; merged has checked them.
func (j job) inputs() ([]ValuesInput, error) {
	var inputs []ValuesInput
	for _, file := range j.Values {
		values, err := file.values(j.options())
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, ValuesInput{Name: file.Name, Values: values})
	}
	for _, setting := range j.Chart.Set {
		values := map[string]any{}
		if err := strvals.ParseInto(setting, values); err != nil {
			continue // one that adds to a list of a file; merged has read it in its place
		}
		inputs = append(inputs, ValuesInput{Name: "--set", Set: true, Values: values})
	}
	return inputs, nil
}

func (j job) options() Options { return Options{MaxFileBytes: j.Limit, FollowLinks: j.Follow} }

// maxTold bounds the values that are handed back, as values and bytes: a person wrote no more.
const maxTold = 4 << 20

var errManyValues = fmt.Errorf("its values are more than %d MiB", maxTold>>20)

// told counts a value, and its text.
func told(value any) int {
	const each = 32
	n := each
	switch value := value.(type) {
	case map[string]any:
		for key, entry := range value {
			if n += len(key) + told(entry); n > maxTold {
				return n
			}
		}
	case []any:
		for _, entry := range value {
			if n += told(entry); n > maxTold {
				return n
			}
		}
	case string:
		n += len(value)
	}
	return n
}
