import { checkDiagnostics, checkPredicted } from "../../support/language-features.ts";

suite("findings in the text", () => {
  test("a broken document is reported at its mistake, and its neighbors are still judged", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: Pod
      metadata: { name: a }
      spec: { containers: [{ name: c, image: i }], volumes: [{ name: v, secret: { secretName: s } }] }
      #                                                                                       ^ pod-config-missing: Secret “s” is in no file
      ---
      apiVersion: v1
      kind: Pod
      metadata: [
      #         ^ yaml-syntax: A ] is missing for a [
      ---
      apiVersion: v1
      kind: Namespace
      metadata: { name: shop }
    `));

  test("a file encrypted by SOPS is judged as the object that is applied", () =>
    checkPredicted(`
      #- secret.yaml
      apiVersion: v1
      kind: Secret
      metadata: { name: login }
      data:
        password: ENC[AES256_GCM,data:p673w==,iv:YY=,tag:A=,type:str]
      stringData:
        user: ENC[AES256_GCM,data:p673w==,iv:YY=,tag:A=,type:str]
      sops:
        mac: ENC[AES256_GCM,data:p673w==,iv:YY=,tag:A=,type:str]
        version: 3.8.1
      #- pod.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /v }] }]
        volumes: [{ name: v, secret: { secretName: login, items: [{ key: password, path: p }] } }]
      #- other.yaml
      apiVersion: v1
      kind: Secret
      metadata: { name: other }
      data:
        a: ENC[plain]
      #    ^^^^^^^^^^ api-refused: Secret in version "v1" cannot be handled as a Secret: illegal base64 data
    `));

  test("values encrypted by SOPS are not validated", () => {
    const encrypted = "ENC[AES256_GCM,data:p673w==,iv:YY=,tag:A=,type:str]";
    const secret = (name: string, type: string, field: string, keys: readonly string[]): string =>
      JSON.stringify({
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: `${name}-${field.toLowerCase()}` },
        type,
        [field]: Object.fromEntries(keys.map((key) => [key, encrypted])),
        sops: { mac: encrypted },
      });
    return checkDiagnostics(
      ["data", "stringData"]
        .flatMap((field) => [
          secret("certificate", "kubernetes.io/tls", field, ["tls.crt", "tls.key"]),
          secret("registry", "kubernetes.io/dockerconfigjson", field, [".dockerconfigjson"]),
          secret("old-registry", "kubernetes.io/dockercfg", field, [".dockercfg"]),
        ])
        .map((text, index) => `#- ${index}.yaml\n${text}\n`)
        .join(""),
    );
  });

  test("a repeated key is reported at the one that counts", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: a }
      data:
        a: one
        a: two
      # ^ yaml-duplicate-key: The key \`a\` occurs twice
    `));

  test("files of other programs are left alone, broken or not", () =>
    checkDiagnostics(`
      #- docker-compose.yaml
      services: { web: [
      #- values.yaml
      replicas: 3
      #- ceph.yaml
      apiVersion: ceph.rook.io/v1
      kind: CephCluster
      metadata: { name: x, namespace: rook-ceph }
      spec: { whatever: [1, 2] }
    `));

  test("a template has one finding and no other", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: Pod
      metadata:
        name: {{ .Release.Name }}
      #       ^^^^^^^^^^^^^^^^^^^ helm-template: This file is a template
      spec: {{ nonsense
      ---
      kind: Pod
      metadata: [
    `));

  test("a variable that another program replaces makes the file a template", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: ""
        accessModes: [ReadWriteOnce]
        resources:
          requests:
            storage: \${SIZE:-10Gi}
      #              ^^^^^^^^^^^^^ helm-template: This file is a template
    `));

  test("a variable that breaks the document's syntax makes the file a template, too", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        resources: { requests: { storage: \${SIZE} } }
      #                                   ^^^^^^^^^^^ helm-template: This file is a template
    `));

  test("a variable without braces makes the file a template, but does not excuse a syntax error", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data-$ENVIRONMENT }
      #                 ^^^^^^^^^^^^^^^^^^^ helm-template: This file is a template
      spec:
        resources: { requests: { storage: $SIZE } }
      #- other.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        nodeName: "$NODE
      #           ^^^^^^ yaml-syntax: This quote is not closed
    `));

  test("variables for drivers, for programs and in other kinds do not make the file a template", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fast }
      provisioner: nfs.csi.k8s.io
      parameters:
        server: s
        share: /x
        subDir: \${pvc.metadata.name}
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: "web:\${TAG}", args: ["\${HOME}", "$HOME"] }]
      ---
      apiVersion: example.com/v1
      kind: Thing
      metadata:
        name: \${NAME}
    `));

  test("quoted braces in other projects' kinds do not make the file a template", () =>
    checkDiagnostics(`
      apiVersion: argoproj.io/v1alpha1
      kind: ApplicationSet
      metadata: { name: apps }
      spec:
        template: { metadata: { name: "{{cluster}}-app" } }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        accessModes: [ReadWriteOften]
      #               ^^^^^^^^^^^^^^ api-refused: spec.accessModes: Unsupported value: "ReadWriteOften": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"
        resources: { requests: { storage: 1Gi } }
    `));

  test("unquoted braces in another project's kind make the file a template", () =>
    checkDiagnostics(`
      apiVersion: argoproj.io/v1alpha1
      kind: Application
      metadata: { name: {{ .Release.Name }} }
      #                 ^^^^^^^^^^^^^^^^^^^^^ helm-template: This file is a template
      spec: { project: "{{ .Values.project }}" }
    `));

  test("a manifest inside a task or a script does not make the file a template", () =>
    checkDiagnostics(`
      #- .github/workflows/deploy.yaml
      on: push
      jobs:
        deploy:
          runs-on: \${{ matrix.os }}
          steps:
            - run: |
                kubectl apply -f - <<EOF
                apiVersion: v1
                kind: Namespace
                EOF
      #- tasks.yaml
      - name: make a namespace
        kubernetes.core.k8s:
          definition:
            apiVersion: v1
            kind: Namespace
            metadata: { name: {{ shop }} }
      #- chart.yaml
        apiVersion: v1
        kind: Namespace
        metadata:
          name: {{ .Values.shop }}
      #         ^^^^^^^^^^^^^^^^^^ helm-template: This file is a template
    `));

  test("a document without kind or apiVersion says which is missing", () =>
    checkDiagnostics(`
      apiVersion: v1
      #           ^^ kind-missing: kind not set
      metadata: { name: a }
      ---
      kind: PersistentVolume
      #     ^^^^^^^^^^^^^^^^ kind-missing: apiVersion not set
      metadata: { name: a }
    `));

  test("an object that lacks only its apiVersion is recognized", () =>
    checkDiagnostics(`
      kind: PersistentVolume
      #     ^^^^^^^^^^^^^^^^ kind-missing: apiVersion not set
      metadata: { name: a }
    `));

  test("misspelled apiVersion and kind get a suggestion, also in a List", () =>
    checkDiagnostics(`
      ---
        apiversion: v1
      # ^^^^^^^^^^ kind-missing: apiVersion not set, and kubectl does not know “apiversion”; did you mean “apiVersion”?
        Kind: PersistentVolume
      # ^^^^ kind-missing: kind not set, and kubectl does not know “Kind”; did you mean “kind”?
        metaData: { name: a }
      ---
      apiVersion: v1
      kind: List
      items:
        - api_version: v1
      #   ^^^^^^^^^^^ kind-missing: apiVersion not set, and kubectl does not know “api_version”; did you mean “apiVersion”?
          kind: Namespace
          metadata: { name: a }
      ---
      apiVersion: 1
      #           ^ kind-missing: apiVersion isn't string type
      kind: Namespace
      metadata: { name: a }
    `));

  test("a plain list of objects is refused by kubectl", () =>
    checkDiagnostics(`
      ---
        - apiVersion: v1
      # ^^^^^^^^^^^^^^^^ bare-list: invalid object to validate; kubectl takes objects one by one
          kind: Namespace
          metadata: { name: a }
      #- list.yaml
      ---
        [{ apiVersion: v1, kind: Namespace, metadata: { name: b } }]
      # ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ bare-list: invalid object to validate
    `));

  test("files of other programs with kind, version, metadata or lists are left alone", () =>
    checkDiagnostics(`
      #- .github/workflows/ci.yaml
      name: ci
      on: { push: {} }
      jobs: { test: { runs-on: ubuntu-latest, steps: [{ run: kubectl apply -f . }] } }
      #- openapi.yaml
      openapi: 3.0.0
      info: { title: Shop, version: v1 }
      components: { schemas: { Pod: { properties: { apiVersion: { type: string }, kind: { type: string } } } } }
      #- playbook.yaml
      - hosts: all
        tasks:
          - kubernetes.core.k8s:
              definition: { apiVersion: v1, kind: Namespace, metadata: { name: shop } }
      #- values.yaml
      apiVersion: v1
      kind: shop
      persistence: { size: 8Gi }
      #- other-values.yaml
      kind: StatefulSet
      metadata: { labels: {} }
      #- Chart.yaml
      apiVersion: v2
      name: shop
      version: 0.1.0
      #- patch.yaml
      - op: replace
        path: /kind
        value: Pod
      #- catalog.yaml
      Kind: wine
      metadata: { ApiVersion: "3" }
      #- backstage.yaml
      apiVersion: backstage.io/v1alpha1
      Kind: Component
      metadata: { name: shop }
      #- rules.yaml
      - kind: warning
        apiVersion: v7
        metadata: { name: x }
    `));

  test("a misspelled kind gets a suggestion", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistantVolume
      #     ^^^^^^^^^^^^^^^^ kind-unknown: no matches for kind "PersistantVolume" in version "v1"; did you mean “PersistentVolume”?
      metadata: { name: a }
      ---
      apiVersion: apps/v1
      kind: deployment
      #     ^^^^^^^^^^ kind-unknown: no matches for kind "deployment" in version "apps/v1"; did you mean “Deployment”?
      metadata: { name: a }
      ---
      apiVersion: v1
      kind: PVC
      #     ^^^ kind-unknown: no matches for kind "PVC" in version "v1"; did you mean “PersistentVolumeClaim”?
      metadata: { name: a }
      ---
      apiVersion: v1
      kind: Endpoints
      metadata: { name: a }
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: Role
      metadata: { name: a }
    `));

  test("a List without items is an unknown kind", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: List
      #     ^^^^ kind-unknown: no matches for kind "List" in version "v1": a List has its objects below \`items\`
      item:
        - apiVersion: v1
          kind: ConfigMap
          metadata: { name: a }
      ---
      apiVersion: v1
      kind: List
      items:
    `));

  test("items of a typed list need not name their kind", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolumeList
      items:
        - metadata: { name: a }
          spec: { capacity: { storage: 0 }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /x } }
      #                                ^ api-refused: spec.capacity[storage]: Invalid value
    `));

  test("a version that the chosen Kubernetes does not serve yet is not suggested", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      kubernetesVersion: "1.33"
      #- class.yaml
      apiVersion: storage.k8s.io/v1beta1
      #           ^^^^^^^^^^^^^^^^^^^^^^ api-version-removed: no matches for kind "VolumeAttributesClass" in version "storage.k8s.io/v1beta1"; it is served as storage.k8s.io/v1, but not by Kubernetes 1.33
      kind: VolumeAttributesClass
      metadata: { name: a }
      driverName: example.com
      parameters: { a: b }
    `));

  test("old versions and wrong groups get the right one suggested", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1beta1
      #           ^^^^^^^^^^^^^^^^^^^^^^ api-version-removed: no matches for kind "StorageClass" in version "storage.k8s.io/v1beta1"; it is served as storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: a }
      provisioner: kubernetes.io/no-provisioner
      ---
      apiVersion: v1
      #           ^^ kind-wrong-group: no matches for kind "StatefulSet" in version "v1"; it belongs to apps/v1
      kind: StatefulSet
      metadata: { name: a }
      ---
      apiVersion: storage/v1
      #           ^^^^^^^^^^ kind-wrong-group: no matches for kind "StorageClass" in version "storage/v1"; it belongs to storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: b }
      ---
      apiVersion: core/v1
      #           ^^^^^^^ kind-wrong-group: no matches for kind "Pod" in version "core/v1"; it belongs to v1
      kind: Pod
      metadata: { name: b }
      ---
      apiVersion: snapshot.storage/v1
      #           ^^^^^^^^^^^^^^^^^^^ kind-wrong-group: no matches for kind "VolumeSnapshot" in version "snapshot.storage/v1"; it belongs to snapshot.storage.k8s.io/v1
      kind: VolumeSnapshot
      metadata: { name: b }
      ---
      apiVersion: apps.kruise.io/v1alpha1
      kind: StatefulSet
      metadata: { name: b }
      ---
      apiVersion: serving.knative.dev/v1
      kind: Service
      metadata: { name: a }
    `));

  test("a namespace on a volume is superfluous", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolume
      metadata:
        name: a
        namespace: shop
      #            ^^^^ namespace-on-cluster-scoped: A PersistentVolume has no namespace
      spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /x } }
    `));

  test("text after a separator is refused", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: Namespace
      metadata: { name: a }
      --- apiVersion: v1
      #   ^^^^^^^^^^^^^^ document-separator: invalid Yaml document separator: apiVersion: v1
      kind: Namespace
    `));

  test("a comment directly after the first separator is reported, after a later one it is not", () =>
    checkDiagnostics(`
      ---# the shop
      #  ^^^^^^^^^^ document-separator: A space is missing before this comment
      apiVersion: v1
      kind: Namespace
      metadata: { name: a }
      ---# another
      apiVersion: v1
      kind: Namespace
      metadata: { name: b }
    `));
});
