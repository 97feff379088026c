package decision

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/policies/engine"
)

// quotes tells that an error has the text that stands for what an object says.
func quotes(err error) bool { return strings.Contains(err.Error(), "canary") }

func TestNoDecision(t *testing.T) {
	d := newDecider(t, "")
	d.deadline = 20 * time.Millisecond
	judged := counted(t, d)
	judged.evaluate = func(ctx context.Context) (engine.Result, error) {
		for ctx.Err() == nil { // it works, and does not wait
		}
		return engine.Result{}, ctx.Err()
	}
	for range 2 { // once may be the machine's fault
		if _, err := d.Validate(t.Context(), simple(1)); !errors.Is(err, ErrDeadline) {
			t.Error("past the deadline:", err)
		}
	}
	if made := judged.calls.Load(); made != 2 {
		t.Errorf("%d evaluations", made)
	}
	d.deadline = time.Minute // what follows ends by itself, however busy the machine is
	judged.evaluate = func(context.Context) (engine.Result, error) { panic("canary") }
	_, err := d.Validate(t.Context(), simple(2))
	var panicked Panic
	if !errors.Is(err, ErrPanic) || !errors.As(err, &panicked) || quotes(err) ||
		bytes.Contains(panicked.Stack, []byte("canary")) {
		t.Error("a panic:", err)
	}
	expectMetric(t, d, "headroom_panics_total 1")
	judged.evaluate = func(context.Context) (engine.Result, error) { return engine.Result{}, errors.New("canary") }
	if _, err := d.Validate(t.Context(), simple(3)); !errors.Is(err, ErrPolicies) || quotes(err) {
		t.Error("an error of the policies:", err)
	}
	judged.evaluate = nil
	// What took too long is not tried again at once, nor to be fixed; another object of that namespace is.
	made := judged.calls.Load()
	for range 3 {
		if _, err := d.Validate(t.Context(), simple(1)); !errors.Is(err, ErrDeadline) {
			t.Error("tried again:", err)
		}
		if _, err := d.Mutate(t.Context(), simple(1)); !errors.Is(err, ErrDeadline) {
			t.Error("fixed:", err)
		}
	}
	if now := judged.calls.Load(); now != made {
		t.Errorf("%d evaluations more", now-made)
	}
	began := d.now()
	d.now = func() time.Time { return began.Add(lateFor + time.Second) }
	for i := 1; i <= 3; i++ {
		if v, err := d.Validate(t.Context(), simple(i)); err != nil || v.Cached {
			t.Error("an error is remembered:", v, err)
		}
	}
	for object, want := range map[string]error{
		``: ErrMalformed, `[]`: ErrMalformed, `"a"`: ErrMalformed, `{`: ErrMalformed, `{} {}`: ErrMalformed,
		strings.Repeat(`{"a":`, 500) + `1` + strings.Repeat(`}`, 500): ErrMalformed,
		`{"a":"` + strings.Repeat("a", 3<<20) + `"}`:                  ErrTooLarge,
	} {
		if _, err := d.Validate(t.Context(), Request{Object: object}); !errors.Is(err, want) {
			t.Errorf("%.20s: %v", object, err)
		}
		if _, err := d.Mutate(t.Context(), Request{Object: object}); !errors.Is(err, want) {
			t.Errorf("%.20s: %v", object, err)
		}
	}
}

// A busy machine takes the processor away from an evaluation: that says nothing of its object, which is tried again.
func TestStarvedIsNotExpensive(t *testing.T) {
	d := newDecider(t, "")
	d.deadline = 20 * time.Millisecond
	judged := counted(t, d)
	judged.evaluate = func(ctx context.Context) (engine.Result, error) {
		select {
		case <-time.After(2 * d.deadline): // which it may, without a processor
		case <-ctx.Done():
		}
		return engine.Result{}, ctx.Err()
	}
	if _, err := d.Validate(t.Context(), simple(1)); err != nil {
		t.Error("waiting counts:", err)
	}
	judged.evaluate = func(ctx context.Context) (engine.Result, error) {
		<-ctx.Done()
		return engine.Result{}, ctx.Err()
	}
	for made := int64(2); made <= 4; made++ {
		if _, err := d.Validate(t.Context(), simple(2)); !errors.Is(err, ErrDeadline) || judged.calls.Load() != made {
			t.Errorf("%v after %d evaluations", err, judged.calls.Load())
		}
	}
}

// The policies themselves obey the deadline (F16).
func TestTheDeadlineStopsThePolicies(t *testing.T) {
	d := newDecider(t, "")
	d.deadline = time.Millisecond
	containers := strings.Repeat(`{"name":"a","env":[{"name":"JAVA_TOOL_OPTIONS","value":"-Xmx1g -XX:+UseG1GC"}]},`, 1000)
	_, err := d.Validate(t.Context(), Request{
		Object: `{"apiVersion":"v1","kind":"Pod","metadata":{},"spec":{"containers":[` +
			strings.TrimRight(containers, ",") + `]}}`,
	})
	if !errors.Is(err, ErrDeadline) {
		t.Error(err)
	}
}

func TestTheGateTurnsAway(t *testing.T) {
	g := newGate(1)
	g.queue, g.wait = 1, 10*time.Millisecond
	leave, err := g.enter("a", 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.enter("a", 1); !errors.Is(err, ErrBusy) {
		t.Error("who waits too long:", err)
	}
	g.wait = time.Minute
	entered := make(chan error)
	go func() {
		leave, err := g.enter("a", 1)
		if err == nil {
			leave()
		}
		entered <- err
	}()
	for g.waits() == 0 {
		time.Sleep(time.Millisecond)
	}
	if _, err := g.enter("a", 1); !errors.Is(err, ErrBusy) {
		t.Error("who finds the queue full:", err)
	}
	leave()
	if err := <-entered; err != nil {
		t.Error("who waits its turn:", err)
	}
}

// No quantity makes a decision hang (W45).
func TestQuantitiesThatHang(t *testing.T) {
	d := newDecider(t, "")
	for _, quantity := range []string{
		"1e3", "1E3", "1E", "0.5", ".5", "5.", "+5", "-1", "0", "100m", "128974848", "123Mi", "123mi", "1MB", "1Ki1", " 1",
		"", "1e999", "1e99999999", "1e-99999999", "2E6024865272343", "1e4294967297", "2000E", "9223372036854775807",
		"9223372036854775808", "NaN", "٣", strings.Repeat("9", 600<<10),
	} {
		for _, value := range []string{`"` + quantity + `"`, quantity} {
			object := `{"apiVersion":"v1","kind":"Pod","metadata":{"annotations":{"headroom.dev/workload-class":"batch",` +
				`"cpu-average.headroom.dev/app":"` + quantity + `"}},"spec":{"containers":[{"name":"app","resources":` +
				`{"requests":{"cpu":` + value + `,"memory":` + value + `},"limits":{"cpu":` + value + `}}}]}}`
			_, err := d.Validate(t.Context(), Request{Object: object})
			_, err2 := d.Mutate(t.Context(), Request{Object: object})
			// A bare number that cannot be calculated with makes the whole object unreadable.
			judged := err == nil && err2 == nil
			if quoted := value != quantity; quoted && len(quantity) < 256<<10 && !judged {
				t.Errorf("%.30s: %v, %v", value, err, err2)
			}
		}
	}
}
