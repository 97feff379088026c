package metrics

import "testing"

// Each metric tells its cluster, also those that are registered later and those of Go.
func TestCluster(t *testing.T) {
	m := New("prod-eu")
	tally := NewTally(nil)
	tally.Replace(nil, &Verdict{Namespace: "shop", Worst: None})
	forget := m.Register(tally)
	m.Wrote(Create, nil)
	count := func() (families int) {
		all, err := m.Registry().Gather()
		if err != nil {
			t.Fatal(err)
		}
		for _, family := range all {
			for _, metric := range family.GetMetric() {
				labels := map[string]string{}
				for _, l := range metric.GetLabel() {
					labels[l.GetName()] = l.GetValue()
				}
				if labels["cluster"] != "prod-eu" {
					t.Errorf("%s has the labels %v", family.GetName(), labels)
				}
			}
		}
		return len(all)
	}
	before := count()
	forget()
	if after := count(); after != before-1 {
		t.Errorf("%d families, and %d after the tally was taken away", before, after)
	}
}
