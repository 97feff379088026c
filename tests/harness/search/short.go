//go:build !integration

package search

const share = 10
