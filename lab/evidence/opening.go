package main

const opening = `
<!-- Made by "make evidence". Change lab/evidence, not this page. -->
# Why: the facts, the models, a real kernel

The rules rest on [facts](facts/README.md): numbers that were measured or calculated. This page compares
them with the models of headroom (package internal/cfs for CPU quotas, the policies for memory), and with
the last measurement of a real kernel and real JVMs (make evidence). Where they disagree, it says so; a
cause that was not shown is called likely. T3, M1 and the like are the numbers of the facts.

The facts come from: "Container Performance: CPU Throttling, Memory Limits, and the JVM That Does
Not Know It Is in a Container" (fast by design, chapter 77); Ugedal and Kumar, "Mitigating
Unnecessary Throttling in Linux CFS Bandwidth Control"; a write-up of a move from ECS to EKS
("c = k·w"); "Solving CPU throttling issue in Golang applications before hitting the CPU limit in
Kubernetes", 2024. These figures are their authors'; what this project measured is named as such.
`
