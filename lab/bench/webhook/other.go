//go:build !linux

package main

import "fmt"

func main() {
	fmt.Println("The webhook is measured on Linux only: it takes binding a process to a processor.")
}
