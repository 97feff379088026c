# METADATA
# title: Exemption that no longer exempts, or never did
# description: |
#   An exemption, an ignore annotation or a comment such as `# headroom:ignore HR302 why`, records a
#   decision, its reason, and the day until which it holds. This one has no effect, and the finding is
#   back: it has no reason in words, its day is past, the Namespace does not let its workloads exempt
#   themselves from that rule, or it is a comment for which there is no finding. Rules that bound a
#   tenant (HR001, HR102, HR104, HR106, HR207, and HR204 to HR206 beside headroom.dev/allowed-classes)
#   hold unless headroom.dev/allow-ignore lists them.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/
#   description: Annotations
# custom:
#   id: HR106
#   severity: warning
#   harm: style
#   fixable: false
#   kyverno: false
#   remediation: |
#     Remove the annotation or the comment, or renew it: `until=2027-01-31; why this is right here`. The
#     namespace's owner can allow more with headroom.dev/allow-ignore.
package headroom.rules.classification["exemption-expired"]

import data.headroom.exempt
import data.headroom.words
import data.headroom.workload

# HR105 reports a rule that does not exist, and a text that is no date.
report contains finding if {
	some entry in exempt.annotations
	entry.rule != ""
	is_string(workload.annotations[entry.key])
	some [why, expected] in _problems(entry)
	finding := {
		"container": "",
		"path": entry.path,
		"message": sprintf("%s %s, and exempts nothing.", [words.shown(entry.key), why]),
		"expected": expected,
	}
}

_problems(entry) := ({["gives no reason", "the reason as its value: `until=2027-01-31; why this is right here`"] |
	not exempt.is_reason(entry.reason)
} | {[sprintf("ended on %s", [entry.until]), "no annotation, or a later day"] |
	exempt.is_date(entry.until)
	exempt.expired(entry.until)
}) | {[why, "no annotation, or a namespace that allows it"] |
	not exempt.allowed(entry.rule)
	why := sprintf(_disallowed, [words.shown(workload.namespace)])
}

_disallowed := "is not allowed in namespace %s (headroom.dev/allow-ignore)" if {
	_ = workload.namespace_annotations["headroom.dev/allow-ignore"]
} else := "is not in headroom.dev/allow-ignore of namespace %s, as a rule that bounds tenants has to be"
