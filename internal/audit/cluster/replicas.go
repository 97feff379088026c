package cluster

import (
	"encoding/json"
	"time"
)

// status is what is read of a workload's status.
type status struct {
	Phase                  string          `json:"phase"`                  // Pod
	DesiredNumberScheduled int             `json:"desiredNumberScheduled"` // DaemonSet
	Active                 json.RawMessage `json:"active"`                 // a number of a Job, a list of a CronJob
	Conditions             []struct {
		Type   string `json:"type"`
		Status string `json:"status"`
	} `json:"conditions"`
	InitContainers []ContainerStatus `json:"initContainerStatuses"` // Pod, as the next
	Containers     []ContainerStatus `json:"containerStatuses"`
	Allocatable    map[string]any    `json:"allocatable"` // Node
}

// ContainerStatus is what the kubelet says of a container of a Pod.
type ContainerStatus struct {
	Name    string `json:"name"`
	ImageID string `json:"imageID"` // repository@sha256:…, of some runtimes a digest that no registry knows
	// State and LastState tell how the container ended, and how the one before it did.
	State     ContainerState `json:"state"`
	LastState ContainerState `json:"lastState"`
}

// ContainerState is what is read of one: nothing while it runs.
type ContainerState struct {
	Terminated *Termination `json:"terminated"`
}

// Termination is how one ended.
type Termination struct {
	Reason     string    `json:"reason"`
	ExitCode   int       `json:"exitCode"`
	FinishedAt time.Time `json:"finishedAt"`
}

// replicas are the Pods that a workload asks for: of a CronJob the Jobs that run.
func replicas(kind string, spec map[string]any, s *status) int {
	switch kind {
	case "Deployment", "StatefulSet", "ReplicaSet", "ReplicationController":
		switch n := spec["replicas"].(type) {
		case float64: // as encoding/json has it
			return int(n)
		case int64: // as the API machinery has it
			return int(n)
		}
		return 1
	case "DaemonSet":
		return s.DesiredNumberScheduled
	case "Job":
		var n int
		_ = json.Unmarshal(s.Active, &n) // none where there is no number
		return n
	case "CronJob":
		var jobs []struct{}
		_ = json.Unmarshal(s.Active, &jobs)
		return len(jobs)
	case "Pod":
		return 1
	}
	return 0
}

func (s *status) finished(kind string) bool {
	switch kind {
	case "Pod":
		return s.Phase == "Succeeded" || s.Phase == "Failed"
	case "Job":
		for _, c := range s.Conditions {
			if (c.Type == "Complete" || c.Type == "Failed") && c.Status == "True" {
				return true
			}
		}
	}
	return false
}
