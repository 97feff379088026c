package cluster

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/go-logr/logr/funcr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var errBroken = errors.New("out of order")

type brokenCache struct{ cache.Cache }

func (brokenCache) Get(context.Context, client.ObjectKey, client.Object, ...client.GetOption) error {
	return errBroken
}

type brokenClient struct{ client.Client }

func (brokenClient) Get(context.Context, client.ObjectKey, client.Object, ...client.GetOption) error {
	return errBroken
}

// An owner that cannot be had is known by its kind, and the log says why.
func TestMissingOwnerIsLogged(t *testing.T) {
	var logged []string
	c := &Cluster{
		options: Options{Log: funcr.New(func(_, args string) { logged = append(logged, args) }, funcr.Options{Verbosity: 1})},
		cache:   brokenCache{}, live: brokenClient{},
	}
	yes := true
	chain := c.owners(t.Context(), "here", []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web-1", UID: "1", Controller: &yes}})
	if len(chain) != 1 || chain[0].Kind != "ReplicaSet" {
		t.Errorf("%+v", chain)
	}
	if len(logged) != 1 || !strings.Contains(logged[0], `"kind"="ReplicaSet" "namespace"="here" "name"="web-1" "error"="out of order"`) {
		t.Errorf("%q", logged)
	}
}
