package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// visitor sends requests to a server until its context ends; it rests between them, or it would take
// the processors that the server needs.
type visitor struct {
	ctx    context.Context
	number int // of this visitor, from 0
	turn   int
	failed error // the last answer that was none
	good   int
}

// visitors is how many come at once.
const visitors = 32

func (v *visitor) run(visit func(*visitor)) {
	for ; v.ctx.Err() == nil; v.turn++ {
		visit(v)
		select {
		case <-v.ctx.Done():
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (v *visitor) send(method, path, kind, body string) {
	request, err := http.NewRequestWithContext(v.ctx, method, "http://127.0.0.1:"+port+path, strings.NewReader(body))
	if err != nil {
		v.failed = err
		return
	}
	request.Header.Set("Content-Type", kind)
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		v.failed = err
		return
	}
	defer func() { _ = response.Body.Close() }()
	said, err := io.ReadAll(response.Body)
	switch {
	case err != nil:
		v.failed = err
	case response.StatusCode >= 300:
		v.failed = fmt.Errorf("%s %s: %s: %.200s", method, path, response.Status, said)
	default:
		v.good++
	}
}

const asJSON = "application/json"

// items is what the Spring application has.
func items(v *visitor) {
	v.send(http.MethodPost, "/items", asJSON, fmt.Sprintf(`{"name":"item %d of %d","price":%d}`, v.turn, v.number, v.turn%1000))
	v.send(http.MethodGet, "/items?above=900", asJSON, "")
	v.send(http.MethodGet, fmt.Sprintf("/items/%d", 1+v.turn), asJSON, "")
}

// spans is Zipkin's: a trace of ten spans, and now and then a search.
func spans(v *visitor) {
	var all []string
	at := time.Now().UnixMicro()
	for i := range 10 {
		all = append(all, fmt.Sprintf(
			`{"traceId":"%016x","id":"%016x","name":"get /%d","timestamp":%d,"duration":%d,"kind":"SERVER",`+
				`"localEndpoint":{"serviceName":"service%d"},"tags":{"http.path":"/%d/%d"}}`,
			1+v.number<<32+v.turn, 1+i, i, at, 1000+i, i, v.number, v.turn))
	}
	v.send(http.MethodPost, "/api/v2/spans", asJSON, "["+strings.Join(all, ",")+"]")
	if v.turn%10 == 0 {
		v.send(http.MethodGet, fmt.Sprintf("/api/v2/traces?limit=50&serviceName=service%d", v.turn/10%10), asJSON, "")
	}
}

// stubs is WireMock's: an answer that is made from the request.
func stubs(v *visitor) {
	if v.turn == 0 {
		v.send(http.MethodPost, "/__admin/mappings", asJSON, fmt.Sprintf(
			`{"request":{"method":"POST","urlPathPattern":"/%d/.*","bodyPatterns":[{"matchesJsonPath":"$.n"}]},`+
				`"response":{"body":"{{request.path}} {{jsonPath request.body '$.n'}}","transformers":["response-template"]}}`, v.number))
	}
	v.send(http.MethodPost, fmt.Sprintf("/%d/%d", v.number, v.turn), asJSON, fmt.Sprintf(`{"n":%d,"text":%q}`, v.turn, strings.Repeat("x", 1000)))
}

// triples is Fuseki's: an update of fifty triples, and a query.
func triples(v *visitor) {
	if v.turn%5 == 0 {
		var all strings.Builder
		for i := range 50 {
			fmt.Fprintf(&all, "<urn:%d:%d:%d> <urn:of> %d . ", v.number, v.turn, i, (v.turn+i)%97)
		}
		v.send(http.MethodPost, "/ds/update", "application/sparql-update", "INSERT DATA { "+all.String()+"}")
	}
	v.send(http.MethodPost, "/ds/query", "application/sparql-query",
		fmt.Sprintf("SELECT ?s WHERE { ?s <urn:of> %d . ?s <urn:of> ?o } ORDER BY ?s LIMIT 50", v.turn%97))
}

// tokens are Keycloak's: a login, and what a client asks for before one.
func tokens(v *visitor) {
	v.send(http.MethodGet, "/realms/master/.well-known/openid-configuration", asJSON, "")
	v.send(http.MethodGet, "/realms/master/protocol/openid-connect/auth?client_id=account-console&response_type=code&redirect_uri=http%3A%2F%2F127.0.0.1%3A"+
		port+"%2Frealms%2Fmaster%2Faccount&code_challenge_method=S256&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", asJSON, "")
	v.send(http.MethodPost, "/realms/master/protocol/openid-connect/token", "application/x-www-form-urlencoded",
		"client_id=admin-cli&grant_type=password&username=admin&password=admin")
}

// bodies of 256 KiB, which the Netty server keeps for a while.
func bodies(v *visitor) {
	v.send(http.MethodPost, "/", "application/octet-stream", body)
}

var body = strings.Repeat("x", 256<<10)
