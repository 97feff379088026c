package headroom.workload

# A review is one object with what its surroundings say about it:
#   {apiVersion: headroom.dev/v1alpha1, kind: Review, object, namespace, prefix, context}
# Whoever reads many objects (the linter, the webhook, the audit) makes them; here they
# are made from the three other shapes that input has with conftest: a List, an
# AdmissionReview, and the array of `conftest test --combine`.

# several is true when the input has to be taken apart into reviews first.
default several := false

several if is_array(input)

several if is_array(input.items)

several if _is_admission

_is_admission if {
	input.kind == "AdmissionReview"
	is_object(input.request.object)
}

reviews contains _review(found, prefix) if some [found, prefix] in _objects

_review(found, prefix) := {
	"apiVersion": "headroom.dev/v1alpha1",
	"kind": "Review",
	"object": found,
	"namespace": _request_namespace,
	"prefix": prefix,
	"context": object.get(_context_by_namespace, _namespace_of(found), _context_of([])),
}

default _request_namespace := ""

_request_namespace := input.request.namespace if is_string(input.request.namespace)

_namespace_of(found) := ns if {
	ns := found.metadata.namespace
	is_string(ns)
} else := _request_namespace

_objects contains [input.request.object, ["request", "object"]] if _is_admission

_objects contains [found, prefix] if {
	some [document, base] in _documents
	some i, found in document.items
	is_object(found)
	not is_array(found.items)
	prefix := array.concat(base, ["items", i])
}

# A List inside a List: kubectl takes it apart too.
_objects contains [found, prefix] if {
	some [document, base] in _documents
	some i, list in document.items
	some j, found in list.items
	is_object(found)
	prefix := array.concat(base, ["items", i, "items", j])
}

_objects contains [document, base] if {
	some [document, base] in _documents
	is_array(input)
	not is_array(document.items)
}

_documents contains [input, []] if is_object(input)

# `conftest test --combine` gives [{path, contents}], one entry for each document; two
# documents may be the same to the letter, so the entry's number keeps them apart.
_documents contains [document, []] if {
	is_array(input)
	some entry in input
	document := entry.contents
	is_object(document)
}

_documents contains [document, []] if {
	is_array(input)
	some entry in input
	is_array(entry.contents)
	some document in entry.contents
	is_object(document)
}

# Namespaces, LimitRanges, ResourceQuotas and ConfigMaps of the same input, by the
# namespace that they speak for.
_context_by_namespace := {ns: _context_of(objects) |
	some ns in {_context_namespace(found) | some [found, _] in _objects; _is_context(found)}
	objects := {found |
		some [found, _] in _objects
		_is_context(found)
		_context_namespace(found) == ns
	}
}

_is_context(found) if {
	found.apiVersion == "v1"
	context_kinds[found.kind]
}

_context_namespace(found) := found.metadata.name if {
	found.kind == "Namespace"
} else := _namespace_of(found)

_context_of(objects) := {list: [found | some found in objects; context_kinds[found.kind] == list] |
	some list in context_kinds
}
