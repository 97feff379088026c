package manifest

import (
	"bytes"
	"fmt"
	"path"
	"text/template"
)

// Sums are the SHA-256 of the archives, in hexadecimal, by their names.
type Sums map[string]string

// of is the sum of the archive at a URL.
func (s Sums) of(url string) (string, error) {
	sum, found := s[path.Base(url)]
	if !found {
		return "", &MissingError{path.Base(url)}
	}
	return sum, nil
}

// MissingError says that a manifest names an archive that this run has not made.
type MissingError struct{ Archive string }

func (e *MissingError) Error() string { return e.Archive + " was not built" }

// Download is where a file of the release will be.
func Download(tag, file string) string { return Home + "/releases/download/" + tag + "/" + file }

// Krew fills in .krew.yaml as krew-release-bot does, with the sums of archives at hand in the
// place of those that it would download.
func Krew(manifest []byte, tag string, sums Sums) ([]byte, error) {
	release := map[string]string{"TagName": tag}
	return fill(manifest, release, template.FuncMap{
		"addURIAndSha": func(url, tag string) (string, error) {
			address, err := fill([]byte(url), map[string]string{"TagName": tag}, nil)
			if err != nil {
				return "", err
			}
			sum, err := sums.of(string(address))
			return fmt.Sprintf("uri: %s\n    sha256: %s", address, sum), err
		},
	})
}

// Formula fills in the formula for Homebrew.
func Formula(formula []byte, version string, sums Sums) ([]byte, error) {
	return fill(formula, map[string]string{"Version": version}, template.FuncMap{
		"archive": func(file string) (string, error) {
			url := Download("v"+version, file)
			sum, err := sums.of(url)
			return fmt.Sprintf("url %q\n      sha256 %q", url, sum), err
		},
	})
}

func fill(text []byte, values map[string]string, functions template.FuncMap) ([]byte, error) {
	parsed, err := template.New("manifest").Option("missingkey=error").Funcs(functions).Parse(string(text))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := parsed.Execute(&out, values); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
