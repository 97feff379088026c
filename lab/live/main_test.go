package main

import "testing"

func TestCell(t *testing.T) {
	for want, runs := range map[string][]int{
		"26 (24–31)": {31, 24, 26},
		"40 (30–…)":  {-1, 30, 40},
		"–":          {-1, 30, -1},
	} {
		if got := cell(runs); got != want {
			t.Errorf("%v: %s, not %s", runs, got, want)
		}
	}
}
