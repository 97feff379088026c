//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
)

// atOnce is how many objects a transaction writes: etcd takes 128 operations and 1.5 MiB.
const atOnce = 50

// store writes objects where the API server keeps them, as it would have written them: the
// API itself would take half an hour for as many.
type store struct {
	client  *clientv3.Client
	encoder runtime.Encoder
	waiting []clientv3.Op
}

func newStore(url string) (*store, error) {
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{url}, DialTimeout: 10 * time.Second})
	if err != nil {
		return nil, err
	}
	return &store{client: client, encoder: protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)}, nil
}

// object is what can be stored.
type object interface {
	runtime.Object
	metav1.Object
}

// put stores an object of a resource. Its protobuf begins with "k8s\0" and the object's type.
func (s *store) put(ctx context.Context, resource string, o object) error {
	kinds, _, err := scheme.Scheme.ObjectKinds(o)
	if err != nil {
		return err
	}
	o.GetObjectKind().SetGroupVersionKind(kinds[0])
	var value bytes.Buffer
	if err := s.encoder.Encode(o, &value); err != nil {
		return fmt.Errorf("encode %s %s: %w", resource, o.GetName(), err)
	}
	key := "/registry/" + resource + "/"
	if o.GetNamespace() != "" {
		key += o.GetNamespace() + "/"
	}
	s.waiting = append(s.waiting, clientv3.OpPut(key+o.GetName(), value.String()))
	if len(s.waiting) < atOnce {
		return nil
	}
	return s.flush(ctx)
}

func (s *store) flush(ctx context.Context) error {
	if len(s.waiting) == 0 {
		return nil
	}
	_, err := s.client.Txn(ctx).Then(s.waiting...).Commit()
	s.waiting = s.waiting[:0]
	return err
}

func (s *store) close() { _ = s.client.Close() } // everything is written
