//go:build integration

package release

// The fields that Artifact Hub documents; it refuses any other.
// https://github.com/artifacthub/hub/blob/master/docs/metadata/artifacthub-pkg.yml
type hubPackage struct {
	Version                 string            `json:"version"`
	Name                    string            `json:"name"`
	AlternativeName         string            `json:"alternativeName"`
	Category                string            `json:"category"`
	DisplayName             string            `json:"displayName"`
	CreatedAt               string            `json:"createdAt"`
	Description             string            `json:"description"`
	LogoPath                string            `json:"logoPath"`
	LogoURL                 string            `json:"logoURL"`
	Digest                  string            `json:"digest"`
	License                 string            `json:"license"`
	HomeURL                 string            `json:"homeURL"`
	AppVersion              string            `json:"appVersion"`
	ContainersImages        []hubImage        `json:"containersImages"`
	ContainsSecurityUpdates bool              `json:"containsSecurityUpdates"`
	Operator                bool              `json:"operator"`
	Deprecated              bool              `json:"deprecated"`
	Prerelease              bool              `json:"prerelease"`
	Keywords                []string          `json:"keywords"`
	Links                   []hubLink         `json:"links"`
	Readme                  string            `json:"readme"`
	Install                 string            `json:"install"`
	Changes                 []hubChange       `json:"changes"`
	Maintainers             []hubOwner        `json:"maintainers"`
	Provider                hubOwner          `json:"provider"`
	Ignore                  []string          `json:"ignore"`
	Recommendations         []hubLink         `json:"recommendations"`
	Screenshots             []hubLink         `json:"screenshots"`
	Annotations             map[string]string `json:"annotations"`
}

type hubImage struct {
	Name        string   `json:"name"`
	Image       string   `json:"image"`
	Whitelisted bool     `json:"whitelisted"`
	Platforms   []string `json:"platforms"`
}

type hubLink struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

type hubChange struct {
	Kind        string    `json:"kind"`
	Description string    `json:"description"`
	Links       []hubLink `json:"links"`
}

type hubOwner struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}
