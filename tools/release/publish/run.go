package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"

	"github.com/headroom-dev/headroom/tools/release/artifact"
)

func run(ctx context.Context, o options) (err error) {
	files, err := artifact.Verify(o.folder)
	if err != nil {
		return err
	}
	about, err := artifact.About(files)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "headroom-publish")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	all, err := artifact.All(files, about, work)
	if err != nil {
		return err
	}
	if string(artifact.List(all)) != string(files[artifact.Digests]) {
		return fmt.Errorf("this program makes other digests of the files in %s than %s there names: "+
			"publish with the program of the release's own commit, %s", o.folder, artifact.Digests, about.Revision)
	}
	if hub, found := files[artifact.Repository]; found {
		metadata, err := artifact.Metadata(hub)
		if err != nil {
			return err
		}
		all = append(all, metadata)
	}
	targets := make([]target, len(all))
	for i, a := range all {
		reference := fmt.Sprintf("%s/%s:%s", strings.TrimSuffix(o.registry, "/"), a.Repository, a.Tag)
		tag, err := name.NewTag(reference, name.StrictValidation)
		if err != nil {
			return fmt.Errorf("-registry %s: %w", o.registry, err)
		}
		targets[i] = target{a, tag, a.Tag != about.Version}
	}
	return publish(ctx, targets, o.dryRun)
}

// publish looks at all that could stand in the way before it pushes anything.
func publish(ctx context.Context, targets []target, dryRun bool) error {
	var missing []target
	for _, t := range targets {
		there, err := t.look(ctx)
		if err != nil {
			return err
		}
		if there {
			fmt.Printf("%s@%s is there already\n", t.tag, t.Digest)
			continue
		}
		missing = append(missing, t)
	}
	if dryRun {
		for _, t := range missing {
			fmt.Printf("%s@%s would be pushed\n", t.tag, t.Digest)
		}
		return nil
	}
	for i, t := range missing {
		if err := t.push(ctx); err != nil {
			return fmt.Errorf("%w\n%d of %d were pushed before it; run this again, what is there is not pushed twice",
				err, i, len(missing))
		}
		fmt.Printf("%s@%s pushed\n", t.tag, t.Digest)
	}
	return nil
}
