package main

const opening = `
<!-- Made by "make evidence". Change tools/evidence, not this page. -->
# Why: the facts, the models, a real kernel

Every rule rests on a fact: a number that somebody measured or worked out. This page has them side
by side with what the models of headroom give (package internal/cfs for CPU quotas, the policies for
memory), and with what a real kernel and real JVMs did when they were last measured (make evidence).
Where they disagree, it says so; a cause that was not shown is called likely. T3, M1 and the like are
the numbers that comments in the code cite.

The facts come from: "Container Performance: CPU Throttling, Memory Limits, and the JVM That Does
Not Know It Is in a Container" (fast by design, chapter 77); Ugedal and Kumar, "Mitigating
Unnecessary Throttling in Linux CFS Bandwidth Control"; a write-up of a move from ECS to EKS
("c = k·w"); "Solving CPU throttling issue in Golang applications before hitting the CPU limit in
Kubernetes", 2024. Nobody but their authors measured those; what this project measured is named as such.
`
