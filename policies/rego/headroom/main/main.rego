# METADATA
# title: The decision
# description: |
#   What every surface asks: the findings of every rule, less the exempted ones, for
#   whatever the input is.
package headroom.main

import data.headroom.workload

# result is {findings, exempted, skipped, objects}, each an array, for one object or for
# several. objects says what every container was taken for.
result := data.headroom.judge.result if not workload.several

result := {key: _joined(key) | some key in ["findings", "exempted", "skipped", "objects"]} if workload.several

_results := [verdict |
	some review in workload.reviews
	verdict := data.headroom.judge.result with input as review
]

_joined(key) := [entry | some verdict in _results; some entry in verdict[key]]

findings := result.findings
