//go:build !integration

package search

const (
	share = 100
	daily = false
)
