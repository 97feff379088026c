package lint

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Folder judges files while they are edited, each with all that stands beside it in the folder, as Run over the folder
// would judge what the editor shows. Only documents that changed, or around which something changed, are judged anew.
// It is safe for concurrent use.
type Folder struct {
	engine *engine.Engine
	paths  []string
	source source.Options

	mu     sync.Mutex
	files  []source.File // of the last look
	looked time.Time
	saved  map[string]*savedFile // by name
	open   map[string]*openFile
	around surrounding
}

// savedFile is what a file on the disk says of its neighbours.
type savedFile struct {
	size       int64
	changed    time.Time
	neighbours []neighbour
}

// NewFolder is for paths as Run takes them, folders or files.
func NewFolder(e *engine.Engine, paths []string, o source.Options) *Folder {
	o.AllowEmpty = true
	return &Folder{engine: e, paths: paths, source: o, saved: map[string]*savedFile{}, open: map[string]*openFile{}}
}

// Open gives a file the text that an editor has for it.
func (f *Folder) Open(name string, text []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var before []*openDocument
	if was := f.open[name]; was != nil {
		before = was.documents
	}
	f.open[name] = f.read(name, text, before)
}

// Close goes back to what the disk has.
func (f *Folder) Close(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.open, name)
	delete(f.saved, name)
}

// Looked is when Look was called last.
func (f *Folder) Looked() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.looked
}

// Look finds what is in the folder now. It says whether anything around the files has changed.
func (f *Folder) Look(ctx context.Context) (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.looked = time.Now()
	files := source.Find(f.paths, f.source).Files
	if f.source.FolderCharts != nil {
		var err error
		if files, _, err = source.Releases(ctx, files, f.source, 1); err != nil {
			return false, err
		}
	}
	f.files = files
	there := map[string]bool{}
	for _, file := range files {
		there[file.Name] = true
		if err := f.look(ctx, file); err != nil {
			return false, err
		}
	}
	for name := range f.saved {
		if !there[name] {
			delete(f.saved, name)
		}
	}
	return f.surround()
}

// look reads the neighbours of a file that is not as it was.
func (f *Folder) look(ctx context.Context, file source.File) error {
	was := f.saved[file.Name]
	now := &savedFile{}
	if now.stamp(file.Name, file.Rendered()) && was != nil && was.size == now.size && was.changed.Equal(now.changed) {
		return nil
	}
	if file.Skipped == "" {
		found, err := neighbours(ctx, f.engine, []source.File{file}, f.source, 1)
		if err != nil {
			return err
		}
		now.neighbours = found[0]
	}
	f.saved[file.Name] = now
	return nil
}

// stamp notes how a file is, or all files of a chart's folder, and says whether that tells when it changes. What is
// rendered from elsewhere has no stamp.
func (s *savedFile) stamp(name string, rendered bool) bool {
	info, err := os.Stat(name)
	switch {
	case err != nil, rendered && !info.IsDir():
		return false
	case !rendered:
		s.size, s.changed = info.Size(), info.ModTime()
		return true
	}
	return filepath.WalkDir(name, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			s.size += info.Size() + 1
			if info.ModTime().After(s.changed) {
				s.changed = info.ModTime()
			}
		}
		return err
	}) == nil
}

// surround gathers what stands around: what open files say of their neighbours, and what the others on the disk say.
func (f *Folder) surround() (changed bool, err error) {
	var all []neighbour
	listed := map[string]bool{}
	for _, file := range f.files {
		listed[file.Name] = true
		switch open := f.open[file.Name]; {
		case open != nil && file.Skipped == "":
			all = append(all, open.neighbours()...)
		case f.saved[file.Name] != nil:
			all = append(all, f.saved[file.Name].neighbours...)
		}
	}
	for name, open := range f.open {
		if !listed[name] && f.judged(name) {
			all = append(all, open.neighbours()...)
		}
	}
	return f.around.become(all)
}

// judged says whether Run would judge a file of that name: what a chart renders or a kustomization uses as a patch
// is no manifest by itself.
func (f *Folder) judged(name string) bool {
	for _, file := range f.files {
		if file.Name == name {
			return file.Skipped == ""
		}
	}
	if _, err := os.Stat(name); err == nil {
		return false
	}
	switch filepath.Ext(name) { // not saved yet
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

// Judge judges an open file; of a chart's values what it renders to. Findings come in the order of lines. It is nil for a
// file that Run would not judge. Nothing is counted in it.
func (f *Folder) Judge(ctx context.Context, name string) (*report.Report, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	open := f.open[name]
	if open == nil {
		return nil, nil
	}
	if _, err := f.surround(); err != nil {
		return nil, err
	}
	if chart, own := f.chartOf(name); chart != nil {
		return f.judgeValues(ctx, open, chart, own)
	}
	if !f.judged(name) {
		return nil, nil
	}
	j := judge{engine: f.engine, around: f.around.contexts}
	var all part
	for _, d := range open.documents {
		if err := d.judge(ctx, &j); err != nil {
			return nil, err
		}
		d.add(&all)
	}
	return gather([]part{all}, nil, nil), nil
}

// read takes a text apart. Documents that are as they were keep what is known of them.
func (f *Folder) read(name string, text []byte, before []*openDocument) *openFile {
	open := &openFile{name: name, text: text}
	plain := plainText(text)
	texts, err := source.Texts(plain)
	isJSON := func(t source.Text) bool { return t.JSON }
	if err != nil || len(texts) == 0 || filepath.Ext(name) == ".json" || slices.ContainsFunc(texts, isJSON) {
		for item := range source.Items(name, text, f.source) {
			open.documents = append(open.documents, f.document(item, nil, item.Line))
		}
		return open
	}
	known := map[string]*openDocument{}
	for _, d := range before {
		known[string(d.text)] = d
	}
	for _, t := range texts {
		own := plain[t.Start:t.End]
		d := known[string(own)]
		if d == nil {
			d = f.document(t.Item(name, plain, f.source), own, t.Line)
		}
		moved := *d
		moved.line = t.Line
		delete(known, string(own)) // each is for one place
		open.documents = append(open.documents, &moved)
	}
	return open
}

// plainText is text as places count in it.
func plainText(text []byte) []byte {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(text, []byte("\r"), []byte("\n"))
}
