package source

import (
	"io"
	"log"
	"sync"
)

// rendering keeps Helm and kustomize one at a time: both use state that is
// global to the process (the log, kustomize's OpenAPI schema).
var rendering sync.Mutex

// silence holds rendering and mutes the standard log until the function it
// gives is called: Helm's warnings about values print the values.
func silence() func() {
	rendering.Lock()
	previous := log.Writer()
	log.SetOutput(io.Discard)
	return func() {
		log.SetOutput(previous)
		rendering.Unlock()
	}
}
