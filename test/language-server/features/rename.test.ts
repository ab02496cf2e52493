import assert from "node:assert/strict";
import { prepareRename, rename } from "../../../src/language-server/features/rename.ts";
import { atCursor, checkReferences } from "../../support/language-features.ts";
import { dedent } from "../../support/markers.ts";
import { memoryUri } from "../../support/memory-workspace.ts";

/** The lines that change, as `file:line: new text`. */
async function checkRename(
  text: string,
  newName: string,
  wanted: readonly string[],
): Promise<void> {
  const { analysis, file, offset } = await atCursor(text, false);
  const answer = rename(analysis, file, offset, newName);
  assert.ok(answer.ok, answer.ok ? "" : answer.message);
  const changed: string[] = [];
  for (const changedFile of analysis.environment.files) {
    const edits = answer.value.edits.filter((edit) => edit.file.uri === changedFile.uri);
    const before = changedFile.manifest.text;
    const after = [...edits]
      .reverse()
      .reduce((t, { start, end, text }) => t.slice(0, start) + text + t.slice(end), before);
    const lines = after.split("\n");
    for (const [index, line] of before.split("\n").entries())
      if (lines[index] !== line)
        changed.push(
          `${changedFile.uri.slice(memoryUri("").length)}:${index + 1}: ${lines[index]?.trim()}`,
        );
  }
  assert.deepEqual(changed, wanted);
}

async function checkRefused(text: string, newName: string, message: RegExp): Promise<void> {
  const { analysis, file, offset } = await atCursor(text, false);
  const answer = rename(analysis, file, offset, newName);
  assert.match(answer.ok ? "renamed" : answer.message, message);
}

async function placeholderAt(text: string): Promise<string> {
  const { analysis, file, offset } = await atCursor(text, false);
  const answer = prepareRename(analysis, file, offset);
  if (!answer.ok) return answer.message;
  const { start, end, placeholder } = answer.value;
  assert.equal(file.manifest.text.slice(start, end), placeholder);
  return placeholder;
}

const shop = `
  #- claim.yaml
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata:
    name: "da$0ta"
    namespace: shop
  spec: { storageClassName: fast, volumeName: disk, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
  ---
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
  #- kustomization.yaml
  apiVersion: kustomize.config.k8s.io/v1beta1
  kind: Kustomization
  namespace: shop
  patches:
    - target: { kind: PersistentVolumeClaim, name: data }
      path: bigger.yaml
  #- pods.yaml
  apiVersion: v1
  kind: Pod
  metadata: { name: web, namespace: shop }
  spec:
    containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /x }] }]
    volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
  ---
  apiVersion: v1
  kind: Pod
  metadata: { name: web }
  spec:
    containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /x }] }]
    volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
  #- volume.yaml
  apiVersion: v1
  kind: PersistentVolume
  metadata: { name: disk }
  spec:
    claimRef: { namespace: shop, name: data }
    capacity: { storage: 1Gi }
    accessModes: [ReadWriteOnce]
    nfs: { server: s, path: /x }
  #- z.scenario.yaml
  steps:
    - apply: [claim.yaml]
    - apply: |
        apiVersion: v1
        kind: Pod
        metadata: {name: late, namespace: shop}
        spec:
          containers: [{name: c, image: i}]
          volumes:
            - name: v
              persistentVolumeClaim: {claimName: data}
    - expect:
        - {kind: PersistentVolumeClaim, name: data, namespace: shop, phase: Bound, volume: disk}
        - {kind: PersistentVolumeClaim, name: data, phase: Pending}
        - {event: FailedBinding, about: PersistentVolumeClaim/shop/data}
`;

const database = (cursor: "set" | "template" | "claim" | "adopted" | "cache" | "pod"): string => {
  const mark = (place: string): string => (place === cursor ? "$0" : "");
  return `
  #- claims.yaml
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: ${mark("adopted")}data-db-0 }
  spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
  ---
  apiVersion: v1
  kind: Pod
  metadata: { name: backup }
  spec:
    containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /x }, { name: w, mountPath: /y }] }]
    volumes:
      - { name: v, persistentVolumeClaim: { claimName: ${mark("claim")}data-db-1 } }
      - { name: w, persistentVolumeClaim: { claimName: db-2-cache } }
  #- db.yaml
  apiVersion: apps/v1
  kind: StatefulSet
  metadata: { name: d${mark("set")}b }
  spec:
    replicas: 3
    serviceName: db
    selector: { matchLabels: { a: b } }
    template:
      metadata: { labels: { a: b } }
      spec:
        containers:
          - name: c
            image: i
            volumeMounts: [{ name: data, mountPath: /d }, { name: cache, mountPath: /c }]
        volumes:
          - name: ca${mark("cache")}che
            ephemeral: { volumeClaimTemplate: { spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } } }
    volumeClaimTemplates:
      - metadata: { name: da${mark("template")}ta }
        spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
  #- fails.scenario.yaml
  steps:
    - node: {of: Pod/default/${mark("pod")}db-0, kubelet: down}
    - expect: [{kind: PersistentVolumeClaim, name: data-db-0, phase: Bound}]
  `;
};

const cluster = `
  #- a.yaml
  apiVersion: v1
  kind: Namespace
  metadata: { name: sh$0op, labels: { kubernetes.io/metadata.name: shop, team: shop } }
  ---
  apiVersion: storage.k8s.io/v1
  kind: StorageClass
  metadata: { name: fast }
  provisioner: csi.example.com
  parameters:
    csi.storage.k8s.io/provisioner-secret-name: key
    csi.storage.k8s.io/provisioner-secret-namespace: shop
    csi.storage.k8s.io/node-stage-secret-namespace: "\${pvc.namespace}"
  ---
  apiVersion: rbac.authorization.k8s.io/v1
  kind: ClusterRoleBinding
  metadata: { name: shop }
  roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: shop }
  subjects: [{ kind: ServiceAccount, name: shop, namespace: shop }]
  ---
  apiVersion: v1
  kind: ConfigMap
  metadata: { name: c, namespace: other }
  data: { namespace: shop }
  #- b.yaml
  apiVersion: apps/v1
  kind: Deployment
  metadata: { name: web, namespace: 'shop' }
  spec:
    selector: { matchLabels: { app: web } }
    template:
      metadata: { labels: { app: web } }
      spec:
        affinity:
          podAntiAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              - topologyKey: zone
                namespaces: [shop, other]
                namespaceSelector: { matchExpressions: [{ key: kubernetes.io/metadata.name, operator: In, values: [shop] }] }
        containers: [{ name: c, image: i, env: [{ name: NAMESPACE, value: shop }] }]
  #- kustomization.yaml
  namespace: shop
  resources: [b.yaml]
  #- z.scenario.yaml
  steps:
    - scale: { kind: Deployment, namespace: shop, name: web, replicas: 2 }
    - node: { of: Pod/shop/web, kubelet: down }
    - expect: [{ event: Killing, about: Pod/shop/shop }]
    - createJob: { namespace: shop, name: shop, from: cronjob/shop }
`;

suite("rename of an object that a scenario names without a namespace", () => {
  test("changes the scenario if the object is in default or is cluster-scoped", () =>
    checkRename(
      `
      #- a.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: di$0sk }
      #- z.scenario.yaml
      steps:
        - expect:
            - { event: VolumeFailedDelete, about: PersistentVolume/disk }
            - { event: VolumeFailedDelete, about: PersistentVolume/disk-2 }
            - { event: FailedBinding, about: PersistentVolumeClaim/disk }
    `,
      "tape",
      [
        "a.yaml:3: metadata: { name: tape }",
        "z.scenario.yaml:3: - { event: VolumeFailedDelete, about: PersistentVolume/tape }",
      ],
    ));
});

suite("rename of objects in the steps of a scenario", () => {
  test("changes a node in each step that names it", () =>
    checkRename(
      `
      #- a.yaml
      apiVersion: v1
      kind: Node
      metadata: { name: wor$0ker }
      #- z.scenario.yaml
      steps:
        - node: { name: worker, kubelet: down }
        - cordon: { name: worker }
        - drain: { name: worker }
        - uncordon: { name: worker }
        - driver: { name: d.example, node: down, nodeName: worker }
        - fault: { driver: d.example, call: NodeStageVolume, code: Internal, node: worker }
    `,
      "one",
      [
        "a.yaml:3: metadata: { name: one }",
        "z.scenario.yaml:2: - node: { name: one, kubelet: down }",
        "z.scenario.yaml:3: - cordon: { name: one }",
        "z.scenario.yaml:4: - drain: { name: one }",
        "z.scenario.yaml:5: - uncordon: { name: one }",
        "z.scenario.yaml:6: - driver: { name: d.example, node: down, nodeName: one }",
        "z.scenario.yaml:7: - fault: { driver: d.example, call: NodeStageVolume, code: Internal, node: one }",
      ],
    ));

  test("changes the namespace that a chart is installed in", () =>
    checkRename(
      `
      #- a.yaml
      apiVersion: v1
      kind: Namespace
      metadata: { name: sh$0op }
      #- z.scenario.yaml
      steps:
        - helm: { chart: charts/web, namespace: shop }
    `,
      "store",
      [
        "a.yaml:3: metadata: { name: store }",
        "z.scenario.yaml:2: - helm: { chart: charts/web, namespace: store }",
      ],
    ));
});

suite("rename of objects referenced by quotas, accounts, grants, capacities and volumes", () => {
  const named = `
    apiVersion: v1
    kind: ResourceQuota
    metadata: { name: quota }
    spec: { scopeSelector: { matchExpressions: [{ scopeName: VolumeAttributesClass, operator: In, values: [other, fast] }] } }
    ---
    apiVersion: storage.k8s.io/v1
    kind: CSIStorageCapacity
    metadata: { name: room }
    storageClassName: disks
    ---
    apiVersion: v1
    kind: ServiceAccount
    metadata: { name: app }
    secrets: [{ name: login }]
    ---
    apiVersion: v1
    kind: PersistentVolume
    metadata: { name: lun }
    spec: { iscsi: { secretRef: { name: login, namespace: default } } }
    ---
    apiVersion: gateway.networking.k8s.io/v1beta1
    kind: ReferenceGrant
    metadata: { name: grant }
    spec: { to: [{ group: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: nightly }] }
`;
  for (const [kind, apiVersion, name, lines] of [
    ["VolumeAttributesClass", "storage.k8s.io/v1", "fast", [4]],
    ["StorageClass", "storage.k8s.io/v1", "disks", [9]],
    ["Secret", "v1", "login", [14, 19]],
    ["VolumeSnapshot", "snapshot.storage.k8s.io/v1", "nightly", [24]],
  ] as const)
    test(`a ${kind}`, () => {
      const texts = dedent(named).split("\n");
      const definition = `metadata: { name: $0${name} }`;
      return checkRename(
        `#- a.yaml\n${texts.join("\n")}#- b.yaml\napiVersion: ${apiVersion}\nkind: ${kind}\n${definition}\n`,
        "renamed",
        [
          ...lines.map(
            (line) => `a.yaml:${line}: ${texts[line - 1]?.trim().replace(name, "renamed")}`,
          ),
          "b.yaml:3: metadata: { name: renamed }",
        ],
      );
    });
});

suite("rename of a CronJob", () => {
  test("changes the steps that create a Job from it", () =>
    checkRename(
      `
      #- a.yaml
      apiVersion: batch/v1
      kind: CronJob
      metadata: { name: back$0up, namespace: shop }
      #- z.scenario.yaml
      steps:
        - createJob: { namespace: shop, name: backup, from: cronjob/backup }
        - createJob: { name: backup, from: cronjob/backup }
    `,
      "dump",
      [
        "a.yaml:3: metadata: { name: dump, namespace: shop }",
        "z.scenario.yaml:2: - createJob: { namespace: shop, name: backup, from: cronjob/dump }",
      ],
    ));
});

suite("rename of a namespace", () => {
  test("changes every field that names it, in any kind, and no other text", () =>
    checkRename(cluster, "store", [
      "a.yaml:3: metadata: { name: store, labels: { kubernetes.io/metadata.name: store, team: shop } }",
      "a.yaml:11: csi.storage.k8s.io/provisioner-secret-namespace: store",
      "a.yaml:18: subjects: [{ kind: ServiceAccount, name: shop, namespace: store }]",
      "b.yaml:3: metadata: { name: web, namespace: 'store' }",
      "b.yaml:13: namespaces: [store, other]",
      "b.yaml:14: namespaceSelector: { matchExpressions: [{ key: kubernetes.io/metadata.name, operator: In, values: [store] }] }",
      "kustomization.yaml:1: namespace: store",
      "z.scenario.yaml:2: - scale: { kind: Deployment, namespace: store, name: web, replicas: 2 }",
      "z.scenario.yaml:3: - node: { of: Pod/store/web, kubelet: down }",
      "z.scenario.yaml:4: - expect: [{ event: Killing, about: Pod/store/shop }]",
      "z.scenario.yaml:5: - createJob: { namespace: store, name: shop, from: cronjob/shop }",
    ]));

  test("does not merge two namespaces", () =>
    checkRefused(cluster, "other", /Namespace "other" already has objects/));

  test("does not change one that every cluster has", () =>
    checkRefused(
      `
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: c, namespace: def$0ault }
    `,
      "other",
      /Every cluster has the namespace "default"/,
    ));

  test("takes no name that the API server would refuse", () =>
    checkRefused(cluster, "a.b", /must not contain dots|RFC 1123 label/));
});

suite("rename", () => {
  test("a claim is renamed in its namespace: pods, volumes, kustomizations and scenarios", () =>
    checkRename(shop, "orders", [
      'claim.yaml:4: name: "orders"',
      "kustomization.yaml:5: - target: { kind: PersistentVolumeClaim, name: orders }",
      "pods.yaml:6: volumes: [{ name: data, persistentVolumeClaim: { claimName: orders } }]",
      "volume.yaml:5: claimRef: { namespace: shop, name: orders }",
      "z.scenario.yaml:11: persistentVolumeClaim: {claimName: orders}",
      "z.scenario.yaml:13: - {kind: PersistentVolumeClaim, name: orders, namespace: shop, phase: Bound, volume: disk}",
      "z.scenario.yaml:15: - {event: FailedBinding, about: PersistentVolumeClaim/shop/orders}",
    ]));

  test("the edits are labeled: the object, a reference to it, a scenario", async () => {
    const { analysis, file, offset } = await atCursor(shop, false);
    const answer = rename(analysis, file, offset, "orders");
    assert.ok(answer.ok);
    assert.equal(answer.value.title, 'Claim "data" to "orders"');
    assert.deepEqual(
      answer.value.edits.map(({ group }) => group),
      ["object", "reference", "reference", "reference", "scenario", "scenario", "scenario"],
    );
  });

  test("patches written for a claim are renamed along with it", () =>
    checkRename(
      `
  #- claim.yaml
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: da$0ta }
  spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
  #- kustomization.yaml
  resources: [claim.yaml]
  patches:
    - patch: |-
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: { name: data }
        spec: { resources: { requests: { storage: 2Gi } } }
  patchesStrategicMerge:
    - |
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata:
        name: data
        labels: { a: b }
`,
      "orders",
      [
        "claim.yaml:3: metadata: { name: orders }",
        "kustomization.yaml:6: metadata: { name: orders }",
        "kustomization.yaml:13: name: orders",
      ],
    ));

  test("a name that would be read as a number gets quotes if it has none", () =>
    checkRename(shop, "1e3", [
      'claim.yaml:4: name: "1e3"',
      'kustomization.yaml:5: - target: { kind: PersistentVolumeClaim, name: "1e3" }',
      'pods.yaml:6: volumes: [{ name: data, persistentVolumeClaim: { claimName: "1e3" } }]',
      'volume.yaml:5: claimRef: { namespace: shop, name: "1e3" }',
      'z.scenario.yaml:11: persistentVolumeClaim: {claimName: "1e3"}',
      'z.scenario.yaml:13: - {kind: PersistentVolumeClaim, name: "1e3", namespace: shop, phase: Bound, volume: disk}',
      "z.scenario.yaml:15: - {event: FailedBinding, about: PersistentVolumeClaim/shop/1e3}",
    ]));

  test("mounts and claims of a claim template are renamed along with it", () =>
    checkRename(database("template"), "store", [
      "claims.yaml:3: metadata: { name: store-db-0 }",
      "claims.yaml:12: - { name: v, persistentVolumeClaim: { claimName: store-db-1 } }",
      "db.yaml:14: volumeMounts: [{ name: store, mountPath: /d }, { name: cache, mountPath: /c }]",
      "db.yaml:19: - metadata: { name: store }",
      "fails.scenario.yaml:3: - expect: [{kind: PersistentVolumeClaim, name: store-db-0, phase: Bound}]",
    ]));

  test("pods and claims of a StatefulSet are renamed along with it", () =>
    checkRename(database("set"), "pg", [
      "claims.yaml:3: metadata: { name: data-pg-0 }",
      "claims.yaml:12: - { name: v, persistentVolumeClaim: { claimName: data-pg-1 } }",
      "claims.yaml:13: - { name: w, persistentVolumeClaim: { claimName: pg-2-cache } }",
      "db.yaml:3: metadata: { name: pg }",
      "fails.scenario.yaml:2: - node: {of: Pod/default/pg-0, kubelet: down}",
      "fails.scenario.yaml:3: - expect: [{kind: PersistentVolumeClaim, name: data-pg-0, phase: Bound}]",
    ]));

  test("mounts and claims of an ephemeral volume are renamed along with it", () =>
    checkRename(database("cache"), "scratch", [
      "claims.yaml:13: - { name: w, persistentVolumeClaim: { claimName: db-2-scratch } }",
      "db.yaml:14: volumeMounts: [{ name: data, mountPath: /d }, { name: scratch, mountPath: /c }]",
      "db.yaml:16: - name: scratch",
    ]));

  test("renaming a generated claim or pod renames the template or StatefulSet that its name is made from", async () => {
    await checkRename(database("claim"), "store-db-1", [
      "claims.yaml:3: metadata: { name: store-db-0 }",
      "claims.yaml:12: - { name: v, persistentVolumeClaim: { claimName: store-db-1 } }",
      "db.yaml:14: volumeMounts: [{ name: store, mountPath: /d }, { name: cache, mountPath: /c }]",
      "db.yaml:19: - metadata: { name: store }",
      "fails.scenario.yaml:3: - expect: [{kind: PersistentVolumeClaim, name: store-db-0, phase: Bound}]",
    ]);
    await checkRename(database("adopted"), "data-pg-0", [
      "claims.yaml:3: metadata: { name: data-pg-0 }",
      "claims.yaml:12: - { name: v, persistentVolumeClaim: { claimName: data-pg-1 } }",
      "claims.yaml:13: - { name: w, persistentVolumeClaim: { claimName: pg-2-cache } }",
      "db.yaml:3: metadata: { name: pg }",
      "fails.scenario.yaml:2: - node: {of: Pod/default/pg-0, kubelet: down}",
      "fails.scenario.yaml:3: - expect: [{kind: PersistentVolumeClaim, name: data-pg-0, phase: Bound}]",
    ]);
    await checkRename(database("pod"), "pg-0", [
      "claims.yaml:3: metadata: { name: data-pg-0 }",
      "claims.yaml:12: - { name: v, persistentVolumeClaim: { claimName: data-pg-1 } }",
      "claims.yaml:13: - { name: w, persistentVolumeClaim: { claimName: pg-2-cache } }",
      "db.yaml:3: metadata: { name: pg }",
      "fails.scenario.yaml:2: - node: {of: Pod/default/pg-0, kubelet: down}",
      "fails.scenario.yaml:3: - expect: [{kind: PersistentVolumeClaim, name: data-pg-0, phase: Bound}]",
    ]);
    await checkRefused(
      database("claim"),
      "other",
      /is composed of Pod volume "data" and StatefulSet "db": change one of them/,
    );
  });

  test("renaming a generated claim to its present name changes nothing", () =>
    checkRename(database("claim"), "data-db-1", []));

  const podWithOwn = (place: "pod" | "claim"): string => `
    #- pod.yaml
    apiVersion: v1
    kind: Pod
    metadata: { name: ${place === "pod" ? "w$0eb" : "web"} }
    spec:
      containers: [{ name: c, image: i, volumeMounts: [{ name: tmp, mountPath: /t }] }]
      volumes:
        - name: tmp
          ephemeral: { volumeClaimTemplate: { spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } } }
    #- snapshot.yaml
    apiVersion: snapshot.storage.k8s.io/v1
    kind: VolumeSnapshot
    metadata: { name: kept }
    spec: { source: { persistentVolumeClaimName: web-${place === "claim" ? "t$0mp" : "tmp"} } }
  `;
  const snapshotOf = (name: string): string =>
    `snapshot.yaml:4: spec: { source: { persistentVolumeClaimName: ${name} } }`;

  test("claims of a Pod's ephemeral volumes are renamed along with it", () =>
    checkRename(podWithOwn("pod"), "shop", [
      "pod.yaml:3: metadata: { name: shop }",
      snapshotOf("shop-tmp"),
    ]));

  test("renaming the claim of an ephemeral volume renames the Pod or the volume", async () => {
    await checkRename(podWithOwn("claim"), "shop-tmp", [
      "pod.yaml:3: metadata: { name: shop }",
      snapshotOf("shop-tmp"),
    ]);
    await checkRename(podWithOwn("claim"), "web-cache", [
      "pod.yaml:5: containers: [{ name: c, image: i, volumeMounts: [{ name: cache, mountPath: /t }] }]",
      "pod.yaml:7: - name: cache",
      snapshotOf("web-cache"),
    ]);
  });

  test("a node's CSINode, label and terms that select it are renamed along with it", () =>
    checkRename(
      `
        #- node.yaml
        apiVersion: v1
        kind: Node
        metadata: { name: n$0ode-a, labels: { kubernetes.io/hostname: node-a } }
        ---
        apiVersion: storage.k8s.io/v1
        kind: CSINode
        metadata: { name: node-a }
        spec: { drivers: [] }
        #- pod.yaml
        apiVersion: v1
        kind: Pod
        metadata: { name: web }
        spec:
          nodeSelector: { kubernetes.io/hostname: node-a }
          containers: [{ name: c, image: i }]
      `,
      "metal-1",
      [
        "node.yaml:3: metadata: { name: metal-1, labels: { kubernetes.io/hostname: metal-1 } }",
        "node.yaml:7: metadata: { name: metal-1 }",
        "pod.yaml:5: nodeSelector: { kubernetes.io/hostname: metal-1 }",
      ],
    ));

  test("the place to rename is the name without its quotes", async () => {
    assert.equal(await placeholderAt(shop), "data");
    assert.equal(await placeholderAt(database("claim")), "data-db-1");
    assert.match(await placeholderAt("apiVersion: v1\nkind: Po$0d\n"), /^There is no name/);
  });

  test("a name that the API server refuses is refused with its message", async () => {
    await checkRefused(shop, "Orders_1", /metadata.name: .*lowercase RFC 1123 subdomain/);
    await checkRefused(database("template"), "a.b", /must not contain dots/);
  });

  test("a name that is taken is refused", async () => {
    await checkRefused(
      shop.replace(
        "name: data }\n  spec: { accessModes",
        "name: other, namespace: shop }\n  spec: { accessModes",
      ),
      "other",
      /Claim "other" already exists/,
    );
    await checkRefused(database("template"), "cache", /already has a volume "cache"/);
  });

  test("an object of the assumed cluster, and a driver, cannot be renamed", async () => {
    const claim = (field: string): string => `
      #- claimcheck.yaml
      profile: kind
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { ${field}, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `;
    await checkRefused(
      claim("storageClassName: stan$0dard"),
      "fast",
      /belongs to the assumed cluster "kind"/,
    );
    assert.match(
      await placeholderAt(claim("storageClassName: stan$0dard")),
      /belongs to the assumed/,
    );
    await checkRename(claim("storageClassName: no$0where"), "fast", [
      "claim.yaml:4: spec: { storageClassName: fast, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }",
    ]);
    const driver = `
      apiVersion: storage.k8s.io/v1
      kind: CSIDriver
      metadata: { name: ebs.csi$0.aws.com }
    `;
    await checkRefused(driver, "own.example.com", /the driver itself registers under/);
    const inTree = driver.replace("ebs.csi$0.aws.com", "kubernetes.io/cin$0der");
    await checkRefused(inTree, "own.example.com", /the driver itself registers under/);
  });

  test("names in the messages that a scenario expects are changed too", () =>
    checkRename(
      `
        #- volume.yaml
        apiVersion: v1
        kind: PersistentVolume
        metadata: { name: sm$0all }
        #- a.scenario.yaml
        steps:
          - expect:
              - {event: VolumeMismatch, about: PersistentVolumeClaim/default/small, message: 'Cannot bind to requested volume "small": requested PV is too small'}
              - {event: FailedBinding, about: PersistentVolumeClaim/default/x, message: 'volume "small" already bound to a different claim.'}
      `,
      "tiny",
      [
        "a.scenario.yaml:3: - {event: VolumeMismatch, about: PersistentVolumeClaim/default/small, message: 'Cannot bind to requested volume \"tiny\": requested PV is too small'}",
        "a.scenario.yaml:4: - {event: FailedBinding, about: PersistentVolumeClaim/default/x, message: 'volume \"tiny\" already bound to a different claim.'}",
        "volume.yaml:3: metadata: { name: tiny }",
      ],
    ));

  test("a generated object of a kustomization is renamed together with its references", () =>
    checkRename(
      `
        #- kustomization.yaml
        apiVersion: kustomize.config.k8s.io/v1beta1
        kind: Kustomization
        configMapGenerator: [{ name: settings, literals: [a=b] }]
        #- pod.yaml
        apiVersion: v1
        kind: Pod
        metadata: { name: web }
        spec:
          containers: [{ name: c, image: i }]
          volumes: [{ name: v, configMap: { name: sett$0ings } }]
      `,
      "options",
      [
        "kustomization.yaml:3: configMapGenerator: [{ name: options, literals: [a=b] }]",
        "pod.yaml:6: volumes: [{ name: v, configMap: { name: options } }]",
      ],
    ));

  test("an object is renamed together with the patches that target it", () =>
    checkRename(
      `
        #- kustomization.yaml
        patches: [{ path: larger.yaml }]
        #- claim.yaml
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: { name: da$0ta }
        spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
        #- larger.yaml
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: { name: data }
        spec: { resources: { requests: { storage: 2Gi } } }
      `,
      "files",
      ["claim.yaml:3: metadata: { name: files }", "larger.yaml:3: metadata: { name: files }"],
    ));
});

suite("rename of an object whose name kustomize changes", () => {
  const files = `
  #- kustomization.yaml
  resources: [claim.yaml, pod.yaml]
  namespace: shop
  namePrefix: dev-
  patches: [{ path: larger.yaml }]
  #- claim.yaml
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
  #- larger.yaml
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec: { resources: { requests: { storage: 2Gi } } }
  #- pod.yaml
  apiVersion: v1
  kind: Pod
  metadata: { name: web, namespace: shop }
  spec:
    containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /v }] }]
    volumes: [{ name: v, persistentVolumeClaim: { claimName: da$0ta } }]
`;

  test("changes the names in the files, and keeps what kustomize adds", async () => {
    assert.equal(await placeholderAt(files), "data");
    await checkRename(files, "orders", [
      "claim.yaml:3: metadata: { name: orders }",
      "larger.yaml:3: metadata: { name: orders }",
      "pod.yaml:6: volumes: [{ name: v, persistentVolumeClaim: { claimName: orders } }]",
    ]);
  });

  test("refuses a name that another file has", () =>
    checkRefused(
      files.replace(
        "#- larger",
        `---
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: orders }
  spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
  #- larger`,
      ),
      "orders",
      /"dev-orders" already exists/,
    ));

  test("a class is renamed in the keys of the quotas that count its claims", () =>
    checkRename(
      `
      #- class.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fa$0st }
      provisioner: ebs.csi.aws.com
      #- quota.yaml
      apiVersion: v1
      kind: ResourceQuota
      metadata: { name: fast }
      spec:
        hard:
          fast.storageclass.storage.k8s.io/requests.storage: 10Gi
          "fast.storageclass.storage.k8s.io/persistentvolumeclaims": 3
          requests.storage: 20Gi
    `,
      "slow",
      [
        "class.yaml:3: metadata: { name: slow }",
        "quota.yaml:6: slow.storageclass.storage.k8s.io/requests.storage: 10Gi",
        'quota.yaml:7: "slow.storageclass.storage.k8s.io/persistentvolumeclaims": 3',
      ],
    ));
});

suite("rename of a name that is an alias", () => {
  const list = (claim: string, pod: string): string => `
    #- a.yaml
    apiVersion: v1
    kind: List
    items:
      - apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: { name: ${claim} }
      - apiVersion: v1
        kind: Pod
        metadata: { name: web, labels: { app: x } }
        spec:
          containers: [{ name: c, image: i }]
          volumes:
            - name: d
              persistentVolumeClaim:
                claimName: ${pod}
    #- b.yaml
    apiVersion: v1
    kind: Pod
    metadata: { name: other }
    spec:
      containers: [{ name: c, image: i }]
      volumes: [{ name: d, persistentVolumeClaim: { claimName: data } }]
  `;
  const other = "b.yaml:6: volumes: [{ name: d, persistentVolumeClaim: { claimName: db } }]";

  test("keeps the alias, and changes its anchor, from either of them", async () => {
    const wanted = ["a.yaml:6: metadata: { name: &claim db }", other];
    await checkRename(list("&claim da$0ta", "*claim"), "db", wanted);
    await checkRename(list("&claim data", "*cla$0im"), "db", wanted);
    await checkRename(list('&claim "da$0ta"', "*claim"), "db", [
      'a.yaml:6: metadata: { name: &claim "db" }',
      other,
    ]);
  });

  test("replaces the alias by text if its anchor is not a reference to the same object", async () => {
    await checkRename(list("da$0ta", "*name").replace("app: x", "app: &name data"), "db", [
      "a.yaml:6: metadata: { name: db }",
      "a.yaml:15: claimName: db",
      other,
    ]);
    await checkRename(list("data", "*name").replace("name: web", "name: &name da$0ta"), "shop", [
      "a.yaml:9: metadata: { name: &name shop, labels: { app: x } }",
      "a.yaml:15: claimName: data",
    ]);
  });

  test("finds the alias among the references", () =>
    checkReferences(list("&claim da$0ta", "*claim"), [
      "a.yaml:6: data",
      "a.yaml:15: *claim",
      "b.yaml:6: data",
    ]));
});
