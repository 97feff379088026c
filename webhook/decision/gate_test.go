package decision

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// evaluations runs so many clients of a namespace one evaluation after the other, each of a cost, with a pause between,
// until the time is over. It gives the longest wait, how many were made, and how many were turned away.
type evaluations struct {
	longest time.Duration
	made    int
	busy    int
	lock    sync.Mutex
}

func (e *evaluations) run(g *gate, wg *sync.WaitGroup, namespace string, clients int, until time.Time, pause time.Duration, bytes int, cost func() time.Duration) {
	for range clients {
		wg.Go(func() {
			for time.Now().Before(until) {
				asked := time.Now()
				leave, err := g.enter(namespace, bytes)
				waited := time.Since(asked)
				if err == nil {
					time.Sleep(cost())
					leave()
				}
				e.lock.Lock()
				e.longest = max(e.longest, waited)
				if e.made++; err != nil {
					e.made, e.busy = e.made-1, e.busy+1
				}
				e.lock.Unlock()
				time.Sleep(pause)
			}
		})
	}
}

// M1: a client that sends expensive objects, in one namespace or in many, takes no evaluation from a neighbour.
func TestNobodyWaitsForANeighbour(t *testing.T) {
	for places := 1; places <= 4; places++ {
		for _, namespaces := range []int{1, 16} {
			for seed := range uint64(5) {
				synctest.Test(t, func(t *testing.T) {
					r := rand.New(rand.NewPCG(seed, 1))
					var lock sync.Mutex
					between := func(from, to int) func() time.Duration {
						return func() time.Duration {
							lock.Lock()
							defer lock.Unlock()
							return time.Duration(from+r.IntN(to-from)) * time.Millisecond
						}
					}
					g := newGate(places)
					until := time.Now().Add(time.Minute)
					var attackers, victim, other evaluations
					var wg sync.WaitGroup
					for i := range namespaces {
						attackers.run(g, &wg, fmt.Sprint("attacker-", i), 16/namespaces, until, 0, 35_000, between(50, 250))
					}
					victim.run(g, &wg, "victim", 1, until, 10*time.Millisecond, 1500, between(1, 5))
					other.run(g, &wg, "other", 1, until, 30*time.Millisecond, 1500, between(1, 5))
					wg.Wait()
					// An express place, in which at most the other may be.
					if victim.longest > 25*time.Millisecond || victim.busy+other.busy > 0 || victim.made < 3000 {
						t.Errorf("%d places, %d namespaces: the victim waited %s, was turned away %d times, and judged %d times",
							places, namespaces, victim.longest, victim.busy, victim.made)
					}
					if attackers.made < 200*places/4 {
						t.Errorf("%d places, %d namespaces: %d dear objects were judged in a minute", places, namespaces, attackers.made)
					}
					if g.running != 0 || g.waiting != 0 {
						t.Errorf("%d run and %d wait", g.running, g.waiting)
					}
				})
			}
		}
	}
}

// A victim with objects that are dear, too, several at once, gets its share: attackers that leave and come back do not
// pass it.
func TestTheShareOfADearVictim(t *testing.T) {
	for places := 1; places <= 4; places++ {
		for _, pause := range []time.Duration{0, time.Millisecond, 50 * time.Millisecond} {
			for seed := range uint64(4) {
				synctest.Test(t, func(t *testing.T) {
					r := rand.New(rand.NewPCG(seed, 2))
					g := newGate(places)
					g.wait = time.Minute
					until := time.Now().Add(20 * time.Second)
					var attackers evaluations
					var wg sync.WaitGroup
					for i := range 16 {
						attackers.run(g, &wg, fmt.Sprint("attacker-", i), 1, until, pause, 35_000, func() time.Duration { return 100 * time.Millisecond })
					}
					time.Sleep(time.Duration(r.IntN(1000)) * time.Millisecond)
					objects, cost := 1+r.IntN(6), time.Duration(5+r.IntN(60))*time.Millisecond
					began := time.Now()
					var done sync.WaitGroup
					for range objects {
						done.Go(func() {
							leave, err := g.enter("victim", 12_000)
							if err != nil {
								t.Error(err)
								return
							}
							time.Sleep(cost)
							leave()
						})
					}
					done.Wait()
					took := time.Since(began)
					// Its share is a seventeenth; two rounds of the others may be under way.
					fair := time.Duration(objects)*cost*17/time.Duration(places) + 4*100*time.Millisecond*17/time.Duration(places)
					if took > fair {
						t.Errorf("%d places, pause %s: %d objects of %s took %s; its share is %s", places, pause, objects, cost, took, fair)
					}
					wg.Wait()
					if g.running != 0 || g.waiting != 0 || len(g.lanes) != 0 {
						t.Errorf("%d run, %d wait, %d are remembered", g.running, g.waiting, len(g.lanes))
					}
				})
			}
		}
	}
}

// Two namespaces that want more than there is get the same time, whatever an object of theirs costs.
func TestTheSameTimeForEach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(2)
		until := time.Now().Add(time.Minute)
		var dearer, cheaper evaluations
		var wg sync.WaitGroup
		dearer.run(g, &wg, "dearer", 8, until, 0, 35_000, func() time.Duration { return 200 * time.Millisecond })
		cheaper.run(g, &wg, "cheaper", 8, until, 0, 5_000, func() time.Duration { return 40 * time.Millisecond })
		wg.Wait()
		ratio := float64(dearer.made) * 200 / (float64(cheaper.made) * 40)
		if ratio < 0.8 || ratio > 1.25 {
			t.Errorf("%d of 200 ms and %d of 40 ms: %.2f", dearer.made, cheaper.made, ratio)
		}
	})
}

// A queue that one namespace has filled has room for another.
func TestTheLongestQueueGivesWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(1)
		g.queue = 8
		stop := make(chan bool)
		var wg sync.WaitGroup
		var lock sync.Mutex
		turned := map[string]int{}
		enter := func(namespace string) {
			wg.Go(func() {
				leave, err := g.enter(namespace, 1000)
				if errors.Is(err, ErrBusy) {
					lock.Lock()
					turned[namespace]++
					lock.Unlock()
					return
				}
				<-stop
				leave()
			})
			synctest.Wait()
		}
		for range 12 {
			enter("greedy")
		}
		enter("modest") // finds the place beyond the others'
		enter("modest")
		enter("modest")
		if turned["greedy"] != 12-1-8+2 || turned["modest"] != 0 || g.waits() != 8 {
			t.Errorf("turned away: %v; %d wait", turned, g.waits())
		}
		close(stop)
		wg.Wait()
		if len(g.lanes) != 0 {
			t.Errorf("remembered: %v", g.lanes)
		}
	})
}

// Expensive objects leave a place to cheap ones, whether they come from one namespace or from many.
func TestWhatIsDearLeavesAPlace(t *testing.T) {
	for places := 2; places <= 4; places++ {
		for _, namespaces := range []int{1, 16} {
			synctest.Test(t, func(t *testing.T) {
				g := newGate(places)
				var running, most int
				var lock sync.Mutex
				count := func(n int) {
					lock.Lock()
					defer lock.Unlock()
					running += n
					most = max(most, running)
				}
				var wg sync.WaitGroup
				for i := range 32 {
					wg.Go(func() {
						leave, err := g.enter(fmt.Sprint(i%namespaces), largeBytes-1)
						if err != nil {
							t.Error(err)
							return
						}
						count(1)
						time.Sleep(10 * time.Millisecond)
						count(-1)
						leave()
					})
				}
				wg.Wait()
				if most != places-1 {
					t.Errorf("%d places, %d namespaces: %d dear ones at once", places, namespaces, most)
				}
			})
		}
	}
}

func TestLaden(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(1)
		for _, c := range []struct {
			bytes       int
			cost, pause time.Duration
			want        bool
		}{
			{heavyBytes, heavy - time.Nanosecond, 0, false},
			{heavyBytes - 1, heavy, 0, false},
			{heavyBytes, heavy, 0, true},
			{1, 0, 9 * time.Second, true},
			{1, 0, time.Second, false},
		} {
			leave, err := g.enter("a", c.bytes)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(c.cost)
			leave()
			time.Sleep(c.pause)
			if got := g.laden(10 * time.Second); got != c.want {
				t.Errorf("%+v: %t", c, got)
			}
		}
	})
}
