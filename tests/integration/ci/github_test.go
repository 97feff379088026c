//go:build integration

package ci

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A gh that keeps the comments of a pull request in a file: GitHub itself cannot be had here. It is
// this test's own binary under that name, and takes what packaging/github/comment.sh gives to gh, only.

type comment struct {
	ID   int    `json:"databaseId"`
	Body string `json:"body"`
	Own  bool   `json:"viewerDidAuthor"`
}

// pullComments is a folder with the gh, and the file with its comments.
func pullComments(t *testing.T, comments ...comment) (dir, file string) {
	t.Helper()
	dir = t.TempDir()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(program, filepath.Join(dir, "gh")); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(comments)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, map[string]string{"comments.json": string(text)})
	return dir, filepath.Join(dir, "comments.json")
}

func commentsIn(t *testing.T, file string) (comments []comment) {
	t.Helper()
	if err := json.Unmarshal([]byte(read(t, file)), &comments); err != nil {
		t.Fatal(err)
	}
	return comments
}

// standIn is what the gh does.
func standIn(arguments []string) int {
	if err := serveGH(arguments); err != nil {
		fmt.Fprintln(os.Stderr, "gh:", err)
		return 1
	}
	return 0
}

func serveGH(arguments []string) error {
	file := os.Getenv("COMMENTS_OF_THIS_TEST")
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	host := os.Getenv("GH_HOST")
	token := os.Getenv("GH_TOKEN")
	if host != "github.com" { // the gh there is gives that to github.com alone
		token = os.Getenv("GH_ENTERPRISE_TOKEN")
	}
	if token != "t0ken" || host != strings.TrimPrefix(os.Getenv("GITHUB_SERVER_URL"), "https://") {
		return fmt.Errorf("HTTP 401 of %s", host)
	}
	var comments []comment
	if err := json.Unmarshal(text, &comments); err != nil {
		return err
	}
	var method, query, filter, endpoint string
	fields := map[string]string{}
	for i := 1; i < len(arguments); i++ {
		next := func() string { i++; return arguments[i] }
		switch arguments[i] {
		case "--silent", "--paginate":
		case "--method":
			method = next()
		case "--jq":
			filter = next()
		case "-f", "-F":
			name, value, _ := strings.Cut(next(), "=")
			fields[name] = value
		default:
			endpoint = arguments[i]
		}
	}
	query = fields["query"]
	if endpoint == "graphql" {
		of := fields["owner"] + "/" + fields["name"] + "#" + fields["number"]
		if of != "shop/cart#1" || !strings.Contains(query, "$endCursor") {
			return fmt.Errorf("query %v", fields)
		}
		return list(comments, filter)
	}
	content, err := os.ReadFile(strings.TrimPrefix(fields["body"], "@"))
	switch {
	case err != nil:
		return err
	case os.Getenv("READ_ONLY") != "":
		return errors.New("HTTP 403: Resource not accessible by integration")
	case method == "POST" && endpoint == "repos/shop/cart/issues/1/comments":
		comments = append(comments, comment{ID: 100 + len(comments), Body: string(content), Own: true})
	case method == "PATCH" && path.Dir(endpoint) == "repos/shop/cart/issues/comments":
		id, err := strconv.Atoi(path.Base(endpoint))
		if err != nil {
			return err
		}
		for i := range comments {
			if comments[i].ID == id {
				comments[i].Body = string(content)
			}
		}
	default:
		return fmt.Errorf("HTTP 404: %s %s", method, endpoint)
	}
	if text, err = json.Marshal(comments); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}

// list answers the query; jq, where there is one, reads the answer as gh's own does.
func list(comments []comment, filter string) error {
	answer := map[string]any{"data": map[string]any{"repository": map[string]any{
		"pullRequest": map[string]any{"comments": map[string]any{"nodes": comments}},
	}}}
	text, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	if jq, err := exec.LookPath("jq"); err == nil {
		command := exec.Command(jq, "-r", filter) //nolint:noctx // it ends with its input
		command.Stdin, command.Stdout, command.Stderr = strings.NewReader(string(text)), os.Stdout, os.Stderr
		return command.Run()
	}
	for _, c := range comments {
		if c.Own && strings.HasPrefix(c.Body, os.Getenv("HEADROOM_MARKER")) {
			fmt.Println(c.ID)
		}
	}
	return nil
}
