package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"syscall"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"

	"github.com/headroom-dev/headroom/tools/release/artifact"
)

// target is where an artifact goes.
type target struct {
	artifact.Artifact
	tag name.Tag
	// moves says that the tag follows the newest release.
	moves bool
}

func with(ctx context.Context) []remote.Option {
	return []remote.Option{remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain)}
}

// patience is how many requests of one artifact may fail and be tried again, a second later, then three.
const patience = 8

// patient tries again what a network may lose, but not without end. The policies have hundreds of layers. The
// library gives the reason why one failed to all others, which then wait for a better time one after another.
func patient() remote.Option {
	var failed atomic.Int32
	return remote.WithRetryPredicate(func(err error) bool {
		for _, lost := range []error{
			io.EOF, io.ErrUnexpectedEOF, syscall.EPIPE, syscall.ECONNRESET, syscall.ECONNREFUSED, net.ErrClosed,
		} {
			if errors.Is(err, lost) {
				return failed.Add(1) <= patience
			}
		}
		var passing interface{ Temporary() bool }
		return errors.As(err, &passing) && passing.Temporary() && failed.Add(1) <= patience
	})
}

// look says whether the artifact is there. Another one under the same version is an error: who
// has pulled it once gets the same again.
func (t target) look(ctx context.Context) (bool, error) {
	found, err := remote.Head(t.tag, with(ctx)...)
	var refused *transport.Error
	switch {
	case err == nil && found.Digest == t.Digest:
		return true, nil
	case err == nil && !t.moves:
		return false, fmt.Errorf("%s is in the registry with another content, %s, and this release has %s: "+
			"a version that was published is not replaced; make a new one", t.tag, found.Digest, t.Digest)
	case err == nil:
		return false, nil
	case errors.As(err, &refused) && refused.StatusCode == http.StatusNotFound:
		return false, t.mayPush()
	}
	return false, t.explain("look up", err)
}

func (t target) mayPush() error {
	err := remote.CheckPushPermission(t.tag, authn.DefaultKeychain, http.DefaultTransport)
	return t.explain("push", err)
}

// push uploads the blobs, then the manifest, then the tag, so that an incomplete artifact is never seen.
// Then it asks the registry what it has.
func (t target) push(ctx context.Context) error {
	if err := remote.Push(t.tag, t.Content, append(with(ctx), patient())...); err != nil {
		return t.explain("push", err)
	}
	found, err := remote.Get(t.tag, with(ctx)...)
	if err != nil {
		return t.explain("look up", err)
	}
	sum, _, err := v1.SHA256(bytes.NewReader(found.Manifest))
	if err != nil {
		return err
	}
	if found.Digest != t.Digest || sum != t.Digest {
		return fmt.Errorf("%s was pushed as %s, and the registry gives out %s: do not announce it", t.tag, t.Digest, sum)
	}
	return nil
}

// explain says what a person can do about it.
func (t target) explain(what string, err error) error {
	var refused *transport.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refused) && refused.StatusCode == http.StatusUnauthorized:
		return fmt.Errorf("%s %s: the registry does not know you, or not with this password: `docker login %s` (%w)",
			what, t.tag, t.tag.RegistryStr(), err)
	case errors.As(err, &refused) && refused.StatusCode == http.StatusForbidden:
		return fmt.Errorf("%s %s: the registry knows you, and does not let you write there (%w)", what, t.tag, err)
	}
	return fmt.Errorf("%s %s: %w", what, t.tag, err)
}
