//go:build integration

package search

const (
	share = 10
	daily = true
)
