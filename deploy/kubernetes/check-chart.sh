#!/bin/bash
# deploy/kubernetes/check-chart.sh
# Checks the chart with helm and its output, for several values and two versions of Kubernetes, with kubeconform.
# Needs Go and Python with venv: the programs come from Go's module proxy, the schemas from PyPI (kubernetes-validate);
# all are kept in .cache/chart. The last line is "chart: ok".
set -euo pipefail
cd "$(dirname "$0")/../.."
cache=$PWD/.cache/chart
mkdir -p "$cache"
export GOBIN=$cache PATH=$cache:$PATH
command -v helm > /dev/null || go install helm.sh/helm/v4/cmd/helm@v4.3.2
command -v kubeconform > /dev/null || go install github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0
if [ ! -d "$cache/schemas" ]; then
  python3 -m venv "$cache/venv"
  "$cache/venv/bin/pip" install --quiet kubernetes-validate==1.37.0
  mkdir "$cache/schemas.new"
  found=$("$cache/venv/bin/python" -c 'import kubernetes_validate as k; print(k.__path__[0])')/kubernetes-json-schema
  for version in 1.25.0 1.37.0; do cp -r "$found/v$version-local-strict" "$cache/schemas.new/v$version"; done
  # References become relative to the file: without the identifiers, which name a server that is not asked.
  python3 - "$cache/schemas.new" <<'PYTHON'
import json, pathlib, sys
for file in pathlib.Path(sys.argv[1]).rglob('*.json'):
    schema = json.loads(file.read_text().replace('"/api/_definitions.json', '"_definitions.json'))
    schema.pop('$id', None)
    file.write_text(json.dumps(schema))
PYTHON
  mv "$cache/schemas.new" "$cache/schemas"
fi

chart=deploy/kubernetes/chart
helm lint --strict --quiet "$chart"
many='ingress.enabled=true,ingress.tlsSecret=tls,ingress.className=nginx,seccomp.type=Localhost'
many="$many,secretFiles[0].variable=MAIL_PASSWORD_FILE,secretFiles[0].secret=mail,secretFiles[0].key=password"
many="$many,image.pullSecrets[0]=registry,networkPolicy.extraEgress[0].ports[0].port=587"
for values in api.replicas=2 "$many" networkPolicy.enabled=false,podDisruptionBudget.enabled=false; do
  for version in 1.25.0 1.37.0; do
    helm template quire "$chart" --namespace quire --kube-version "$version" --set "$values" |
      kubeconform -strict -summary -kubernetes-version "$version" \
        -schema-location "$cache/schemas/{{ .NormalizedKubernetesVersion }}/{{ .ResourceKind }}{{ .KindSuffix }}.json"
  done
done
for wrong in api.replicas=none service.type=External ingress.hosts=a networkPolicy.storePort=0 ingres.enabled=true; do
  if helm template quire "$chart" --set "$wrong" > /dev/null 2>&1; then
    echo "the chart accepts the wrong value $wrong: add it to values.schema.json" >&2
    exit 1
  fi
done
echo 'chart: ok'
