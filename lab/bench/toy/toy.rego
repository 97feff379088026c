package main

deny contains sprintf("container %s has no memory limit", [container.name]) if {
	some container in input.spec.template.spec.containers
	not container.resources.limits.memory
}
