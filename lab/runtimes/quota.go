package main

import (
	"context"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/record"
)

// wakes is Erlang with 50 processes that wake each 2 to 5 ms: 14 000 times a second or so.
const wakes = `F = fun(F) -> timer:sleep(1 + rand:uniform(4)), F(F) end, [spawn(fun() -> F(F) end) || _ <- lists:seq(1, 50)], ` +
	`timer:sleep(60000), halt().`

// quota is what the BEAM's busy wait takes of a quota; Debian's erlang-base.
func quota(ctx context.Context) ([]record.Runtime, error) {
	version, err := versionOf(ctx, "erl", "-noshell", "-eval", `io:format("~s~n", [erlang:system_info(otp_release)]), halt().`)
	if err != nil {
		return nil, err
	}
	const seconds = 10
	spent := func(of func(periods, throttled int64, used time.Duration) float64) func(context.Context, *running) (float64, error) {
		return func(_ context.Context, r *running) (float64, error) {
			before, err := r.group.CPU()
			if err != nil {
				return 0, err
			}
			time.Sleep(seconds * time.Second)
			after, err := r.group.CPU()
			now := after.Less(before)
			return of(now.Periods, now.Throttled, now.Used), err
		}
	}
	used := spent(func(_, _ int64, used time.Duration) float64 { return float64(used.Milliseconds()) / seconds })
	throttled := spent(func(periods, throttled int64, _ time.Duration) float64 {
		return float64(100 * throttled / max(1, periods))
	})
	var trials []trial
	for _, milli := range []int{250, 500, 1000} {
		for _, of := range []struct {
			flags, what string
			words       []string
		}{
			{"", "by default", nil},
			{"+sbwt none +sbwtdcpu none +sbwtdio none", "with +sbwt none +sbwtdcpu none +sbwtdio none", []string{
				"+sbwt", "none", "+sbwtdcpu", "none", "+sbwtdio", "none",
			}},
		} {
			command := append(append([]string{"erl"}, of.words...), "-noshell", "-eval", wakes)
			env := []any{}
			if of.flags != "" {
				env = append(env, map[string]any{"name": "ERL_FLAGS", "value": of.flags})
			}
			one := record.Runtime{
				Fact: "R42", Program: "Erlang/OTP", Version: version, MilliCPU: milli,
				Container: map[string]any{"command": []any{"erl", "-noshell"}, "env": env},
			}
			one.What, one.Unit = "CPU of 50 processes that wake each 2 to 5 ms, "+of.what, "ms a second"
			trials = append(trials, trial{Runtime: one, command: command, read: used})
			one.What, one.Unit = "periods throttled, "+of.what, "%"
			trials = append(trials, trial{Runtime: one, command: command, read: throttled})
		}
	}
	return all(ctx, trials)
}
