package headroom.workload

# A review is one object with what its surroundings say about it:
#   {apiVersion: headroom.dev/v1alpha1, kind: Review, object, namespace, prefix, context}
# The linter, the webhook and the audit make reviews of the objects that they read. Here they
# are made from the three other shapes that input has with conftest: a List, an
# AdmissionReview, and the array of `conftest test --combine`. An object that describes several
# Pods has a review for each, with its `spot`.

# several is true when the input has to be taken apart into reviews first.
default several := false

several if is_array(input)

several if _is_list(input)

several if _is_admission(input)

several if {
	not spot
	count(_spots) > 1
}

_is_list(document) if is_array(document.items)

_is_admission(document) if {
	document.kind == "AdmissionReview"
	is_object(document.request.object)
}

reviews := [object.union(input, more) | some more in _each_spot(_spots)] if {
	_is_review
} else := [review |
	some [found, prefix, requested] in _objects
	some more in _each_spot(_spots_of(found))
	review := object.union(more, {
		"apiVersion": "headroom.dev/v1alpha1",
		"kind": "Review",
		"object": found,
		"namespace": requested,
		"prefix": prefix,
		"context": object.get(_contexts, _namespace_of(found, requested), _everywhere),
	})
]

_each_spot(spots) := [{}] if count(spots) < 2

# The first one says how many there are too many.
_each_spot(spots) := array.concat(
	[{"spot": spots[0], "left_out": max([0, count(spots) - max_spots])}],
	[{"spot": spot} | some spot in array.slice(spots, 1, max_spots)],
) if {
	count(spots) > 1
}

_namespace_of(found, requested) := object.get(found, ["metadata", "namespace"], requested)

# `conftest test --combine` gives [{path, contents}], where contents may be several
# documents.
_documents := [input] if is_object(input)

_documents := [document | some entry in input; some document in _contents(entry)] if is_array(input)

_contents(entry) := entry.contents if is_array(entry.contents)

_contents(entry) := [entry.contents] if not is_array(entry.contents)

# _objects are [object, path to it in its document, namespace of the request], in the
# order of the input; equal objects stay apart.
_objects := [entry | some document in _documents; is_object(document); some entry in _taken_apart(document)]

# Lists inside a List: kubectl takes them apart too, however deep.
_taken_apart(document) := array.concat(
	[[found, ["items", i], ""] | some i, found in document.items; is_object(found); not _is_list(found)],
	array.concat(
		[[found, ["items", i, "items", j], ""] |
			some i, list in document.items
			some j, found in list.items
			is_object(found)
			not _is_list(found)
		],
		[[found, array.concat(["items", i, "items", j], path), ""] |
			some i, list in document.items
			some j, deep in list.items
			_is_list(deep)
			walk(deep, [path, found])
			_through_lists(path)
			is_object(found)
			not _is_list(found)
		],
	),
) if {
	_is_list(document)
} else := [[document.request.object, ["request", "object"], requested]] if {
	_is_admission(document)
	requested := _string(object.get(document.request, "namespace", ""))
} else := [[document, [], ""]]

# The way to an item goes through nothing but lists of items.
_through_lists(path) if {
	count(path) % 2 == 0
	every i, step in path {
		_is_way(i % 2, step)
	}
}

_is_way(0, "items")

_is_way(1, step) if is_number(step)

# Namespaces, LimitRanges, Services and the like of the same input, by the namespace that they speak for.
_context_sets[ns][list] contains found if {
	some [found, _, requested] in _objects
	list := context_kinds[found.apiVersion][found.kind]
	list != "kubelets"
	ns := _spoken_for(found, requested)
	is_string(ns)
}

_spoken_for(found, _) := found.metadata.name if found.kind == "Namespace"

_spoken_for(found, requested) := _namespace_of(found, requested) if found.kind != "Namespace"

_contexts := {ns: object.union(beside, _everywhere) |
	some ns, lists in _context_sets
	beside := {list: [found | some found in object.get(lists, list, [])] | some list in context_kinds[_]}
}

# What speaks for the nodes speaks for every namespace.
_everywhere := {"kubelets": [found |
	some [found, _, _] in _objects
	context_kinds[found.apiVersion][found.kind] == "kubelets"
]}
