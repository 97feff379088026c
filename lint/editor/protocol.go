package editor

import "encoding/json"

// The parts of the protocol that are used, with the protocol's names.

type position struct {
	Line      int `json:"line"`      // from 0
	Character int `json:"character"` // from 0, in the units that were agreed on
}

type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type documentID struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
}

type openedDocument struct {
	documentID
	LanguageID string `json:"languageId"`
	Text       string `json:"text"`
}

type contentChange struct {
	Range *span  `json:"range"` // nil for all of the text
	Text  string `json:"text"`
}

type documentParams struct {
	Document documentID      `json:"textDocument"`
	Position position        `json:"position"`
	Range    span            `json:"range"`
	Changes  []contentChange `json:"contentChanges"`
	Context  struct {
		Only []string `json:"only"`
	} `json:"context"`
}

type openParams struct {
	Document openedDocument `json:"textDocument"`
}

type workspaceFolder struct {
	URI  string `json:"uri"`
	Name string `json:"name"`
}

type initializeParams struct {
	RootURI      string            `json:"rootUri"`
	Folders      []workspaceFolder `json:"workspaceFolders"`
	Capabilities struct {
		General struct {
			PositionEncodings []string `json:"positionEncodings"`
		} `json:"general"`
		Workspace struct {
			WatchedFiles struct {
				DynamicRegistration bool `json:"dynamicRegistration"`
			} `json:"didChangeWatchedFiles"`
		} `json:"workspace"`
		TextDocument struct {
			Hover struct {
				ContentFormat []string `json:"contentFormat"`
			} `json:"hover"`
		} `json:"textDocument"`
	} `json:"capabilities"`
}

type foldersChanged struct {
	Event struct {
		Added   []workspaceFolder `json:"added"`
		Removed []workspaceFolder `json:"removed"`
	} `json:"event"`
}

type link struct {
	Href string `json:"href"`
}

type related struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

// The severities of diagnostics.
const (
	severityError       = 1
	severityWarning     = 2
	severityInformation = 3
)

type diagnostic struct {
	Range       span      `json:"range"`
	Severity    int       `json:"severity"`
	Code        string    `json:"code,omitempty"`
	Description *link     `json:"codeDescription,omitempty"`
	Source      string    `json:"source"`
	Message     string    `json:"message"`
	Related     []related `json:"relatedInformation,omitempty"`
}

type publishParams struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

type workspaceEdit struct {
	Changes map[string][]textEdit `json:"changes"`
}

type codeAction struct {
	Title       string         `json:"title"`
	Kind        string         `json:"kind"`
	Diagnostics []diagnostic   `json:"diagnostics,omitempty"`
	Preferred   bool           `json:"isPreferred,omitempty"`
	Edit        *workspaceEdit `json:"edit"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

type hover struct {
	Contents markup `json:"contents"`
	Range    span   `json:"range"`
}

// The kinds of completions that editors draw signs for.
const (
	kindValue    = 12
	kindProperty = 10
	kindEnum     = 20
)

type completionItem struct {
	Label         string   `json:"label"`
	Kind          int      `json:"kind"`
	Detail        string   `json:"detail,omitempty"`
	Documentation string   `json:"documentation,omitempty"`
	TextEdit      textEdit `json:"textEdit"`
}

type completionList struct {
	Incomplete bool             `json:"isIncomplete"`
	Items      []completionItem `json:"items"`
}

// fields are an object of JSON.
type fields map[string]any

func capabilities(encoding string) fields {
	return fields{
		"positionEncoding": encoding,
		"textDocumentSync": fields{"openClose": true, "change": 2, "save": fields{"includeText": false}},
		"hoverProvider":    true,
		"codeActionProvider": fields{
			"codeActionKinds": []string{"quickfix", "source.fixAll.headroom"},
		},
		"completionProvider": fields{"triggerCharacters": []string{".", "/", ":", " ", "#"}},
		"workspace":          fields{"workspaceFolders": fields{"supported": true, "changeNotifications": true}},
	}
}

func params(raw *json.RawMessage, into any) bool {
	return raw != nil && json.Unmarshal(*raw, into) == nil
}
