package sarif

// The part of SARIF 2.1.0 that headroom writes; sections are those of the
// OASIS standard (https://docs.oasis-open.org/sarif/sarif/v2.1.0/).
type (
	log struct { // §3.13
		Schema  string `json:"$schema"`
		Version string `json:"version"`
		Runs    []run  `json:"runs"`
	}
	run struct { // §3.14
		Tool        tool         `json:"tool"`
		Invocations []invocation `json:"invocations"`
		Results     []result     `json:"results"`
	}
	tool struct { // §3.18
		Driver driver `json:"driver"`
	}
	driver struct { // §3.19
		Name           string       `json:"name"`
		InformationURI string       `json:"informationUri"`
		Version        string       `json:"version,omitempty"`
		Rules          []ruleInfo   `json:"rules"`
		Notifications  []descriptor `json:"notifications"`
	}
	descriptor struct { // §3.49, of what went wrong while running
		ID               string `json:"id"`
		ShortDescription text   `json:"shortDescription"`
	}
	ruleInfo struct { // §3.49
		ID                   string         `json:"id"`
		Name                 string         `json:"name,omitempty"`
		ShortDescription     *text          `json:"shortDescription,omitempty"`
		FullDescription      *text          `json:"fullDescription,omitempty"`
		Help                 *text          `json:"help,omitempty"`
		HelpURI              string         `json:"helpUri,omitempty"`
		DefaultConfiguration configuration  `json:"defaultConfiguration"`
		Properties           map[string]any `json:"properties,omitempty"`
	}
	text struct { // §3.12, and §3.11 for messages
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	configuration struct { // §3.50
		Level string `json:"level"`
	}
	invocation struct { // §3.20
		ExecutionSuccessful bool           `json:"executionSuccessful"`
		ExitCode            int            `json:"exitCode"`
		Notifications       []notification `json:"toolExecutionNotifications"`
	}
	notification struct { // §3.58
		Descriptor reference  `json:"descriptor"`
		Level      string     `json:"level"`
		Message    text       `json:"message"`
		Locations  []location `json:"locations,omitempty"`
	}
	reference struct { // §3.52
		ID string `json:"id"`
	}
	result struct { // §3.27
		RuleID              string            `json:"ruleId"`
		RuleIndex           int               `json:"ruleIndex"`
		Level               string            `json:"level"`
		Message             text              `json:"message"`
		Locations           []location        `json:"locations"`
		PartialFingerprints map[string]string `json:"partialFingerprints"`
		Suppressions        []suppression     `json:"suppressions,omitempty"`
		Properties          map[string]any    `json:"properties"`
	}
	location struct { // §3.28
		Physical *physicalLocation `json:"physicalLocation,omitempty"`
		Logical  []logicalLocation `json:"logicalLocations,omitempty"`
	}
	physicalLocation struct { // §3.29
		Artifact artifactLocation `json:"artifactLocation"`
		Region   *region          `json:"region,omitempty"`
	}
	artifactLocation struct { // §3.4
		URI       string `json:"uri"`
		URIBaseID string `json:"uriBaseId,omitempty"`
	}
	region struct { // §3.30
		StartLine int `json:"startLine"`
	}
	logicalLocation struct { // §3.33
		Name               string `json:"name"`
		FullyQualifiedName string `json:"fullyQualifiedName"`
		Kind               string `json:"kind"`
	}
	suppression struct { // §3.35
		Kind          string `json:"kind"`
		Status        string `json:"status"`
		Justification string `json:"justification"`
	}
)
