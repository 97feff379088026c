package cluster

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Key names an owning workload.
type Key struct{ Kind, Namespace, Name string }

// Owners knows to which workload the Pods of one namespace go back: those that run, and by
// their names those that have ended.
type Owners interface {
	Of(podName string) (Key, bool)
}

// Managed says whether a controller of a kind that is listed manages the object, so that it
// has been judged with its owner. known tells which of Kinds are listed.
func Managed(object metav1.Object, known func(kind string) bool) bool {
	controller := metav1.GetControllerOfNoCopy(object)
	if controller == nil {
		return false
	}
	k, ok := KindOf(controller.APIVersion, controller.Kind)
	// A Pod says nothing about the Pods that it makes (Spark's driver and its executors).
	return ok && k.Kind != "Pod" && known(k.Kind)
}
