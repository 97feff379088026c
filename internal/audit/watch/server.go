package watch

import "errors"

// ready says why this replica is not ready: it should lead with filled caches, or wait to lead.
func (a *auditor) ready() error {
	if a.stopping.Load() {
		return errors.New("stopping")
	}
	if t := a.term.Load(); t != nil && !t.synced.Load() {
		return errors.New("the caches are not filled yet")
	}
	return nil
}
