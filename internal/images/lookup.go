// Package images reads what images start from their registries: the config of an image, 5 KB or so, and never a layer.
package images

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/headroom-dev/headroom/policies/engine"
)

// DefaultPlatform is the platform of the nodes unless the user names another.
const DefaultPlatform = "linux/amd64"

// Bounds of what a registry may answer.
const (
	maxBytes    = 4 << 20   // of a manifest, of a config, and of any other answer
	maxIndexes  = 3         // indexes in indexes
	maxNamed    = 7         // platforms in a message
	maxEntries  = 1024      // words of a command, variables, labels: as in images.schema.json
	maxText     = 128 << 10 // bytes of one of them: Linux starts nothing with more
	atOnce      = 16        // images
	patience    = 20 * time.Second
	allPatience = 5 * time.Minute
)

// Options say how to reach registries. The zero value uses the public ones, with the credentials of Docker's
// configuration.
type Options struct {
	// Platform is what the nodes run, "linux/arm64"; "" assumes DefaultPlatform.
	Platform string
	// Offline asks no registry: only digests that the cache has are known.
	Offline bool
	// Mirrors are the registries asked instead of others, by host: docker.io -> mirror.example:5000.
	Mirrors map[string]string
	// Insecure are hosts that may be asked without TLS.
	Insecure []string
	// Authorities is a PEM file with certificates to trust besides the system's, "" for none.
	Authorities string
	// Cache is the folder with what was read before, "" for none.
	Cache string
	// Keychain has the credentials; nil uses those of Docker's and Podman's configuration.
	Keychain authn.Keychain
}

// Image is what is known of an image.
type Image struct {
	// Digest is that of the platform's own manifest.
	Digest   string
	Platform string // linux/amd64
	Assumed  bool   // the platform was not given, and the image has several
	Config   engine.ImageConfig
}

// Found is an image, or why it is not known.
type Found struct {
	Image Image
	Err   error
}

// Registries read images. They are safe for concurrent use.
type Registries struct {
	options  Options
	platform v1.Platform
	puller   *remote.Puller
	cache    cache
}

// New makes ready to read. Nothing is asked before Find.
func New(o Options) (*Registries, error) {
	r, _, err := newRegistries(o)
	return r, err
}

func newRegistries(o Options) (*Registries, *carrier, error) {
	platform, err := v1.ParsePlatform(cmp.Or(o.Platform, DefaultPlatform))
	if err != nil || platform.OS == "" || platform.Architecture == "" {
		return nil, nil, fmt.Errorf("platform %q is not of the form linux/amd64", o.Platform)
	}
	carrier, err := newCarrier(o)
	if err != nil {
		return nil, nil, err
	}
	keychain := o.Keychain
	if keychain == nil {
		keychain = authn.DefaultKeychain
	}
	puller, err := remote.NewPuller(
		remote.WithAuthFromKeychain(keychain), remote.WithTransport(carrier), remote.WithUserAgent("headroom"),
		remote.WithRetryBackoff(remote.Backoff{Duration: 500 * time.Millisecond, Factor: 2, Jitter: 0.1, Steps: 2}),
		remote.WithJobs(atOnce),
	)
	if err != nil {
		return nil, nil, fmt.Errorf("reach registries: %w", err)
	}
	return &Registries{options: o, platform: *platform, puller: puller, cache: cache{folder: o.Cache}}, carrier, nil
}

// All reads many images, some at once. tell is called with each as it is known, from one goroutine at a time.
func (r *Registries) All(ctx context.Context, references []string, tell func(reference string, found Found)) {
	ctx, cancel := context.WithTimeout(ctx, allPatience)
	defer cancel()
	var telling sync.Mutex
	var group sync.WaitGroup
	free := make(chan struct{}, atOnce)
	for _, reference := range references {
		free <- struct{}{}
		group.Go(func() {
			defer func() { <-free }()
			image, err := r.Find(ctx, reference)
			telling.Lock()
			defer telling.Unlock()
			tell(reference, Found{image, err})
		})
	}
	group.Wait()
}

// Find reads one image. The error says in plain words why it is not known, and holds no credential.
func (r *Registries) Find(ctx context.Context, reference string) (Image, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	image, err := r.find(ctx, reference)
	if err != nil {
		return Image{}, plain(ctx, err)
	}
	return image, nil
}

func (r *Registries) find(ctx context.Context, reference string) (Image, error) {
	ref, err := r.parse(reference)
	if err != nil {
		return Image{}, err
	}
	ctx = asking(ctx, ref.Context().RegistryStr())
	digest, err := r.resolve(ctx, ref)
	if err != nil {
		return Image{}, err
	}
	assumed := false
	for range maxIndexes {
		raw, err := r.manifest(ctx, ref, digest)
		if err != nil {
			return Image{}, err
		}
		index, err := readIndex(raw)
		if err != nil {
			return Image{}, err
		}
		if index == nil {
			return r.image(ctx, ref, digest, raw, assumed)
		}
		if digest, err = r.choose(index); err != nil {
			return Image{}, err
		}
		assumed = r.options.Platform == ""
	}
	return Image{}, fmt.Errorf("more than %d indexes stand in each other", maxIndexes)
}

// parse reads a reference as a node does: no registry is Docker Hub, no tag is latest.
func (r *Registries) parse(reference string) (name.Reference, error) {
	// A tag before a digest says nothing more.
	if before, digest, ok := strings.Cut(reference, "@"); ok {
		if slash, colon := strings.LastIndex(before, "/"), strings.LastIndex(before, ":"); colon > slash {
			reference = before[:colon] + "@" + digest
		}
	}
	ref, err := name.ParseReference(reference, name.WeakValidation)
	if err != nil {
		return nil, errors.New("is not the name of an image, such as registry.example.com/shop/cart:1.4")
	}
	host := ref.Context().RegistryStr()
	mirror, ok := r.options.Mirrors[host]
	if !ok && host == name.DefaultRegistry {
		mirror, ok = r.options.Mirrors["docker.io"]
	}
	if !ok {
		mirror = host
	}
	var options []name.Option
	if slices.Contains(r.options.Insecure, mirror) {
		options = append(options, name.Insecure)
	}
	repository, err := name.NewRepository(mirror+"/"+ref.Context().RepositoryStr(), options...)
	if err != nil {
		return nil, fmt.Errorf("cannot be read from mirror %s", mirror)
	}
	if digest, ok := ref.(name.Digest); ok {
		return repository.Digest(digest.DigestStr()), nil
	}
	return repository.Tag(ref.Identifier()), nil
}

// resolve gives the digest that a tag has now.
func (r *Registries) resolve(ctx context.Context, ref name.Reference) (v1.Hash, error) {
	if digest, ok := ref.(name.Digest); ok {
		return v1.NewHash(digest.DigestStr())
	}
	if r.options.Offline {
		return v1.Hash{}, errors.New("only the registry knows the digest of its tag: leave out --offline, or name its digest")
	}
	if head, err := r.puller.Head(ctx, ref); err == nil {
		return head.Digest, nil
	}
	// Some registries know no HEAD; the error of GET says more, too.
	got, err := r.puller.Get(ctx, ref)
	if err != nil {
		return v1.Hash{}, err
	}
	r.cache.store(got.Digest, got.Manifest)
	return got.Digest, nil
}

// manifest is the text of a manifest or index.
func (r *Registries) manifest(ctx context.Context, ref name.Reference, digest v1.Hash) ([]byte, error) {
	if known := r.cache.get(digest); known != nil {
		return known, nil
	}
	if r.options.Offline {
		return nil, errors.New("is not in the cache: run once without --offline")
	}
	got, err := r.puller.Get(ctx, ref.Context().Digest(digest.String()))
	if err != nil {
		return nil, err
	}
	r.cache.store(digest, got.Manifest)
	return got.Manifest, nil
}

// image reads the config that a manifest names.
func (r *Registries) image(ctx context.Context, ref name.Reference, digest v1.Hash, raw []byte, assumed bool) (Image, error) {
	manifest, err := v1.ParseManifest(bytes.NewReader(raw))
	if err != nil {
		return Image{}, errors.New("its manifest cannot be read")
	}
	config := manifest.Config
	if config.MediaType != types.DockerConfigJSON && config.MediaType != types.OCIConfigJSON {
		return Image{}, errors.New("is no image: its config has another type")
	}
	if config.Size > maxBytes {
		return Image{}, errTooLarge
	}
	text := r.cache.get(config.Digest)
	if text == nil {
		if text, err = r.blob(ctx, ref, config.Digest); err != nil {
			return Image{}, err
		}
		r.cache.store(config.Digest, text)
	}
	file, err := v1.ParseConfigFile(bytes.NewReader(text))
	if err != nil {
		return Image{}, errors.New("its config cannot be read")
	}
	platform := v1.Platform{OS: file.OS, Architecture: file.Architecture, Variant: file.Variant}
	if !startable(&file.Config) || len(platform.String()) > maxText {
		return Image{}, fmt.Errorf("its config has more than %d words or variables, or one of more than %d KiB", maxEntries, maxText>>10)
	}
	return Image{
		Digest: digest.String(), Platform: platform.String(), Assumed: assumed,
		Config: engine.ImageConfig{
			Entrypoint: file.Config.Entrypoint, Command: file.Config.Cmd,
			Environment: environment(file.Config.Env), Labels: file.Config.Labels,
		},
	}, nil
}

// startable says that a config is no larger than what a lock may have.
func startable(config *v1.Config) bool {
	if len(config.Labels) > maxEntries {
		return false
	}
	for _, list := range [][]string{
		config.Entrypoint, config.Cmd, config.Env, slices.Collect(maps.Keys(config.Labels)), slices.Collect(maps.Values(config.Labels)),
	} {
		if len(list) > maxEntries || slices.ContainsFunc(list, func(text string) bool { return len(text) > maxText }) {
			return false
		}
	}
	return true
}

func (r *Registries) blob(ctx context.Context, ref name.Reference, digest v1.Hash) ([]byte, error) {
	if r.options.Offline {
		return nil, errors.New("its config is not in the cache: run once without --offline")
	}
	layer, err := r.puller.Layer(ctx, ref.Context().Digest(digest.String()))
	if err != nil {
		return nil, err
	}
	content, err := layer.Compressed() // as it is: the digest is that of these bytes
	if err != nil {
		return nil, err
	}
	defer func() { _ = content.Close() }()
	return io.ReadAll(content)
}

// environment are the variables by name; of several the last counts, as in a process.
func environment(entries []string) map[string]string {
	all := make(map[string]string, len(entries))
	for _, entry := range entries {
		if name, value, ok := strings.Cut(entry, "="); ok {
			all[name] = value
		}
	}
	return all
}

// plain says why in words: what a registry answers may hold anything.
func plain(ctx context.Context, err error) error {
	var refused *transport.Error
	var untrusted *tls.CertificateVerificationError
	var large *http.MaxBytesError
	switch {
	case errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil:
		return errors.New("the registry did not answer in time")
	case errors.Is(err, errTooLarge) || errors.As(err, &large):
		return errTooLarge
	case errors.As(err, &untrusted):
		return errors.New("the registry's certificate is not trusted; --registry-ca names more authorities")
	case errors.As(err, &refused):
		switch refused.StatusCode {
		case http.StatusUnauthorized, http.StatusForbidden:
			return errors.New("the registry wants other credentials, or there is no such image")
		case http.StatusNotFound:
			return errors.New("the registry has no such image")
		case http.StatusTooManyRequests:
			return errors.New("the registry takes no more requests for now (429)")
		}
		return fmt.Errorf("the registry answered %d %s", refused.StatusCode, http.StatusText(refused.StatusCode))
	case errors.Is(err, errPlainHTTP):
		return errPlainHTTP
	case errors.Is(err, errElsewhere):
		return errElsewhere
	case errors.Is(err, errInside):
		return errInside
	}
	return shortened(err)
}
