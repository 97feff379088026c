//go:build !js && !lean

package source

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/headroom-dev/headroom/internal/regular"
)

// bounds are what a kustomization may open. They hold where a file or a folder is opened, and not where a text
// names it: kustomize takes names in many spellings, and from files that only it understands.
type bounds struct {
	Root   string // the repository or the working directory, by its real path; "" where there is neither
	Folder string // the kustomization, by its real path
	Follow bool   // anything may be opened
}

func boundsOf(folder string, follow bool) bounds {
	real := realPath(folder)
	return bounds{Root: trees{}.treeOf(folder), Folder: real, Follow: follow}
}

// let says whether a name may be opened. Without a root, bases may lie anywhere, but no link leads to them.
func (b bounds) let(name string) bool {
	absolute, err := filepath.Abs(name)
	if b.Follow || err != nil {
		return b.Follow
	}
	real, err := filepath.EvalSymlinks(absolute)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist) && !exists(absolute) // what is missing says so when it is opened
	}
	if b.Root != "" {
		return liesIn(b.Root, real)
	}
	return real == absolute || liesIn(b.Folder, real)
}

func (b bounds) check(name string) error {
	if !b.let(name) {
		return &fs.PathError{Op: "open", Path: name, Err: errLeavesTree}
	}
	return nil
}

// maxBuiltFrom bounds a file that kustomize reads: a file for a ConfigMap may be larger than a manifest.
const maxBuiltFrom = 4 * DefaultMaxFileBytes

// guarded is a file system that opens nothing beyond its bounds.
type guarded struct {
	filesys.FileSystem
	bounds bounds
}

// ReadFile reads a file that is a regular one: another might never end.
func (g guarded) ReadFile(name string) ([]byte, error) {
	if err := g.bounds.check(name); err != nil {
		return nil, err
	}
	return regular.Read(name, maxBuiltFrom)
}

// Open opens a file.
func (g guarded) Open(name string) (filesys.File, error) {
	if err := g.bounds.check(name); err != nil {
		return nil, err
	}
	return g.FileSystem.Open(name)
}

// ReadDir lists a folder.
func (g guarded) ReadDir(name string) ([]string, error) {
	if err := g.bounds.check(name); err != nil {
		return nil, err
	}
	return g.FileSystem.ReadDir(name)
}

// CleanedAbs gives the real path of a file or of a folder, with which kustomize goes on.
func (g guarded) CleanedAbs(name string) (filesys.ConfirmedDir, string, error) {
	if err := g.bounds.check(name); err != nil {
		return "", "", err
	}
	return g.FileSystem.CleanedAbs(name)
}

// Walk walks a folder.
func (g guarded) Walk(name string, visit filepath.WalkFunc) error {
	if err := g.bounds.check(name); err != nil {
		return err
	}
	return g.FileSystem.Walk(name, visit)
}

// boundsVariable hands the bounds to the program that stands in the place of helm.
const boundsVariable = "HEADROOM_RENDERS_WITHIN"

// say writes the bounds for that program.
func (b bounds) say() error {
	text, err := json.Marshal(b)
	if err != nil {
		return err
	}
	return os.Setenv(boundsVariable, string(text))
}

// boundsTold are the bounds that say has written. Without them nothing may be opened.
func boundsTold() (b bounds, err error) {
	err = json.Unmarshal([]byte(os.Getenv(boundsVariable)), &b)
	return b, err
}

// helmFlags are those that kustomize gives to "helm template", and whether a value follows.
var helmFlags = map[string]bool{
	"--generate-name": false, "--namespace": true, "--name-template": true, "-f": true, "--api-versions": true,
	"--kube-version": true, "--include-crds": false, "--skip-tests": false, "--no-hooks": false, "--debug": false,
	"--devel": false,
}

var errHelmArguments = errors.New("kustomize asks for what is not done here")

// checkHelm refuses arguments of "helm template" that lead out: the chart's folder with all that lies in it, and the
// files of values.
func (b bounds) checkHelm(arguments []string) error {
	var names []string
	for i := 0; i < len(arguments); i++ {
		argument := arguments[i]
		if !strings.HasPrefix(argument, "-") {
			names = append(names, argument)
			continue
		}
		follows, known := helmFlags[argument]
		if !known || follows && i+1 == len(arguments) {
			return errHelmArguments
		}
		if follows {
			i++
		}
		if argument == "-f" && !isHandedOn(arguments[i]) {
			if err := b.check(arguments[i]); err != nil {
				return err
			}
		}
	}
	if len(names) == 0 {
		return errHelmArguments
	}
	chart := names[len(names)-1] // a name of the release may stand in front of it
	if err := b.check(chart); err != nil || b.Follow {
		return err
	}
	return linksInside(chart)
}

// isHandedOn says that a file of values is kustomize's own, in a folder that it has made.
func isHandedOn(name string) bool {
	folder := filepath.Dir(name)
	info, err := os.Lstat(name)
	return err == nil && info.Mode().IsRegular() && strings.HasPrefix(filepath.Base(folder), "kustomize-helm-") &&
		filepath.Clean(filepath.Dir(folder)) == filepath.Clean(os.TempDir()) && !slices.Contains([]string{".", ""}, folder)
}
