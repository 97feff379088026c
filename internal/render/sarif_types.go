package render

// The part of SARIF 2.1.0 that headroom writes; sections are those of the
// OASIS standard (https://docs.oasis-open.org/sarif/sarif/v2.1.0/).
type (
	sarifLog struct { // §3.13
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct { // §3.14
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct { // §3.18
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct { // §3.19
		Name           string            `json:"name"`
		InformationURI string            `json:"informationUri"`
		Version        string            `json:"version,omitempty"`
		Rules          []sarifRule       `json:"rules"`
		Notifications  []sarifDescriptor `json:"notifications"`
	}
	sarifDescriptor struct { // §3.49, of what went wrong while running
		ID               string    `json:"id"`
		ShortDescription sarifText `json:"shortDescription"`
	}
	sarifRule struct { // §3.49
		ID                   string             `json:"id"`
		Name                 string             `json:"name,omitempty"`
		ShortDescription     *sarifText         `json:"shortDescription,omitempty"`
		FullDescription      *sarifText         `json:"fullDescription,omitempty"`
		Help                 *sarifText         `json:"help,omitempty"`
		HelpURI              string             `json:"helpUri,omitempty"`
		DefaultConfiguration sarifConfiguration `json:"defaultConfiguration"`
		Properties           map[string]any     `json:"properties,omitempty"`
	}
	sarifText struct { // §3.12, and §3.11 for messages
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifConfiguration struct { // §3.50
		Level string `json:"level"`
	}
	sarifInvocation struct { // §3.20
		ExecutionSuccessful bool                `json:"executionSuccessful"`
		ExitCode            int                 `json:"exitCode"`
		Notifications       []sarifNotification `json:"toolExecutionNotifications"`
	}
	sarifNotification struct { // §3.58
		Descriptor sarifReference  `json:"descriptor"`
		Level      string          `json:"level"`
		Message    sarifText       `json:"message"`
		Locations  []sarifLocation `json:"locations,omitempty"`
	}
	sarifReference struct { // §3.52
		ID string `json:"id"`
	}
	sarifResult struct { // §3.27
		RuleID              string             `json:"ruleId"`
		RuleIndex           int                `json:"ruleIndex"`
		Level               string             `json:"level"`
		Message             sarifText          `json:"message"`
		Locations           []sarifLocation    `json:"locations"`
		PartialFingerprints map[string]string  `json:"partialFingerprints"`
		Suppressions        []sarifSuppression `json:"suppressions,omitempty"`
		Properties          map[string]any     `json:"properties"`
	}
	sarifLocation struct { // §3.28
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct { // §3.29
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct { // §3.4
		URI       string `json:"uri"`
		URIBaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct { // §3.30
		StartLine int `json:"startLine"`
	}
	sarifLogical struct { // §3.33
		Name               string `json:"name"`
		FullyQualifiedName string `json:"fullyQualifiedName"`
		Kind               string `json:"kind"`
	}
	sarifSuppression struct { // §3.35
		Kind          string `json:"kind"`
		Status        string `json:"status"`
		Justification string `json:"justification"`
	}
)
