package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/policies/plan"
)

// ofConfigMaps is the function of the policies through which they look at the ConfigMaps of a context, by name.
const ofConfigMaps = "data.headroom.process.config_map"

// later are the ConfigMaps that one object names.
type later struct {
	unread map[string]bool
	read   func(ctx context.Context, names []string) []map[string]any
}

// Later is the context of one object, for one goroutine, with ConfigMaps that are read when the policies ask for them:
// the policies do not need most ConfigMaps. read gives those of the names that exist.
func (c *Context) Later(names []string, read func(ctx context.Context, names []string) []map[string]any) *Context {
	more := &Context{Namespace: c.Namespace, lists: c.lists, found: map[string]map[string][]plan.Value{}}
	maps.Copy(more.found, c.found)
	delete(more.found, configMapsList)
	more.later = &later{unread: map[string]bool{}, read: read}
	for _, name := range names {
		more.later.unread[name] = true
	}
	return more
}

// asking evaluates a review, and does so again after reading the ConfigMaps that the policies asked for: one may lead
// to the next. ConfigMaps that they did not ask for cannot change their answer.
func asking[T any](
	ctx context.Context, e *Engine, r Review, evaluate func(context.Context, plan.Value) (T, error),
) (T, error) {
	var none T
	var asked []string
	listening := ctx
	if r.Around != nil && r.Around.later != nil {
		unread := r.Around.later.unread
		if _, tells := e.policies.(plannedData); !tells {
			if err := r.Around.read(ctx, slices.Sorted(maps.Keys(unread))); err != nil {
				return none, err
			}
		}
		listening = plan.WithListener(ctx, ofConfigMaps, func(argument plan.Value) {
			if name, ok := argument.(string); ok && unread[name] && !slices.Contains(asked, name) {
				asked = append(asked, name)
			}
		})
	}
	for {
		input, err := r.input()
		if err != nil {
			return none, err
		}
		asked = nil
		answer, err := patiently(listening, input, evaluate)
		if len(asked) == 0 {
			return answer, err
		}
		if err := r.Around.read(ctx, asked); err != nil {
			return none, err
		}
	}
}

// patience is a thousand times what an object of a megabyte takes. An object that takes longer was written to do so,
// and judging objects of strangers must come to an end. A caller's own deadline may be shorter.
var patience = 30 * time.Second

var errPatience = errors.New("it is too laborious")

// Unjudged says that there is no verdict on an object, and why. One that takes too long is its author's to change, and
// every other error is a bug of ours.
func Unjudged(r Resource, err error) string {
	name := r.Kind + " " + strings.TrimPrefix(r.Namespace+"/"+r.Name, "/")
	if errors.Is(err, errPatience) {
		return name + " is not judged, all others are: " + err.Error()
	}
	return "internal: the policies could not judge " + name + ": " + err.Error()
}

func patiently[T any](
	ctx context.Context, input plan.Value, evaluate func(context.Context, plan.Value) (T, error),
) (T, error) {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	answer, err := evaluate(limited, input)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w, it takes more than %v; give it fewer containers, variables or words of a script", errPatience, patience)
	}
	return answer, err
}

// read adds ConfigMaps to a context that reads them later.
func (c *Context) read(ctx context.Context, names []string) error {
	for _, name := range names {
		delete(c.later.unread, name)
	}
	if len(names) == 0 {
		return nil
	}
	return c.index(configMapsList, c.later.read(ctx, names), keysOf[configMapsList])
}
