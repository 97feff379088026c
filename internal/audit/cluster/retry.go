package cluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// pauses are waited between the attempts of a request. client-go itself waits where the API
// server says how long (Retry-After).
var pauses = []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second}

// retried runs a request, again where the API server is away or overloaded for a moment. The
// request's answer must be read inside.
func (r *Reader) retried(ctx context.Context, request func(context.Context) error) error {
	for attempt := 0; ; attempt++ {
		err := r.bounded(ctx, request)
		if err == nil {
			r.answered.Store(true)
			return nil
		}
		if ctx.Err() != nil || !passing(err) || !r.answered.Load() || attempt == len(pauses) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pauses[attempt]):
		}
	}
}

func (r *Reader) bounded(ctx context.Context, request func(context.Context) error) error {
	bounded, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	err := request(bounded)
	var large *http.MaxBytesError
	if errors.As(err, &large) { // whose words are of a request
		return fmt.Errorf("the API server's answer is larger than %d MiB", large.Limit>>20)
	}
	if err != nil && ctx.Err() == nil && bounded.Err() != nil {
		return fmt.Errorf("%w in %s", errSlow, r.timeout)
	}
	return err
}

var errSlow = errors.New("the API server did not answer")

// passing says whether an error may be over in a moment.
func passing(err error) bool {
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		code := status.Status().Code
		return code == http.StatusTooManyRequests || code >= http.StatusInternalServerError
	}
	return errors.Is(err, errCut) || Unreachable(err)
}

// Unreachable says whether an error means that no API server answers. Another request would fail
// as well.
func Unreachable(err error) bool {
	var status apierrors.APIStatus
	if err == nil || errors.As(err, &status) {
		return false
	}
	var network net.Error
	var broken *url.Error
	return errors.Is(err, errSlow) || errors.As(err, &network) || errors.As(err, &broken)
}
