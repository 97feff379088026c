package watch

import (
	"sync"

	apiwatch "k8s.io/apimachinery/pkg/watch"
)

// filtered is a watch whose events are changed or left out on their way. The one of
// apimachinery leaves its goroutine behind when it is stopped with an event on its hands.
type filtered struct {
	from   apiwatch.Interface
	change func(apiwatch.Event) (apiwatch.Event, bool)
	events chan apiwatch.Event
	stop   func()
	ended  chan struct{}
}

func filter(from apiwatch.Interface, change func(apiwatch.Event) (apiwatch.Event, bool)) apiwatch.Interface {
	f := &filtered{from: from, change: change, events: make(chan apiwatch.Event), ended: make(chan struct{})}
	f.stop = sync.OnceFunc(func() { close(f.ended); from.Stop() })
	go f.run()
	return f
}

// Stop implements watch.Interface.
func (f *filtered) Stop() { f.stop() }

// ResultChan implements watch.Interface.
func (f *filtered) ResultChan() <-chan apiwatch.Event { return f.events }

func (f *filtered) run() {
	defer close(f.events)
	for event := range f.from.ResultChan() {
		event, keep := f.change(event)
		if !keep {
			continue
		}
		select {
		case f.events <- event:
		case <-f.ended:
			return
		}
	}
}
