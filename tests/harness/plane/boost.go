package plane

// BoostKind is as much of Kube Startup CPU Boost's kind as an API server needs to keep its objects.
const BoostKind = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: startupcpuboosts.autoscaling.x-k8s.io, annotations: {api-approved.kubernetes.io: unapproved}}
spec:
  group: autoscaling.x-k8s.io
  names: {kind: StartupCPUBoost, listKind: StartupCPUBoostList, plural: startupcpuboosts, singular: startupcpuboost}
  scope: Namespaced
  versions:
    - name: v1alpha1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`
