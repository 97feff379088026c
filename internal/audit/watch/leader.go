package watch

import (
	"context"
	"fmt"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordination "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// An API server that is away for less than renewDeadline ends no term. When a leader is
// killed, the next one leads after leaseDuration: an audit is not urgent.
const (
	leaseDuration = 30 * time.Second
	renewDeadline = 20 * time.Second
	retryPeriod   = 3 * time.Second
)

// campaign leads whenever it may, until the context ends. A Lease that is lost ends the term
// and not the process: it campaigns again.
func (a *auditor) campaign(ctx context.Context) error {
	config := rest.CopyConfig(a.options.Cluster)
	// A renewal that hangs must leave time for another.
	config.Timeout = renewDeadline / 2
	client, err := coordination.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("prepare the client for the Lease: %w", err)
	}
	lock := &resourcelock.LeaseLock{
		LeaseMeta:  metav1.ObjectMeta{Namespace: a.options.Namespace, Name: a.options.Lease},
		Client:     client,
		LockConfig: resourcelock.ResourceLockConfig{Identity: a.options.Identity},
	}
	for ctx.Err() == nil {
		if err := a.candidate(ctx, lock); err != nil {
			return err
		}
	}
	return nil
}

// held is a lock that knows whether it was ever held: only then has a term begun.
type held struct {
	resourcelock.Interface
	ever bool
}

// Create implements resourcelock.Interface.
func (h *held) Create(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	return h.note(record, h.Interface.Create(ctx, record))
}

// Update implements resourcelock.Interface.
func (h *held) Update(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	return h.note(record, h.Interface.Update(ctx, record))
}

func (h *held) note(record resourcelock.LeaderElectionRecord, err error) error {
	h.ever = h.ever || err == nil && record.HolderIdentity == h.Identity()
	return err
}

// candidate stands for one term. The elector gives up the Lease as soon as its own context
// ends, which is therefore not before the last write has ended.
func (a *auditor) candidate(ctx context.Context, lock resourcelock.Interface) error {
	electing, withdraw := context.WithCancel(context.WithoutCancel(ctx))
	defer withdraw()
	var term sync.Mutex // held while a term runs
	stop := context.AfterFunc(ctx, func() {
		term.Lock()
		defer term.Unlock()
		withdraw()
	})
	defer stop()
	led := &held{Interface: lock}
	ended := make(chan error, 1)
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: led, Name: a.options.Lease, ReleaseOnCancel: true,
		LeaseDuration: leaseDuration, RenewDeadline: renewDeadline, RetryPeriod: retryPeriod,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(lost context.Context) {
				term.Lock()
				defer term.Unlock()
				ended <- a.lead(ctx, lost)
				withdraw()
			},
			OnStoppedLeading: func() {},
		},
	})
	if err != nil {
		return fmt.Errorf("prepare the election: %w", err)
	}
	elector.Run(electing)
	if !led.ever {
		return nil
	}
	return <-ended
}

// lead runs a term until the context ends or the Lease is lost.
func (a *auditor) lead(ctx, lost context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(lost, cancel)()
	if ctx.Err() != nil {
		return nil
	}
	t, err := newTerm(a.options, a.metrics, a.rules, a.categories)
	if err != nil {
		return err
	}
	a.options.Log.Info("leading")
	a.term.Store(t)
	a.metrics.Leads(true)
	defer func() {
		a.term.Store(nil)
		a.metrics.Leads(false)
		a.metrics.Writes("")
		a.options.Log.Info("not leading any more")
	}()
	return t.run(ctx)
}
