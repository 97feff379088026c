package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/headroom-dev/headroom/tools/release/pack"
)

// completions are the files of an archive that complete commands, by the name of the shell for headroom completion.
var completions = map[string]string{
	"bash": "headroom.bash", "zsh": "_headroom", "fish": "headroom.fish", "powershell": "headroom.ps1",
	"kubectl": "kubectl_complete-headroom",
}

// pages are the manual pages and the completions of every archive, as the program of this machine writes them: they are
// the same on all platforms.
func (r *release) pages(ctx context.Context) (pack.Files, error) {
	here := platform{runtime.GOOS, runtime.GOARCH}
	program := filepath.Join(r.work, "dist", "pages", here.binary(full))
	if err := r.compile(ctx, here, program); err != nil {
		return nil, err
	}
	folder := filepath.Join(r.work, "dist", "man")
	if _, err := r.said(ctx, program, "man", folder); err != nil {
		return nil, err
	}
	pages, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	files := pack.Files{}
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join(folder, page.Name()))
		if err != nil {
			return nil, err
		}
		files[path.Join("man", "man1", page.Name())] = pack.File{Content: text}
	}
	for shell, name := range completions {
		text, err := r.said(ctx, program, "completion", shell)
		if err != nil {
			return nil, err
		}
		files[path.Join("completions", name)] = pack.File{Content: text, Program: shell == "kubectl"}
	}
	return files, nil
}

// said runs the program as at the time of the commit.
func (r *release) said(ctx context.Context, program string, arguments ...string) ([]byte, error) {
	command := exec.CommandContext(ctx, program, arguments...) //nolint:gosec // headroom, which this release built
	command.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+strconv.FormatInt(r.commit.Time.Unix(), 10))
	command.Stderr = os.Stderr
	text, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("headroom %v: %w", arguments, err)
	}
	return text, nil
}
