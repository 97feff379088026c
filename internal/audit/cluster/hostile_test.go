package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// lists is an API server whose page of a token holds names, and the token of the next one.
func lists(t *testing.T, page func(token string) (names []string, next string)) (*Reader, *atomic.Int32) {
	t.Helper()
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		names, next := page(r.URL.Query().Get("continue"))
		list := metav1.PartialObjectMetadataList{
			TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "PartialObjectMetadataList"}, ListMeta: metav1.ListMeta{Continue: next},
		}
		for _, name := range names {
			list.Items = append(list.Items, metav1.PartialObjectMetadata{
				TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "PartialObjectMetadata"}, ObjectMeta: metav1.ObjectMeta{Name: name},
			})
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(list)
	}))
	t.Cleanup(server.Close)
	r, err := New(Options{Config: &rest.Config{Host: server.URL}})
	if err != nil {
		t.Fatal(err)
	}
	return r, &asked
}

// An API server that gives tokens for ever costs a few requests.
func TestListsInCircles(t *testing.T) {
	k := kindNamed(t, "Deployment")
	for name, page := range map[string]func(string) ([]string, string){
		"the same page": func(string) ([]string, string) { return []string{"a", "b"}, "x" },
		"pages in turn": func(token string) ([]string, string) {
			return []string{"a" + token, "b" + token}, map[string]string{"": "x", "x": "y", "y": "x"}[token]
		},
		"pages of nothing": func(token string) ([]string, string) { return nil, token + "x" },
		"pages before these": func(token string) ([]string, string) {
			return []string{"z" + strings.Repeat("a", 100-len(token))}, token + "x"
		},
	} {
		r, asked := lists(t, page)
		whole := r.Each(t.Context(), k, "", func(*Object) error { return nil })
		metadata := r.EachMetadata(t.Context(), k, "", func(*metav1.PartialObjectMetadata) error { return nil })
		if !errors.Is(whole, errCircle) || !errors.Is(metadata, errCircle) || asked.Load() > 2*(maxEmpty+2) {
			t.Errorf("%s: %v, %v, asked %d times", name, whole, metadata, asked.Load())
		}
	}
}

// A list that starts again repeats what was seen, and a page may be empty.
func TestListsThatGoOn(t *testing.T) {
	var p progress
	for i, page := range [][2]int{{100, 0}, {500, 0}, {0, 0}, {0, 0}, {0, 100}, {0, 10}, {0, 490}, {3, 7}, {0, 0}, {0, 603}} {
		if err := p.page(page[0], page[1]); err != nil {
			t.Errorf("page %d: %v", i, err)
		}
	}
	if err := p.page(0, 1); !errors.Is(err, errCircle) {
		t.Error(err)
	}
}

// An answer without an end is cut, and not asked for again. It is told as an answer: net/http's words are of a request.
func TestEndlessLists(t *testing.T) {
	for name, begin := range map[string]string{"items": `{"items":[`, "one object": `{"items":[{"metadata":{"name":"a"},"x":"`} {
		var sent atomic.Int64
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			part := strings.Repeat(map[bool]string{true: `{},`, false: "xxx"}[name == "items"], 1<<18)
			for n, err := fmt.Fprint(w, begin); err == nil; n, err = fmt.Fprint(w, part) {
				if sent.Add(int64(n)) > 2*maxAnswer {
					return
				}
			}
		}))
		r, err := New(Options{Config: &rest.Config{Host: server.URL}})
		if err != nil {
			t.Fatal(err)
		}
		r.answered.Store(true)
		err = r.Each(t.Context(), kindNamed(t, "Deployment"), "", func(*Object) error { return nil })
		server.Close()
		large := err != nil && strings.HasSuffix(err.Error(), "the API server's answer is larger than 200 MiB")
		if large == (name == "items") || !large && !errors.Is(err, errItems) || sent.Load() > maxAnswer+maxAnswer/2 {
			t.Errorf("%s: %d bytes, %v", name, sent.Load(), err)
		}
	}
}
