{{- define "headroom.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- /* 40 characters leave room for the suffixes within the 63 of a label. */ -}}
{{- define "headroom.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains (include "headroom.name" .) .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "headroom.name" .) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "headroom.webhookName" -}}
{{- printf "%s-webhook" (include "headroom.fullname" .) -}}
{{- end -}}

{{- define "headroom.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "headroom.webhookName" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "headroom.secretName" -}}
{{- if eq .Values.certificates.mode "existing-secret" -}}
{{- required "certificates.existingSecret.name is the Secret with tls.crt and tls.key" .Values.certificates.existingSecret.name -}}
{{- else if eq .Values.certificates.mode "self-signed" -}}
{{- /* Not cert-manager's, which stays behind when the mode changes: Helm takes over no object. */ -}}
{{- printf "%s-self-signed" (include "headroom.webhookName" .) -}}
{{- else -}}
{{- printf "%s-tls" (include "headroom.webhookName" .) -}}
{{- end -}}
{{- end -}}

{{- define "headroom.selectorLabels" -}}
app.kubernetes.io/name: {{ include "headroom.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: webhook
{{- end -}}

{{- define "headroom.labels" -}}
{{ include "headroom.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "headroom.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}
{{- end -}}

{{- /* The namespaces nobody may opt in: what a node needs to start, and the webhook's own. */ -}}
{{- define "headroom.excludedNamespaces" -}}
{{- concat (list "kube-system" "kube-public" "kube-node-lease" .Release.Namespace) .Values.excludeNamespaces | uniq | toJson -}}
{{- end -}}

{{- /* What both webhook configurations say about themselves. */ -}}
{{- define "headroom.webhookAnnotations" -}}
{{- if eq .Values.certificates.mode "cert-manager" }}
cert-manager.io/inject-ca-from: {{ .Release.Namespace }}/{{ include "headroom.webhookName" . }}
{{- end }}
{{- with .Values.webhooks.annotations }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* Where to call. caBundle is never set where somebody else keeps it: a chart that sets
it takes it away at each upgrade. */ -}}
{{- define "headroom.clientConfig" -}}
{{- with .root -}}
service:
  name: {{ include "headroom.webhookName" . }}
  namespace: {{ .Release.Namespace }}
  port: 443
  path: {{ $.path }}
{{- if and (eq .Values.certificates.mode "existing-secret") .Values.certificates.existingSecret.caBundle }}
caBundle: {{ .Values.certificates.existingSecret.caBundle | b64enc }}
{{- end }}
{{- end -}}
{{- end -}}

{{- /* An annotation alone does not make a mirror Pod, or every user could opt out; only a
node may create one. */ -}}
{{- define "headroom.podConditions" -}}
- name: not-a-mirror-pod
  expression: >-
    !(request.kind.kind == 'Pod' && request.userInfo.username.startsWith('system:node:') &&
    'kubernetes.io/config.mirror' in object.metadata.?annotations.orValue({}))
# Where Kubernetes itself reads it: an operator's kind may have a field of that name for something else.
- name: not-windows
  expression: >-
    'windows' != (request.kind.kind == 'Pod' ? object.?spec.?os.?name :
    request.kind.kind == 'CronJob' && request.kind.group == 'batch' ? object.?spec.?jobTemplate.?spec.?template.?spec.?os.?name :
    request.kind.group in ['', 'apps', 'batch'] ? object.?spec.?template.?spec.?os.?name : optional.none()).orValue('')
{{- end -}}

{{- /* What validate and enforce ask about: the same, so that the preview is true. */ -}}
{{- define "headroom.validated" -}}
sideEffects: None
matchPolicy: Equivalent
timeoutSeconds: {{ .Values.webhooks.timeoutSeconds }}
admissionReviewVersions: [v1]
matchConditions:
  {{- include "headroom.podConditions" . | nindent 2 }}
  # Removing a finalizer is an update; it must never wait for a webhook.
  - name: not-being-deleted
    expression: "!has(object.metadata.deletionTimestamp)"
  # Its template has been judged where a user wrote it, and its Pods will be.
  - name: not-made-by-a-judged-workload
    expression: >-
      request.kind.kind == 'Pod' ||
      !object.metadata.?ownerReferences.orValue([]).exists(o, o.?controller.orValue(false) &&
      (o.kind == 'Deployment' && o.apiVersion.startsWith('apps/') ||
      o.kind == 'CronJob' && o.apiVersion.startsWith('batch/')))
rules:
  - apiGroups: [""]
    apiVersions: [v1]
    resources: [pods]
    operations: [CREATE]
    scope: Namespaced
  - apiGroups: [""]
    apiVersions: [v1]
    resources: [pods/resize, pods/ephemeralcontainers]
    operations: [UPDATE]
    scope: Namespaced
  - apiGroups: [""]
    apiVersions: [v1]
    resources: [replicationcontrollers]
    operations: [CREATE, UPDATE]
    scope: Namespaced
  - apiGroups: [apps]
    apiVersions: [v1]
    resources: [deployments, statefulsets, daemonsets, replicasets]
    operations: [CREATE, UPDATE]
    scope: Namespaced
  - apiGroups: [batch]
    apiVersions: [v1]
    resources: [jobs, cronjobs]
    operations: [CREATE, UPDATE]
    scope: Namespaced
{{- range $group, $resources := .Values.webhooks.kinds }}
  {{- with $resources }}
  - apiGroups: [{{ $group }}]
    apiVersions: ["*"]
    resources: [{{ join ", " . }}]
    operations: [CREATE, UPDATE]
    scope: Namespaced
  {{- end }}
{{- end }}
{{- end -}}

{{- define "headroom.notExcluded" -}}
- key: kubernetes.io/metadata.name
  operator: NotIn
  values: {{ include "headroom.excludedNamespaces" . }}
{{- end -}}

{{- define "headroom.auditName" -}}
{{- printf "%s-audit" (include "headroom.fullname" .) -}}
{{- end -}}

{{- define "headroom.auditServiceAccountName" -}}
{{- if .Values.audit.serviceAccount.create -}}
{{- default (include "headroom.auditName" .) .Values.audit.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.audit.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "headroom.auditSelectorLabels" -}}
app.kubernetes.io/name: {{ include "headroom.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: audit
{{- end -}}

{{- define "headroom.auditLabels" -}}
{{ include "headroom.auditSelectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* A share of a memory limit in percent (HR503). The schema allows Mi and Gi only. */ -}}
{{- define "headroom.memLimit" -}}
{{- $limit := index . 0 -}}
{{- $mebibytes := int (regexFind "^[0-9]+" $limit) -}}
{{- if hasSuffix "Gi" $limit }}{{ $mebibytes = mul $mebibytes 1024 }}{{ end -}}
{{- printf "%dMiB" (div (mul $mebibytes (index . 1)) 100) -}}
{{- end -}}

{{- /* The port of Prometheus' URL, and its own: a Service's port 80 usually leads to it. */ -}}
{{- define "headroom.prometheusPorts" -}}
{{- $url := urlParse .Values.audit.prometheus.url -}}
{{- $port := regexFind ":[0-9]+$" $url.host | trimPrefix ":" -}}
{{- if not $port }}{{ $port = ternary "443" "80" (eq $url.scheme "https") }}{{ end -}}
{{- list (int $port) 9090 | uniq | toJson -}}
{{- end -}}
