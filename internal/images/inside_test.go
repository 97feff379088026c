package images

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

func TestHowFarInside(t *testing.T) {
	for text, want := range map[string]level{
		"8.8.8.8": public, "2600::1": public, "10.0.0.1": private, "192.168.1.1": private, "172.16.0.1": private,
		"100.64.0.1": private, "fd00::1": private, "::ffff:10.0.0.1": private, "64:ff9b::a00:1": private,
		"64:ff9b::7f00:1": loopback, "127.0.0.1": loopback, "127.9.9.9": loopback, "::1": loopback, "0.0.0.0": loopback,
		"::": loopback, "::ffff:127.0.0.1": loopback, "169.254.169.254": nowhere, "fe80::1%eth0": nowhere, "224.0.0.1": nowhere,
		"255.255.255.255": nowhere, "64:ff9b::a9fe:a9fe": nowhere,

		"0.1.2.3": nowhere, "192.0.0.192": nowhere, "168.63.129.16": nowhere, "100.100.100.200": nowhere, "fd00:ec2::254": nowhere,
		"fd20:ce::254": nowhere, "240.0.0.1": private, "198.18.0.1": private, "fec0::1": private, "::127.0.0.1": loopback,
		"::10.0.0.1": private, "2002:7f00:1::": loopback, "2002:a9fe:a9fe::1": nowhere, "2002:808:808::1": public,
		"64:ff9b:1::7f00:1": loopback, "64:ff9b:1::a00:1": private, "192.0.2.1": public, "2001:4860:4860::8888": public,
		"::ffff:168.63.129.16": nowhere, "64:ff9b::808:808": public,
	} {
		if got := levelOf(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s is %d, want %d", text, got, want)
		}
	}
}

// A name is looked at when it is dialled, however the registry led to it. Here 127.0.0.1 counts as an address of the
// internet and 127.0.0.2 as this machine.
func TestARegistryLeadsNoFurtherInside(t *testing.T) {
	var asked atomic.Int32
	inside := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	startBeside(t, inside)
	defer inside.Close()
	outside := httptest.NewServer(http.RedirectHandler(inside.URL, http.StatusFound))
	defer outside.Close()
	host := func(server *httptest.Server) string { return strings.TrimPrefix(server.URL, "http://") }
	for name, tc := range map[string]struct {
		registry string
		named    []string
		want     error
	}{
		"a redirect to this machine":        {registry: host(outside), want: errInside},
		"a registry that is not known":      {registry: "other.example", want: errInside},
		"of no registry":                    {want: errInside},
		"a host that the user has named":    {registry: host(outside), named: []string{host(inside)}},
		"the registry is on this machine":   {registry: host(inside)},
		"a registry that is as far inside ": {registry: "private.example"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := newCarrier(Options{Insecure: []string{host(outside), host(inside)}})
			if err != nil {
				t.Fatal(err)
			}
			c.named = tc.named
			d := &c.dialled
			d.levels["private.example"] = loopback
			d.levelOf = func(address netip.Addr) level {
				if address == netip.MustParseAddr("127.0.0.2") {
					return loopback
				}
				return public
			}
			asked.Store(0)
			ctx := context.Background()
			if tc.registry != "" {
				ctx = asking(ctx, tc.registry)
			}
			request, err := http.NewRequestWithContext(ctx, http.MethodGet, outside.URL, nil)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := (&http.Client{Transport: c}).Do(request)
			if err == nil {
				_ = answer.Body.Close()
			}
			if !errors.Is(err, tc.want) || (asked.Load() == 0) != (tc.want != nil) {
				t.Errorf("%v, asked %d times", err, asked.Load())
			}
			if tc.want == errInside && plain(ctx, err) != errInside {
				t.Error(plain(ctx, err))
			}
		})
	}
}

// A registry whose name has an address inside beside its own is no further inside for that: what does not answer says
// nothing of it.
func TestOnlyWhatAnswersSaysHowFarInside(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	host := strings.TrimPrefix(server.URL, "http://")
	for _, answers := range []bool{true, false} {
		c, err := newCarrier(Options{Insecure: []string{host}})
		if err != nil {
			t.Fatal(err)
		}
		c.named = nil
		if !answers {
			server.Close()
		}
		request, err := http.NewRequestWithContext(asking(t.Context(), host), http.MethodGet, server.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := c.RoundTrip(request)
		if err == nil {
			_ = answer.Body.Close()
		}
		if (err == nil) != answers || (c.dialled.levels[host] == loopback) != answers {
			t.Errorf("answers %v: %v, level %d", answers, err, c.dialled.levels[host])
		}
	}
}

func TestBehindAProxyTheTextCounts(t *testing.T) {
	d := dialled{levelOf: levelOf, levels: map[string]level{}}
	for url, want := range map[string]error{
		"https://169.254.169.254/x": errInside, "https://[::1]/x": errInside, "https://10.0.0.1/": errInside, "https://example.com/": nil,
	} {
		request := httptest.NewRequest(http.MethodGet, url, nil)
		if _, _, err := d.bound(request, nil, true); !errors.Is(err, want) {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// startBeside starts a server at 127.0.0.2, which is another address of this machine on Linux alone.
func startBeside(t *testing.T, server *httptest.Server) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.2:0")
	if err != nil && runtime.GOOS != "linux" {
		t.Skip("only Linux has all of 127.0.0.0/8 for itself: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	_ = server.Listener.Close()
	server.Listener = listener
	server.Start()
}
