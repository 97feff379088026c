//go:build !integration

package search

const (
	share = 200
	daily = false
)
