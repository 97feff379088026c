package reports

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// API is a kind of reports: one for subjects in a namespace, one for those without.
type API struct {
	GroupVersion schema.GroupVersion
	// Namespaced and Cluster are {resource, kind}.
	Namespaced, Cluster Kind
}

// Kind is a resource and what its objects say they are.
type Kind struct{ Resource, Kind string }

// APIs are the kinds of reports, the one that is preferred first.
var APIs = []API{
	{
		GroupVersion: schema.GroupVersion{Group: "openreports.io", Version: "v1alpha1"},
		Namespaced:   Kind{"reports", "Report"}, Cluster: Kind{"clusterreports", "ClusterReport"},
	},
	{
		GroupVersion: schema.GroupVersion{Group: "wgpolicyk8s.io", Version: "v1alpha2"},
		Namespaced:   Kind{"policyreports", "PolicyReport"}, Cluster: Kind{"clusterpolicyreports", "ClusterPolicyReport"},
	},
}

// kindFor is the kind kindFor reports for subjects in a namespace, or without one.
func (a API) kindFor(namespace string) Kind {
	if namespace == "" {
		return a.Cluster
	}
	return a.Namespaced
}

func (a API) resource(namespace string) schema.GroupVersionResource {
	return a.GroupVersion.WithResource(a.kindFor(namespace).Resource)
}

// discoverer asks the API server what it serves.
type discoverer interface {
	ServerResourcesForGroupVersionWithContext(context.Context, string) (*metav1.APIResourceList, error)
}

// served are the APIs that the cluster knows. One without its cluster-wide kind is known for
// subjects in namespaces.
func served(ctx context.Context, client discoverer) ([]API, error) {
	var found []API
	for _, api := range APIs {
		list, err := client.ServerResourcesForGroupVersionWithContext(ctx, api.GroupVersion.String())
		if apierrors.IsNotFound(err) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("ask for %s: %w", api.GroupVersion, err)
		}
		known := map[string]bool{}
		for _, resource := range list.APIResources {
			known[resource.Name] = true
		}
		if !known[api.Namespaced.Resource] {
			continue
		}
		if !known[api.Cluster.Resource] {
			api.Cluster = Kind{}
		}
		found = append(found, api)
	}
	return found, nil
}
