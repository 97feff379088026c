//go:build !linux

package main

import "fmt"

func main() {
	fmt.Println("Measured use is measured on Linux only: it takes /proc to tell what Prometheus takes.")
}
