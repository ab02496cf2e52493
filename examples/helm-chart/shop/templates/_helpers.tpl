{{- define "shop.name" -}}
{{ .Release.Name }}
{{- end }}

{{- define "shop.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
