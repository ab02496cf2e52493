import assert from "node:assert/strict";
import type { Diagnostic } from "../../../src/language-server/diagnostics/rule.ts";
import { findingsOf } from "../../support/findings.ts";
import { checkDiagnostics, checkPredicted, loadFixture } from "../../support/language-features.ts";
import { dedent, readFixture } from "../../support/markers.ts";
import { memoryUri } from "../../support/memory-workspace.ts";

const claim = (name: string, spec: string): string => `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: ${name} }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } }, ${spec} }`;

const disks = `
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: disks }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: WaitForFirstConsumer`;

const pod = (name: string, claimName: string): string => `
      apiVersion: v1
      kind: Pod
      metadata: { name: ${name} }
      spec:
        containers: [{ name: app, image: nginx, volumeMounts: [{ name: data, mountPath: /data }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: ${claimName} } }]`;

/** The findings, including those from the prediction. */
async function found(text: string): Promise<readonly Diagnostic[]> {
  const service = await loadFixture(readFixture(`#- a.yaml\n${dedent(text)}`), true);
  return findingsOf(service, memoryUri("a.yaml"));
}

suite("references to missing objects", () => {
  test("a misspelled name is a warning, a name unlike all others information", async () => {
    const names = { ConfigMap: "settings", Secret: "login", SecretProviderClass: "vault-keys" };
    const objects = Object.entries(names).map(([kind, name]) =>
      kind === "SecretProviderClass"
        ? `apiVersion: secrets-store.csi.x-k8s.io/v1\nkind: ${kind}\nmetadata: { name: ${name} }\n`
        : `apiVersion: v1\nkind: ${kind}\nmetadata: { name: ${name} }\n`,
    );
    const podNaming = (change: (name: string) => string): string => `
apiVersion: v1
kind: Pod
metadata: { name: app }
spec:
  containers: [{ name: app, image: nginx, volumeMounts: [{ name: c, mountPath: /c }, { name: s, mountPath: /s }, { name: v, mountPath: /v }] }]
  volumes:
    - { name: c, configMap: { name: ${change(names.ConfigMap)} } }
    - { name: s, secret: { secretName: ${change(names.Secret)} } }
    - { name: v, csi: { driver: secrets-store.csi.k8s.io, readOnly: true, volumeAttributes: { secretProviderClass: ${change(names.SecretProviderClass)} } } }
`;
    const severities = async (change: (name: string) => string): Promise<readonly string[]> =>
      (await found([...objects, podNaming(change)].join("---\n")))
        .filter(({ code }) => code.endsWith("-missing") && code !== "csidriver-missing")
        .map(({ severity }) => severity);
    const last = /(.)(.)$/;
    assert.deepEqual(await severities((name) => name.replace(last, "$2$1")), [
      "warning",
      "warning",
      "warning",
    ]);
    assert.deepEqual(await severities(() => "elsewhere"), [
      "information",
      "information",
      "information",
    ]);
  });

  test("a missing class is reported with the existing classes", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      profile: k3s
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: premium
      #                   ^^^^^^^ pvc-class-missing: StorageClass “premium” does not exist; the claim stays Pending; known are “local-path”
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
    `));

  test("a class name that resembles an existing one is a typo", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      profile: k3s
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: local-paht
      #                   ^^^^^^^^^^ pvc-class-typo: StorageClass “local-paht” does not exist; did you mean “local-path”?
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
    `));

  test("a claim that a volume is reserved for needs no class", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec:
        storageClassName: a
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        nfs: { server: s, path: / }
        claimRef: { namespace: default, name: data }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: b
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
    `));

  test("a name that differs only in its number is not a typo", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      profile: eks
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data-1 }
      spec:
        storageClassName: gp3
      #                   ^^^ pvc-class-missing: StorageClass “gp3” does not exist
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
      ---
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: conf-1 }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers:
          - { name: web, image: nginx, volumeMounts: [{ name: data, mountPath: /d }, { name: conf, mountPath: /c }] }
        volumes:
          - { name: data, persistentVolumeClaim: { claimName: data-2 } }
      #                                                       ^^^^^^ pod-claim-missing: PersistentVolumeClaim “data-2” does not exist in namespace default; Pod web stays Pending
          - { name: conf, configMap: { name: conf-2 } }
      #                                      ^^^^^^ pod-config-missing: ConfigMap “conf-2” is in no file of namespace default; the containers wait for it
    `));

  test("a misspelled namespace gets a suggestion", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: Namespace
      metadata: { name: databases }
      ---
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: settings, namespace: database }
      #                                      ^^^^^^^^ namespace-missing: namespaces "database" not found: no file makes it; did you mean “databases”?
    `));

  test("configuration of a similar name or in another namespace is suggested", () =>
    checkDiagnostics(`
      #- a.yaml
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: web-conf }
      ---
      apiVersion: v1
      kind: Secret
      metadata: { name: tls, namespace: shop }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers:
          - { name: web, image: nginx, volumeMounts: [{ name: conf, mountPath: /c }, { name: tls, mountPath: /t }] }
        volumes:
          - { name: conf, configMap: { name: web-config } }
      #                                      ^^^^^^^^^^ pod-config-missing: ConfigMap “web-config” is in no file of namespace default; did you mean “web-conf”?
          - { name: tls, secret: { secretName: tls } }
      #                                        ^^^ pod-config-missing: Secret “tls” is in no file of namespace default; it exists in namespace “shop”, and a Pod can only use those of its own
    `));

  test("a missing Secret that several containers read is reported once for the pod", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        initContainers:
          - { name: setup, image: i, env: [{ name: A, valueFrom: { secretKeyRef: { name: db, key: a } } }] }
      #                                                                                  ^^ pod-config-missing: Secret “db” is in no file of namespace default; the containers wait for it
        containers:
          - { name: web, image: i, env: [{ name: A, valueFrom: { secretKeyRef: { name: db, key: a } } }], envFrom: [{ secretRef: { name: db } }] }
    `));

  test("a Secret that an operator creates from an object in the files is a hint that names the object", async () => {
    const maker = (apiVersion: string, kind: string, name: string, spec: string): string =>
      `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: ${name} }\nspec: ${spec}\n---\n`;
    const findings = await found(
      `${maker("bitnami.com/v1alpha1", "SealedSecret", "sealed", "{}")}${maker("external-secrets.io/v1", "ExternalSecret", "renamed", "{ target: { name: external } }")}${maker("external-secrets.io/v1", "ExternalSecret", "same", "{}")}${maker("cert-manager.io/v1", "Certificate", "web", "{ secretName: tls }")}${maker("secrets-store.csi.x-k8s.io/v1", "SecretProviderClass", "vault", "{ secretObjects: [{ secretName: synced }] }")}apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers:
    - { name: web, image: i, envFrom: [{ secretRef: { name: sealed } }, { secretRef: { name: external } }, { secretRef: { name: same } }, { secretRef: { name: synced } }, { secretRef: { name: renamed } }], volumeMounts: [{ name: tls, mountPath: /t }] }
  volumes: [{ name: tls, secret: { secretName: tls } }]
`,
    );
    assert.deepEqual(findings.map(({ severity, message }) => `${severity}: ${message}`).sort(), [
      "hint: Secret “external” is in no file of namespace default; ExternalSecret “renamed” has it made, where its controller runs",
      "hint: Secret “same” is in no file of namespace default; ExternalSecret “same” has it made, where its controller runs",
      "hint: Secret “sealed” is in no file of namespace default; SealedSecret “sealed” has it made, where its controller runs",
      "hint: Secret “synced” is in no file of namespace default; SecretProviderClass “vault” has it made, once a container mounts it",
      "hint: Secret “tls” is in no file of namespace default; Certificate “web” has it made, where its controller runs",
      "information: Secret “renamed” is in no file of namespace default; the containers wait for it",
      "warning: Secret “synced” is created only once a container mounts this SecretProviderClass, which none in these files does; Pod web waits for it",
    ]);
  });

  test("operators of vaults, buckets and encrypted files are known, too", async () => {
    const kinds = [
      [
        "isindir.github.com/v1alpha3",
        "SopsSecret",
        "{ secretTemplates: [{ name: x }, { name: made }] }",
      ],
      ["secrets.hashicorp.com/v1beta1", "VaultStaticSecret", "{ destination: { name: made } }"],
      ["secrets.hashicorp.com/v1beta1", "VaultDynamicSecret", "{ destination: { name: made } }"],
      ["secrets.hashicorp.com/v1beta1", "VaultPKISecret", "{ destination: { name: made } }"],
      ["ricoberger.de/v1alpha1", "VaultSecret", "{}"],
      ["onepassword.com/v1", "OnePasswordItem", "{}"],
      ["objectbucket.io/v1alpha1", "ObjectBucketClaim", "{}"],
    ];
    for (const [apiVersion, kind, spec] of kinds) {
      const findings = await found(`apiVersion: ${apiVersion}
kind: ${kind}
metadata: { name: made }
spec: ${spec}
---
apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers: [{ name: web, image: i, envFrom: [{ secretRef: { name: made } }] }]
`);
      assert.deepEqual(
        findings.map(({ severity, message }) => `${severity}: ${message}`),
        [
          `hint: Secret “made” is in no file of namespace default; ${kind} “made” has it made, where its controller runs`,
        ],
      );
    }
  });

  test("a missing Secret for several calls is reported once for each class", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: ceph }
      provisioner: csi.example.com
      #            ^^^^^^^^^^^^^^^ provisioner-unknown
      parameters:
        csi.storage.k8s.io/provisioner-secret-name: ceph
      #                                             ^^^^ class-secret-missing
        csi.storage.k8s.io/provisioner-secret-namespace: default
        csi.storage.k8s.io/node-stage-secret-name: ceph
        csi.storage.k8s.io/node-stage-secret-namespace: default
        csi.storage.k8s.io/node-publish-secret-name: ceph
      #                                              ^^^^ class-secret-missing: Secret “ceph” in namespace storage
        csi.storage.k8s.io/node-publish-secret-namespace: storage
    `));

  test("a missing Secret for every call, or in the keys of old drivers, is reported once for each class", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: every-call }
      provisioner: csi.example.com
      #            ^^^^^^^^^^^^^^^ provisioner-unknown
      parameters:
        csi.storage.k8s.io/secret-name: common
      #                                 ^^^^^^ class-secret-missing: Secret “common” in namespace storage
        csi.storage.k8s.io/secret-namespace: storage
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: old }
      provisioner: old.example.com
      #            ^^^^^^^^^^^^^^^ provisioner-unknown
      parameters:
        csiProvisionerSecretName: old
      #                           ^^^ class-secret-missing: Secret “old” in namespace default
        csiProvisionerSecretNamespace: default
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: old
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
    `));

  test("a Secret of exactly the name that the driver's operator uses exists", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: rook }
      provisioner: rook-ceph.rbd.csi.ceph.com
      parameters:
        clusterID: rook-ceph
        pool: replicapool
        csi.storage.k8s.io/provisioner-secret-name: rook-csi-rbd-provisioner
        csi.storage.k8s.io/provisioner-secret-namespace: rook-ceph
        csi.storage.k8s.io/node-stage-secret-name: rook-csi-rbd-nodes
      #                                            ^^^^^^^^^^^^^^^^^^ class-secret-missing
        csi.storage.k8s.io/node-stage-secret-namespace: rook-ceph
    `));

  test("a name that the API server refuses is not reported missing", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: <class>
      #                   ^^^^^^^ api-refused
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        local: { path: /disk }
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: kubernetes.io/hostname, operator: In, values: [<node>] }] }] } }
      #                                                                                                                            ^^^^^^ api-refused
    `));

  test("the finding of a mistyped provisioner lists the claims that get no volume", async () => {
    const diagnostics = await found(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: slip }
      provisioner: ebs.csi.aws.co
      ---${claim("data", "storageClassName: slip")}
      ---${claim("static", "storageClassName: slip, volumeName: disk")}
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec: { storageClassName: slip, capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: / } }`);
    const finding = diagnostics.find(({ code }) => code === "provisioner-typo");
    assert.deepEqual(
      finding?.related?.map(({ message }) => message),
      ["Claim data stays Pending with it"],
    );
  });

  test("a claim whose source waits for a missing class has no finding besides the class's", async () => {
    const source = (kind: string, name: string): string =>
      `${disks}\n---${claim("copy", `storageClassName: disks, dataSource: { ${kind}, name: ${name} }`)}`;
    const snapshot = `
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshot
      metadata: { name: monday }
      spec: { volumeSnapshotClassName: disks, source: { persistentVolumeClaimName: data } }
      ---
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshotClass
      metadata: { name: disks }
      deletionPolicy: Delete
      driver: ebs.csi.aws.com`;
    const ofSnapshot = source("apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot", "monday");
    const ofClaim = source("kind: PersistentVolumeClaim", "data");
    const data = claim("data", "storageClassName: nowhere");
    for (const objects of [
      [data, snapshot, ofSnapshot],
      [data, ofClaim],
    ])
      assert.deepEqual(
        (await found([...objects, pod("web", "copy")].join("\n---"))).map(({ code }) => code),
        ["pvc-class-missing"],
      );
  });

  test("a missing Secret is reported at its name, and not again at volumes that it keeps from a pod", async () => {
    const volume = (source: string): string => `
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: topology.kubernetes.io/zone, operator: Exists }] }] } }, ${source} }`;
    const csi = (field: string): string =>
      volume(
        `csi: { driver: ebs.csi.aws.com, volumeHandle: one, ${field}: { name: key, namespace: default } }`,
      );
    const byHand = claim("data", `storageClassName: "", volumeName: disk`);
    const made = (role: string): readonly string[] => [
      `${disks}
      parameters: { csi.storage.k8s.io/${role}-secret-name: key, csi.storage.k8s.io/${role}-secret-namespace: default }`,
      claim("data", "storageClassName: disks"),
    ];
    for (const objects of [
      [csi("nodeStageSecretRef"), byHand],
      [csi("nodePublishSecretRef"), byHand],
      [csi("controllerPublishSecretRef"), byHand],
      made("node-stage"),
      made("controller-publish"),
      made("provisioner"),
    ])
      assert.deepEqual(
        (await found([...objects, pod("web", "data")].join("\n---"))).map(({ code }) => code),
        ["class-secret-missing"],
        objects[0],
      );
  });

  test("a claim whose name a pod mistypes is not reported as unused", async () => {
    const data = [disks, claim("data", "storageClassName: disks")];
    const objects = [...data, pod("web", "dta")].join("\n---");
    assert.deepEqual(
      (await found(objects)).map(({ code, meant }) => [code, meant]),
      [["pod-claim-missing", "data"]],
    );
    const elsewhere = [
      "{ apiVersion: v1, kind: Namespace, metadata: { name: shop } }",
      disks,
      claim("data", "storageClassName: disks").replace(
        "{ name: data",
        "{ namespace: shop, name: data",
      ),
      pod("web", "data"),
    ].join("\n---\n");
    assert.deepEqual(
      (await found(elsewhere)).map(({ code }) => code),
      ["pod-claim-other-namespace"],
    );
    const unlike = [...data, pod("web", "cache")];
    const codes = (await found(unlike.join("\n---"))).map(({ code }) => code);
    assert.deepEqual(codes.sort(), ["class-wffc-no-consumer", "pod-claim-missing"]);
  });

  test("an object of a mistyped kind has one finding, and others do not report it missing or themselves unused", async () => {
    const objects = [disks, claim("data", "storageClassName: disks"), pod("web", "data")];
    const codesWith = async (kind: string, written: string): Promise<readonly string[]> =>
      (await found(objects.join("\n---").replace(`kind: ${kind}\n`, `kind: ${written}\n`))).map(
        ({ code }) => code,
      );
    for (const [kind, written] of [
      ["PersistentVolumeClaim", "PersistantVolumeClaim"],
      ["Pod", "Pood"],
      ["StorageClass", "StorageClas"],
    ] as const)
      assert.deepEqual(await codesWith(kind, written), ["kind-unknown"], written);
  });

  test("a claim whose class exists only on volumes that do not fit is reported, whatever else is missing", async () => {
    const objects = [
      claim("data", "storageClassName: nowhere"),
      `
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], storageClassName: carried, claimRef: { name: data, namespace: default }, nfs: { server: a, path: /data } }`,
      claim("other", "storageClassName: carried"),
    ];
    const codes = (await found(objects.join("\n---"))).map(({ code }) => code);
    assert.deepEqual(codes.sort(), ["pvc-no-candidate", "pvc-unused"]);
  });

  test("a class in a volume's annotation is not reported missing", async () => {
    const objects = [
      claim("data", "storageClassName: carried"),
      `
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk, annotations: { volume.beta.kubernetes.io/storage-class: carried } }
      spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: a, path: /data } }`,
      pod("web", "data"),
    ];
    const codes = (await found(objects.join("\n---"))).map(({ code }) => code);
    assert.deepEqual(codes, ["api-warning"]);
  });

  test("the finding of a claim that refers to a missing object lists the workloads that wait with it", async () => {
    const user = (kind: string, name: string, spec: string): string => `
      ---
      apiVersion: apps/v1
      kind: ${kind}
      metadata: { name: ${name} }
      spec:
        ${spec}
        selector: { matchLabels: { app: ${name} } }
        template:
          metadata: { labels: { app: ${name} } }
          spec:
            containers: [{ name: c, image: i, volumeMounts: [{ name: d, mountPath: /d }] }]
            volumes: [{ name: d, persistentVolumeClaim: { claimName: data } }]`;
    const users =
      user("Deployment", "web", "replicas: 1") + user("ReplicaSet", "idle", "replicas: 0");
    for (const [field, code] of [
      ["storageClassName: gone", "pvc-class-missing"],
      ["volumeName: gone", "pvc-volumename-missing"],
      ["dataSource: { kind: PersistentVolumeClaim, name: gone }", "datasource-missing"],
    ] as const) {
      const diagnostics = await found(claim("data", field) + users);
      const finding = diagnostics.find((diagnostic) => diagnostic.code === code);
      assert.deepEqual(
        finding?.related?.map(({ message }) => message),
        ["Pods of Deployment web stay Pending with it"],
        code,
      );
      assert.equal(
        diagnostics.filter(({ severity }) => severity !== "hint").length,
        1,
        JSON.stringify(diagnostics.map(({ code: other }) => other)),
      );
    }
    const diagnostics = await found(users);
    assert.deepEqual(
      diagnostics.map(({ message }) => message),
      [
        "PersistentVolumeClaim “data” does not exist in namespace default; Pods of Deployment web stay Pending",
        "PersistentVolumeClaim “data” does not exist in namespace default",
      ],
    );
  });

  test("a missing RuntimeClass has the pod refused, an existing one does not", () =>
    checkPredicted(`
      apiVersion: node.k8s.io/v1
      kind: RuntimeClass
      metadata: { name: kata }
      handler: kata
      overhead: { podFixed: { cpu: 250m } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec: { runtimeClassName: kata, overhead: { cpu: 0.25 }, containers: [{ name: c, image: i }] }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: job }
      spec:
        runtimeClassName: gvisor
      #                   ^^^^^^ runtime-class-missing: RuntimeClass “gvisor” does not exist; the pod is refused; known are “kata”
        containers: [{ name: c, image: i }]
    `));

  test("a missing PriorityClass has the pods refused, those of every cluster exist", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: Pod
      metadata: { name: agent, namespace: kube-system }
      spec: { priorityClassName: system-node-critical, containers: [{ name: c, image: i }] }
      ---
      apiVersion: scheduling.k8s.io/v1
      kind: PriorityClass
      metadata: { name: high }
      value: 1000
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec: { priorityClassName: high, priority: 1000, containers: [{ name: c, image: i }] }
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web }
      spec:
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec:
            priorityClassName: higher
      #                        ^^^^^^ priority-class-missing: PriorityClass “higher” does not exist; its pods are refused
            containers: [{ name: c, image: i }]
    `));

  test("a class that exists only on volumes needs no object", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec: { storageClassName: manual, capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /x } }
      ---${claim("data", "storageClassName: manual")}
    `));

  test("a claim in another namespace is not found for a pod", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data, namespace: shop }
      #                                  ^^^^ namespace-missing: namespaces "shop" not found
      spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /data }, { name: logs, mountPath: /logs }] }]
        volumes:
          - name: data
            persistentVolumeClaim: { claimName: data }
      #                                         ^^^^ pod-claim-other-namespace: The claim exists in namespace “shop”
          - name: logs
            persistentVolumeClaim: { claimName: logs }
      #                                         ^^^^ pod-claim-missing: PersistentVolumeClaim “logs” does not exist in namespace default
    `));

  test("claims that a StatefulSet creates exist", () =>
    checkDiagnostics(`
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: db }
      spec:
        serviceName: db
        selector: { matchLabels: { a: b } }
        template:
          metadata: { labels: { a: b } }
          spec: { containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }] }
        volumeClaimTemplates:
          - metadata: { name: data }
            spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: backup }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /data }, { name: more, mountPath: /more }] }]
        volumes:
          - { name: data, persistentVolumeClaim: { claimName: data-db-0 } }
          - { name: more, persistentVolumeClaim: { claimName: data-db-x } }
      #                                                       ^^^^^^^^^ pod-claim-missing
    `));

  test("optional references may be missing", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, envFrom: [{ secretRef: { name: s, optional: true } }] }]
        volumes:
          - { name: a, configMap: { name: a, optional: true } }
          - { name: b, configMap: { name: kube-root-ca.crt } }
    `));

  test("an unknown provisioner and a mistyped or former name have different findings", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: a }
      provisioner: example.com/special
      #            ^^^^^^^^^^^^^^^^^^^ provisioner-unknown: Nothing provisions volumes for “example.com/special”
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: b }
      provisioner: ebs.csi.aws.co
      #            ^^^^^^^^^^^^^^ provisioner-typo: Unknown provisioner “ebs.csi.aws.co”; did you mean “ebs.csi.aws.com”?
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: c }
      provisioner: com.linode.csi.linodebs
      #            ^^^^^^^^^^^^^^^^^^^^^^^ provisioner-typo: Unknown provisioner “com.linode.csi.linodebs”; did you mean “linodebs.csi.linode.com”?
    `));

  test("a vendor's other driver is not taken for a typo", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: a }
      provisioner: vpcplugin.csi.alibabacloud.com
      #            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ provisioner-unknown
    `));

  test("Ceph's drivers are known under the name of any operator", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: a }
      provisioner: rook-ceph.nfs.csi.ceph.com
      #            ^^^^^^^^^^^^^^^^^^^^^^^^^^ provisioner-unknown
    `));

  test("the same object in two files is reported at both", () =>
    checkDiagnostics(`
      #- a.yaml
      apiVersion: v1
      kind: Namespace
      metadata: { name: shop }
      #                 ^^^^ duplicate-object: Namespace “shop” is defined 2 times
      #- b.yaml
      apiVersion: v1
      kind: Namespace
      metadata: { name: shop }
      #                 ^^^^ duplicate-object: Namespace “shop” is defined 2 times
    `));

  test("an unknown key of the project file is reported at the key", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      { profile: kind, profiles: eks }
      #                ^^^^^^^^ project-file: Unknown key “profiles”
      #- claim.yaml${claim("data", "storageClassName: standard")}
    `));

  test("severities in the project file apply, and off hides the finding", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      rules:
        pvc-class-missing: off
        pvc-clas-missing: error
      # ^^^^^^^^^^^^^^^^ project-file: No rule has the id “pvc-clas-missing”; did you mean “pvc-class-missing”?
      #- claim.yaml${claim("data", "storageClassName: premium-two")}
    `));
});
