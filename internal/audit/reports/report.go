// Package reports writes what the audit finds as objects of the cluster: Reports of
// openreports.io/v1alpha1, or PolicyReports of wgpolicyk8s.io/v1alpha2 where only those are
// known. Both say the same in the same fields; Kyverno, Trivy and Policy Reporter speak them
// too.
package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"github.com/headroom-dev/headroom/internal/audit/watch/pack"
	"github.com/headroom-dev/headroom/internal/render/policyreport/result"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Subject is the object that a report is about, and that the report is deleted with.
type Subject struct {
	APIVersion, Kind, Namespace, Name string
	UID                               types.UID
}

// Report is what is to be said of one subject.
type Report struct {
	Subject Subject          `json:"subject"`
	Results []result.Result  `json:"results"`
	Summary map[string]int64 `json:"summary"` // by result; it counts those that found no room, too
	bytes   int
}

// maxResults and maxBytes bound a report: ten containers that break twenty rules each find
// room, and etcd takes 1.5 MB.
const (
	maxResults = 200
	maxBytes   = 512 << 10
)

// Of makes the report of a verdict, nil where there is nothing to say. categories are those
// of the rules, by ID.
func Of(subject Subject, verdict engine.Result, categories map[string]string) *Report {
	r := &Report{Subject: subject, Summary: map[string]int64{}}
	for _, list := range [][]engine.Finding{verdict.Findings, verdict.Exempted} {
		for _, finding := range list {
			r.Summary[result.Outcome(finding)]++
			if len(r.Results) < maxResults && r.bytes < maxBytes {
				r.add(result.Of(finding, categories[finding.Rule]))
			}
		}
	}
	if len(r.Results) == 0 {
		return nil
	}
	return r
}

// Unjudged is the report of a subject that the policies gave no verdict on.
func Unjudged(subject Subject, err error) *Report {
	r := &Report{Subject: subject, Summary: map[string]int64{result.Error: 1}}
	r.add(result.Result{
		Source: result.Source, Policy: "not-judged", Severity: "medium", Result: result.Error,
		Message: result.Bounded("headroom could not judge this: "+err.Error(), result.MaxMessage),
	})
	return r
}

func (r *Report) add(entry result.Result) {
	r.Results = append(r.Results, entry)
	r.bytes += len(entry.Message)
	for key, value := range entry.Properties {
		r.bytes += len(key) + len(value)
	}
}

// reportName is made of its subject's UID, so that a successor of the same name has a report
// of its own.
func (s Subject) reportName() string {
	sum := sha256.Sum256([]byte(s.Kind + "/" + string(s.UID)))
	return fmt.Sprintf("headroom-%s-%s", strings.ToLower(s.Kind), hex.EncodeToString(sum[:8]))
}

// format is part of every digest: a headroom that writes reports otherwise writes all of
// them anew.
const format = 1

// packed gives the report as it waits to be written, and its digest.
func (r *Report) packed() (pack.Packed, string, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, "", fmt.Errorf("encode the report of %s %s/%s: %w",
			r.Subject.Kind, r.Subject.Namespace, r.Subject.Name, err)
	}
	sum := pack.Sum(fmt.Appendf(nil, "%d %s", format, text))
	return pack.Bytes(text), hex.EncodeToString(sum[:]), nil
}
