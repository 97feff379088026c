package images

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"slices"
	"sync"
	"syscall"
)

// A registry on the internet may send elsewhere: to a server of tokens, to where its blobs lie. A name there may resolve
// to an address of this network, whose services trust who reaches them. So addresses are looked at when they are
// dialled. What a registry sends to is no further inside than the registry itself.

// level is how far inside an address is.
type level int

const (
	public level = iota
	private
	loopback
	nowhere // link-local, where clouds keep the credentials of machines; multicast and the like
)

var errInside = errors.New("the registry sends to an address inside of this network, where it is not followed; " +
	"--registry-insecure or --registry-mirror names such a host")

// special are addresses of the IANA registries of special purposes that the library takes for public ones. At some of
// them clouds hand out the credentials of a machine: Azure at 168.63.129.16, Oracle at 192.0.0.192, Alibaba at
// 100.100.100.200. Amazon does so below fd00:ec2::/32, and Google below fd20:ce::/32.
var special = map[level][]netip.Prefix{
	nowhere: prefixes("0.0.0.0/8", "168.63.129.16/32", "192.0.0.0/24", "100.100.100.200/32", "fd00:ec2::/32", "fd20:ce::/32"),
	private: prefixes("100.64.0.0/10", "198.18.0.0/15", "240.0.0.0/4", "fec0::/10"),
}

// embedding are the addresses of IPv6 that stand for one of IPv4, and the byte where that begins. They are those of
// compatible machines, of the translators of RFC 6052 and RFC 8215, and of 6to4.
var embedding = map[netip.Prefix]int{
	netip.MustParsePrefix("::/96"): 12, netip.MustParsePrefix("64:ff9b::/96"): 12, netip.MustParsePrefix("64:ff9b:1::/96"): 12,
	netip.MustParsePrefix("2002::/16"): 2,
}

func prefixes(texts ...string) (all []netip.Prefix) {
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

func contains(prefixes []netip.Prefix, address netip.Addr) bool {
	return slices.ContainsFunc(prefixes, func(p netip.Prefix) bool { return p.Contains(address) })
}

func levelOf(address netip.Addr) level {
	address = address.Unmap().WithZone("")
	for prefix, at := range embedding {
		if prefix.Contains(address) && !address.IsLoopback() && !address.IsUnspecified() {
			bytes := address.As16()
			address, _ = netip.AddrFromSlice(bytes[at : at+4])
		}
	}
	switch {
	case address.IsLoopback() || address.IsUnspecified():
		return loopback
	case contains(special[nowhere], address) || address == netip.AddrFrom4([4]byte{255, 255, 255, 255}):
		return nowhere
	case address.IsPrivate() || contains(special[private], address):
		return private
	case address.IsGlobalUnicast():
		return public
	}
	return nowhere
}

type registryKey struct{}

// asking marks what is asked for an image of a registry.
func asking(ctx context.Context, registry string) context.Context {
	return context.WithValue(ctx, registryKey{}, registry)
}

// dialled knows how far inside registries are.
type dialled struct {
	levelOf func(netip.Addr) level
	lock    sync.Mutex
	levels  map[string]level
}

// reach is how far inside a request may lead, and whether it goes to the registry itself.
func (d *dialled) reach(request *http.Request, named []string) (most level, itself bool) {
	registry, _ := request.Context().Value(registryKey{}).(string)
	switch {
	case slices.Contains(named, request.URL.Host):
		return nowhere, false
	case registry == request.URL.Host:
		return loopback, true
	}
	d.lock.Lock()
	defer d.lock.Unlock()
	return d.levels[registry], false
}

type placeKey struct{} // of the level that a request may reach

// control refuses an address before anything is sent there.
func (d *dialled) control(ctx context.Context, _, address string, _ syscall.RawConn) error {
	most, ok := ctx.Value(placeKey{}).(level)
	if !ok {
		return nil // to a proxy, which the user has named
	}
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return errInside
	}
	if d.levelOf(at.Addr()) > most {
		return errInside
	}
	return nil
}

// note learns how far inside a registry is. Only the address counts that has answered, with a certificate for that name.
// Beside one on the internet a name can have an address of this network that is not its own.
func (d *dialled) note(host string) *httptrace.ClientTrace {
	return &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) {
		at, err := netip.ParseAddrPort(got.Conn.RemoteAddr().String())
		if err != nil {
			return
		}
		d.lock.Lock()
		defer d.lock.Unlock()
		d.levels[host] = max(d.levels[host], d.levelOf(at.Addr()))
	}}
}

// bound gives a request with its reach. Behind a proxy only the text of an address can be looked at.
func (d *dialled) bound(request *http.Request, named []string, proxied bool) (*http.Request, level, error) {
	most, itself := d.reach(request, named)
	if proxied {
		if address, err := netip.ParseAddr(request.URL.Hostname()); err == nil && d.levelOf(address) > most {
			return nil, most, errInside
		}
		return request, nowhere, nil
	}
	ctx := context.WithValue(request.Context(), placeKey{}, most)
	if itself {
		ctx = httptrace.WithClientTrace(ctx, d.note(request.URL.Host))
	}
	return request.WithContext(ctx), most, nil
}

func (d *dialled) dialer() *net.Dialer {
	return &net.Dialer{Timeout: dialPatience, ControlContext: d.control}
}
