{{- define "bursar.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else -}}
{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}
{{- end -}}
{{- end -}}

{{/* Labels that never change. Arguments: the root and a component. */}}
{{- define "bursar.selector" -}}
app.kubernetes.io/name: bursar
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "bursar.labels" -}}
{{ include "bursar.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "bursar.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{/* Variables of every program: which store, and where the files of the Secret lie. */}}
{{- define "bursar.storeEnv" -}}
{{- $url := required "store.url is required" .Values.store.url -}}
{{- if not (regexMatch "^postgres(ql)?://" $url) }}{{ fail "store.url must be postgres://...: pods cannot share a store in a file" }}{{ end -}}
- { name: BURSAR_STORE_URL, value: {{ $url | quote }} }
- { name: BURSAR_STORE_PASSWORD_FILE, value: /etc/bursar/secrets/store-password }
- { name: HOME, value: /tmp }
{{- end -}}

{{- define "bursar.env" -}}
{{- $blob := required "blob.url is required" .Values.blob.url -}}
{{- if not (hasPrefix "s3://" $blob) }}{{ fail "blob.url must be s3://...: pods cannot share a folder" }}{{ end -}}
{{ include "bursar.storeEnv" . }}
- { name: BURSAR_BLOB_URL, value: {{ $blob | quote }} }
- { name: BURSAR_API_BASE_URL, value: {{ required "api.baseUrl is required" .Values.api.baseUrl | quote }} }
- { name: BURSAR_API_KEY, value: {{ required "api.key is required" .Values.api.key | quote }} }
- { name: BURSAR_API_ACCOUNT, value: {{ required "api.account is required" .Values.api.account | quote }} }
- { name: BURSAR_REPORT_DIR, value: /data/runs }
- { name: BURSAR_BRIDGE_PUBLIC_URL, value: {{ required "bridge.publicUrl is required" .Values.bridge.publicUrl | quote }} }
- { name: BURSAR_BRIDGE_TOKEN_FILE, value: /etc/bursar/secrets/bridge-token }
- { name: BURSAR_TASK_QUEUE, value: {{ .Values.temporal.taskQueue | quote }} }
- { name: TEMPORAL_ADDRESS, value: {{ required "temporal.address is required" .Values.temporal.address | quote }} }
- { name: TEMPORAL_NAMESPACE, value: {{ .Values.temporal.namespace | quote }} }
- { name: BURSAR_ADMIN_HOST, value: 0.0.0.0 }
- { name: BURSAR_ADMIN_PORT, value: {{ .Values.admin.port | quote }} }
{{- if .Values.secrets.hasKeyRing }}
- { name: BURSAR_TEMPORAL_KEY_RING_FILE, value: /etc/bursar/secrets/key-ring }
{{- end }}
{{- if .Values.settings }}
- { name: BURSAR_CONFIG, value: /etc/bursar/settings/bursar.toml }
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "bursar.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ .Values.podSecurity.user }}
runAsGroup: {{ .Values.podSecurity.group }}
# Files of a Secret belong to root. This group may read them.
fsGroup: {{ .Values.podSecurity.group }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "bursar.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* A volume with keys of the Secret as files. Arguments: the root and a list of keys. */}}
{{- define "bursar.secretVolume" -}}
- name: secrets
  secret:
    secretName: {{ required "secrets.name is required" .root.Values.secrets.name }}
    defaultMode: 0440
    items:
      {{- range .keys }}
      - { key: {{ . }}, path: {{ . }} }
      {{- end }}
{{- end -}}

{{- define "bursar.account" -}}
{{- with .Values.serviceAccount.name }}
serviceAccountName: {{ . }}
{{- end }}
automountServiceAccountToken: {{ .Values.serviceAccount.mountToken }}
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The health of this very process: another one of the same task queue changes nothing about it. */}}
{{- define "bursar.probes" -}}
startupProbe:
  httpGet: { path: /livez, port: admin }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /livez, port: admin }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: admin }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 3
{{- end -}}

{{/*
The Deployment of a program. Arguments: root, component (worker, bridge or codec), program, keys, env, ports, and replicas
unless KEDA counts them.
*/}}
{{- define "bursar.deployment" -}}
{{- $root := .root }}
{{- $values := index .root.Values .component }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "bursar.name" $root }}-{{ .component }}
  labels: {{ include "bursar.labels" . | nindent 4 }}
spec:
  {{- if hasKey . "replicas" }}
  replicas: {{ .replicas }}
  {{- end }}
  # A new pod is ready before an old one stops.
  strategy: { type: RollingUpdate, rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }
  selector:
    matchLabels: {{ include "bursar.selector" . | nindent 6 }}
  template:
    metadata:
      labels: {{ include "bursar.labels" . | nindent 8 }}
      annotations:
        checksum/settings: {{ $root.Values.settings | sha256sum }}
    spec:
      {{- include "bursar.account" $root | nindent 6 }}
      securityContext: {{ include "bursar.podSecurity" $root | nindent 8 }}
      terminationGracePeriodSeconds: {{ $values.terminationGracePeriodSeconds }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{ include "bursar.selector" . | nindent 14 }}
      {{- with $values.nodeSelector }}
      nodeSelector: {{ toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.tolerations }}
      tolerations: {{ toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.affinity }}
      affinity: {{ toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ .component }}
          image: {{ include "bursar.image" $root }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          command: [node, /app/build/programs/{{ .program }}.js]
          env:
            {{- include "bursar.env" $root | nindent 12 }}
            {{- range $name, $value := .env }}
            - { name: {{ $name }}, value: {{ $value | quote }} }
            {{- end }}
          ports:
            - { name: admin, containerPort: {{ $root.Values.admin.port }} }
            {{- range $name, $port := .ports }}
            - { name: {{ $name }}, containerPort: {{ $port }} }
            {{- end }}
          {{- if .ports }}
          # Services send no more to a pod before it stops.
          lifecycle: { preStop: { sleep: { seconds: 5 } } }
          {{- end }}
          {{- include "bursar.probes" $root | nindent 10 }}
          resources: {{ toYaml $values.resources | nindent 12 }}
          securityContext: {{ include "bursar.containerSecurity" $root | nindent 12 }}
          volumeMounts:
            - { name: secrets, mountPath: /etc/bursar/secrets, readOnly: true }
            {{- if $root.Values.settings }}
            - { name: settings, mountPath: /etc/bursar/settings, readOnly: true }
            {{- end }}
            - { name: data, mountPath: /data }
            - { name: tmp, mountPath: /tmp }
      volumes:
        {{- include "bursar.secretVolume" . | nindent 8 }}
        {{- if $root.Values.settings }}
        - name: settings
          configMap: { name: {{ include "bursar.name" $root }}-settings }
        {{- end }}
        {{- /* Nothing is lost with the pod: each report is published in the bucket of blob.url. */}}
        - name: data
          emptyDir: { sizeLimit: {{ $values.dataSize | default "1Gi" }} }
        - name: tmp
          emptyDir: { sizeLimit: 1Gi }
{{- end -}}
