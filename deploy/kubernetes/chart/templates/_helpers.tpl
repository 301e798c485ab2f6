{{- define "quire.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "quire.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "quire.labels" -}}
{{ include "quire.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "quire.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else }}{{ .Values.image.repository }}:{{ .Values.image.tag | default (printf "%s-full" .Chart.AppVersion) }}{{ end }}
{{- end }}

{{/* A Deployment of nodes with one role: root, part, role, node (the values of the part). */}}
{{- define "quire.deployment" -}}
{{- $values := .root.Values }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "quire.name" .root }}-{{ .part }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "quire.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .part }}
spec:
  replicas: {{ .node.replicas }}
  selector:
    matchLabels:
      {{- include "quire.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .part }}
  template:
    metadata:
      labels:
        {{- include "quire.labels" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .part }}
      annotations:
        # Nodes start again when the settings change.
        checksum/settings: {{ toJson $values.settings | sha256sum }}
    spec:
      # Longer than SERVER_SHUTDOWNSECONDS: running work is finished, or handed back to the queue.
      terminationGracePeriodSeconds: 45
      automountServiceAccountToken: false
      {{- with $values.image.pullSecrets }}
      imagePullSecrets:
        {{- range . }}
        - name: {{ . }}
        {{- end }}
      {{- end }}
      securityContext:
        runAsNonRoot: true
        runAsUser: 10001
        runAsGroup: 10001
        fsGroup: 10001
        seccompProfile:
          type: {{ $values.seccomp.type }}
          {{- if eq $values.seccomp.type "Localhost" }}
          localhostProfile: {{ $values.seccomp.localhostProfile }}
          {{- end }}
      containers:
        - name: quire
          image: {{ include "quire.image" .root | quote }}
          imagePullPolicy: {{ $values.image.pullPolicy }}
          ports:
            - name: http
              containerPort: 8080
          envFrom:
            - configMapRef:
                name: {{ include "quire.name" .root }}
          env:
            - name: CLUSTER_NODE_ROLE
              value: {{ .role }}
            - name: CLUSTER_NODE_ID
              valueFrom:
                fieldRef:
                  fieldPath: metadata.name
            - name: STORE_MONGODB_URL_FILE
              value: /run/secrets/quire/url
            - name: STORE_SECRET_FILE
              value: /run/secrets/quire/secret
            {{- range $name, $value := .node.settings }}
            - name: {{ $name }}
              value: {{ $value | quote }}
            {{- end }}
            {{- range $values.secretFiles }}
            - name: {{ .variable }}
              value: /run/secret-files/{{ .secret }}/{{ .key }}
            {{- end }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop: [ALL]
          # The server waits for the store without a time limit; it is live while it waits.
          startupProbe:
            httpGet: { path: /livez, port: http }
            periodSeconds: 2
            failureThreshold: 150
          livenessProbe:
            httpGet: { path: /livez, port: http }
            periodSeconds: 10
            timeoutSeconds: 3
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: http }
            periodSeconds: 5
            timeoutSeconds: 3
            failureThreshold: 2
          resources:
            {{- toYaml .node.resources | nindent 12 }}
          volumeMounts:
            - name: data
              mountPath: /data
            - name: data
              mountPath: /tmp
              subPath: tmp
            - name: store
              mountPath: /run/secrets/quire
              readOnly: true
            {{- range $name := include "quire.secretNames" .root | splitList "," }}
            {{- if $name }}
            - name: secret-{{ $name }}
              mountPath: /run/secret-files/{{ $name }}
              readOnly: true
            {{- end }}
            {{- end }}
      volumes:
        # Local to the node. All data that must be kept is in the store.
        - name: data
          emptyDir:
            sizeLimit: {{ .node.dataSize }}
        - name: store
          secret:
            secretName: {{ $values.store.existingSecret }}
            defaultMode: 0440
        {{- range $name := include "quire.secretNames" .root | splitList "," }}
        {{- if $name }}
        - name: secret-{{ $name }}
          secret:
            secretName: {{ $name }}
            defaultMode: 0440
        {{- end }}
        {{- end }}
      {{- with $values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end }}

{{/* Names of the Secrets of `secretFiles`, each once, separated by commas. */}}
{{- define "quire.secretNames" -}}
{{- $names := list }}
{{- range .Values.secretFiles }}{{ $names = append $names .secret }}{{ end }}
{{- $names | uniq | join "," }}
{{- end }}
