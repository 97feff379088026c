{{- define "preset.resources" -}}
{{- $presets := dict "small" (dict "requests" (dict "cpu" "500m" "memory" "512Mi") "limits" (dict "cpu" "750m" "memory" "768Mi")) -}}
{{- index $presets .type | toYaml -}}
{{- end -}}
