//go:build integration

package search

const (
	share = 20
	daily = true
)
