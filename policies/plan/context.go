package plan

import (
	"context"

	"github.com/open-policy-agent/opa/v1/topdown"
)

type turnKey struct{}

// WithTurn gives a context, which can be cancelled, under which an evaluation calls a function now and then, some
// thousand times a second: to let others have their turn.
func WithTurn(ctx context.Context, turn func()) context.Context {
	return context.WithValue(ctx, turnKey{}, turn)
}

// Turn lets others have theirs, where the context says how.
func Turn(ctx context.Context) {
	if turn, ok := ctx.Value(turnKey{}).(func()); ok {
		turn()
	}
}

type longestKey struct{}

// WithLongest gives a context under which an evaluation ends, with ErrLongText, before it searches a text of more bytes.
// Nothing interrupts a search, which takes half a microsecond for a byte.
func WithLongest(ctx context.Context, bytes int) context.Context {
	return context.WithValue(ctx, longestKey{}, bytes)
}

// ErrLongText is why an evaluation under WithLongest ended.
var ErrLongText error = &topdown.Error{Code: topdown.CancelErr, Message: "a text is too long to be searched"}

type listenKey struct{}

type listener struct {
	function string
	tell     func(argument Value)
}

// WithListener gives a context under which an evaluation tells the first argument of every call of a function,
// "data.a.b". A program without that function evaluates nothing then.
func WithListener(ctx context.Context, function string, tell func(argument Value)) context.Context {
	return context.WithValue(ctx, listenKey{}, listener{function, tell})
}
