package source

import (
	"fmt"
)

// valuesFile is a file of values.
type valuesFile struct {
	Name string // as the user sees it
	Text []byte
}

// maxValuesBytes bounds the files of values of one chart together.
const maxValuesBytes = 4 * DefaultMaxFileBytes

// readValues reads the files of values.
func readValues(names []string, opts Options) ([]valuesFile, error) {
	var files []valuesFile
	total := 0
	for _, name := range names {
		if !opts.FollowLinks && straysFile(name) {
			return nil, Problem{File: display(name), Cause: errLeadsOut}
		}
		text, err := Read(File{path: name}, opts)
		if total += len(text); err == nil && total > maxValuesBytes {
			err = fmt.Errorf("the files of values have more than %d MiB together", maxValuesBytes>>20)
		}
		if err != nil {
			return nil, Problem{File: display(name), Cause: err}
		}
		files = append(files, valuesFile{display(name), text})
	}
	return files, nil
}
