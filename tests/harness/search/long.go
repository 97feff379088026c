//go:build integration

package search

const share = 1
