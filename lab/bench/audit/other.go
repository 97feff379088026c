//go:build !linux

package main

import "fmt"

func main() {
	fmt.Println("An audit is measured on Linux only: it takes /proc to tell its memory.")
}
