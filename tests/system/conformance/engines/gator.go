package engines

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/headroom-dev/headroom/policies/export/gatekeeper"
	gator "github.com/headroom-dev/headroom/tests/integration/gatekeeper"
	"github.com/headroom-dev/headroom/tests/system/conformance/cases"
)

// Gator runs Gatekeeper's command line with what `headroom policies gatekeeper` writes.
func Gator(binary, dir string) Engine {
	return Engine{Name: "gator", Judge: func(ctx context.Context, corpus []cases.Case) (*Answer, error) {
		findings, err := gator.Run(ctx, binary, dir, nil)
		if err != nil {
			return nil, err
		}
		asked, err := askedByGatekeeper()
		if err != nil {
			return nil, err
		}
		answer, byID := newAnswer(), index(corpus)
		for i := range corpus {
			group, _, grouped := strings.Cut(corpus[i].APIVersion, "/")
			if !grouped {
				group = ""
			}
			if !asked[group+"/"+corpus[i].Kind] {
				answer.Unjudged[corpus[i].ID] = otherKind
			}
		}
		for _, f := range findings {
			if err := answer.add(byID, f.Resource, Verdict{Rule: f.Rule, Container: f.Container}, f.Severity); err != nil {
				return nil, fmt.Errorf("gator: %w", err)
			}
		}
		return answer, nil
	}}
}

// askedByGatekeeper are the kinds, with their groups, that the Constraints name.
func askedByGatekeeper() (map[string]bool, error) {
	var policies bytes.Buffer
	if err := gatekeeper.Write(&policies, gatekeeper.Options{Action: "warn"}); err != nil {
		return nil, err
	}
	asked := map[string]bool{}
	for decoder := yaml.NewYAMLOrJSONDecoder(&policies, 4096); ; {
		var document struct {
			Spec struct {
				Match struct {
					Kinds []struct {
						APIGroups []string `json:"apiGroups"`
						Kinds     []string `json:"kinds"`
					} `json:"kinds"`
				} `json:"match"`
			} `json:"spec"`
		}
		if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
			return asked, nil
		} else if err != nil {
			return nil, fmt.Errorf("read what Gatekeeper is asked: %w", err)
		}
		for _, kinds := range document.Spec.Match.Kinds {
			for _, group := range kinds.APIGroups {
				for _, kind := range kinds.Kinds {
					asked[group+"/"+kind] = true
				}
			}
		}
	}
}
