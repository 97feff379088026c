//go:build integration

package search

const (
	share = 5
	daily = true
)
