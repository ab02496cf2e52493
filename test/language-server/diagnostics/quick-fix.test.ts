import assert from "node:assert/strict";
import { codeActions } from "../../../src/language-server/features/code-actions.ts";
import { afterAction } from "../../support/code-actions.ts";
import { findingsOf } from "../../support/findings.ts";
import { atCursor, loadFixture } from "../../support/language-features.ts";
import { readFixture } from "../../support/markers.ts";
import { memoryFolder } from "../../support/memory-workspace.ts";

/** Checks that the file changed by the fix with that title contains `wanted`. */
async function check(text: string, title: string, wanted: string): Promise<void> {
  const { analysis, prediction, file, offset } = await atCursor(text, false);
  const service = await loadFixture(readFixture(text), false);
  const actions = codeActions({
    analysis,
    prediction,
    file,
    diagnostics: findingsOf(service, file.uri),
    range: { start: offset, end: offset },
    findFile: (uri) => service.file(uri),
  });
  const action = actions.find((one) => one.title === title);
  assert.ok(action !== undefined, `only ${actions.map((one) => one.title).join(", ")}`);
  const after = afterAction(readFixture(text).files, action);
  const changed = action.edits.map(({ uri }) => after.get(uri.slice(memoryFolder.length + 1)));
  assert.ok(changed[0]?.includes(wanted), changed[0]);
}

suite("fixes that come with findings", () => {
  test("a claim template without a name gets that of the only missing volume that is mounted", () =>
    check(
      `
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: db }
      spec:
        selector: { matchLabels: { app: db } }
        template:
          metadata: { labels: { app: db } }
          spec:
            containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
        volumeClaimTemplates:
          - sp$0ec:
              accessModes: [ReadWriteOnce]
              resources: { requests: { storage: 1Gi } }
    `,
      "Name it “data”",
      "name: data\n",
    ));

  for (const [what, given, title, wanted] of [
    [
      "volume",
      "apiVersion: v1\n      kind: PersistentVolume\n      metadata: { name: v }\n      spec:\n        capacity: { storage: 1Gi }\n        accessModes: [ReadWriteMany]\n        azureFile: { secretName: lo$0gin, secretNamespace: default, shareName: s }",
      "Set secretNamespace to shop",
      "secretNamespace: shop",
    ],
    [
      "class",
      "apiVersion: storage.k8s.io/v1\n      kind: StorageClass\n      metadata: { name: c }\n      provisioner: rbd.csi.ceph.com\n      parameters: { csi.storage.k8s.io/node-stage-secret-name: lo$0gin, csi.storage.k8s.io/node-stage-secret-namespace: default }",
      "Set csi.storage.k8s.io/node-stage-secret-namespace to shop",
      "secret-namespace: shop",
    ],
  ] as const)
    test(`a ${what} gets the only namespace that has its driver's Secret`, () =>
      check(
        `
      ${given}
      ---
      apiVersion: v1
      kind: Secret
      metadata: { name: login, namespace: shop }
    `,
        title,
        wanted,
      ));

  test("a pod template without metadata gets the annotation that a driver requires", () =>
    check(
      `
      apiVersion: batch/v1
      kind: Job
      metadata: { name: load }
      spec:
        template:
          spec:
            restartPolicy: Never
            containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
            volumes: [{ name: data, csi: { driver: gcs$0fuse.csi.storage.gke.io } }]
    `,
      "Add the annotation gke-gcsfuse/volumes",
      'gke-gcsfuse/volumes: "true"\n',
    ));

  test("a ConfigMap at the path of its file is mounted as that file", () =>
    check(
      `
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: site }
      data: { nginx.conf: "" }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers:
          - name: c
            image: i
            volumeMounts: [{ name: site, mountPath: /etc/ng$0inx/nginx.conf }]
        volumes: [{ name: site, configMap: { name: site } }]
    `,
      "Set subPath to nginx.conf",
      "mountPath: /etc/nginx/nginx.conf, subPath: nginx.conf }",
    ));

  test("a field is not renamed to one that the server would refuse", async () => {
    const fixesOf = async (text: string): Promise<readonly string[]> => {
      const service = await loadFixture(readFixture(text), false);
      const { file } = await atCursor(text, false);
      return findingsOf(service, file.uri).flatMap(({ fix }) => fix?.title ?? []);
    };
    const claim = (apiGroup: string): string => `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: ""
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 5Gi } }
        dataSource: { kind: Dump$0, name: d${apiGroup} }
    `;
    const title = "Rename it to dataSourceRef";
    assert.ok((await fixesOf(claim(", apiGroup: corp.example"))).includes(title));
    assert.ok(!(await fixesOf(claim(""))).includes(title));
    const pod = (more: string): string => `
      apiVersion: v1
      kind: Pod
      metadata: { name: p }
      spec:
        volumes: [{ name: v, emptyDir: {} }]
        containers:
          - name: c
            image: i
            env: [{ name: POD, value: p }]
            volumeMounts: [{ name: v, mountPath: /v, sub$0Path: $(POD)${more} }]
    `;
    assert.ok((await fixesOf(pod(""))).includes("Rename it to subPathExpr"));
    assert.deepEqual(await fixesOf(pod(", subPathExpr: $(POD)")), []);
  });

  test("a size in thousandths becomes one in mebibytes", () =>
    check(
      `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: ""
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 5$000m } }
    `,
      "Change to 500Mi",
      "storage: 500Mi }",
    ));

  const defaults = (ofDisks: string, ofShares: string): string => `
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: disks, annotations: { ${ofDisks}storageclass.kubernetes.io/is-default-class: "true" } }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: WaitForFirstConsumer
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: shares, annotations: { ${ofShares}storageclass.kubernetes.io/is-default-class: "true" } }
      provisioner: efs.csi.aws.com
    `;

  test("either of two default classes can be unmarked", async () => {
    const [here, there] = ["a: b, $0", "a: b, "];
    await check(
      defaults(there, here),
      "Unmark “shares” as a default class",
      "metadata: { name: shares, annotations: { a: b } }",
    );
    await check(
      defaults(here, there),
      "Unmark “disks” as a default class",
      "metadata: { name: disks, annotations: { a: b } }",
    );
  });

  test("all fixes at once leave one default class", async () => {
    const text = defaults("$0a: b, ", "a: b, ");
    const all = "Fix all that Claimcheck can fix in this file";
    await check(text, all, "metadata: { name: shares, annotations: { a: b } }");
    await check(text, all, "name: disks, annotations: { a: b, storageclass.kubernetes.io");
  });

  test("a field written by the server is removed with all its lines", () =>
    check(
      `
      apiVersion: v1
      kind: ConfigMap
      metadata:
        managed$0Fields:
        - apiVersion: v1
          fieldsV1:
            "f:data": {}
          manager: kubectl
        name: c
    `,
      "Remove managedFields",
      "metadata:\n  name: c\n",
    ));

  test("a value from a merge key is quoted only at its anchor", async () => {
    const text = `
      apiVersion: v1
      kind: List
      items:
        - &base
          apiVersion: v1
          kind: ConfigMap
          metadata: &common { name: one, labels: { enabled: yes } }
        - <<: *base
          metadata: { <<: *com$0mon, name: two }
    `;
    const service = await loadFixture(readFixture(text), false);
    const { file } = await atCursor(text, false);
    const fixes = findingsOf(service, file.uri).flatMap(({ fix }) =>
      fix !== undefined && "value" in fix ? (fix.value ?? []) : [],
    );
    assert.deepEqual([...new Set(fixes)], ["yes"]);
  });

  test("a YAML boolean is quoted", () =>
    check(
      `
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: c
        labels: { enabled: y$0es }
    `,
      'Change to "yes"',
      'enabled: "yes" }',
    ));

  test("a number in place of a string is quoted as written", () =>
    check(
      `
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fast }
      provisioner: ebs.csi.aws.com
      parameters: { iops: 1$0e3 }
    `,
      'Change to "1e3"',
      'iops: "1e3" }',
    ));

  test("an unknown field becomes the one that was meant", async () => {
    for (const [written, meant] of [
      ["storageClass", "storageClassName"],
      ["accessmodes", "accessModes"],
      ["volumenName", "volumeName"],
    ])
      await check(
        `
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: { name: data }
        spec: { $0${written}: x }
      `,
        `Change to “${meant}”`,
        `spec: { ${meant}: x }`,
      );
  });

  test("a key in quotes stays in quotes", () =>
    check(
      `
      #- a.json
      { "apiVersion": "v1", "$0Kind": "Namespace", "metadata": { "name": "a" } }
    `,
      "Change to “kind”",
      '"v1", "kind": "Namespace"',
    ));

  test("a list of objects becomes a List", () =>
    check(
      `
      # Both

      $0- apiVersion: v1
        kind: Namespace
    `,
      "Make it a List",
      "# Both\n\napiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Namespace\n",
    ));

  test("a list of objects in JSON becomes a List", () =>
    check(
      `
      #- objects.json
      $0[
        { "apiVersion": "v1", "kind": "Namespace" }
      ]
    `,
      "Make it a List",
      '{ "apiVersion": "v1", "kind": "List", "items": [\n  { "apiVersion": "v1", "kind": "Namespace" }\n] }',
    ));

  test("a mount is moved before the one that it may hide", () =>
    check(
      `
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers:
          - name: web
            image: nginx
            volumeMounts:
              - { name: cache, mountPath: /data/cache }
              - { name: data, mountPath: /da$0ta }
        volumes: [{ name: data, emptyDir: {} }, { name: cache, emptyDir: {} }]
    `,
      "Move this mount before the other one",
      "volumeMounts:\n        - { name: data, mountPath: /data }\n        - { name: cache, mountPath: /data/cache }\n",
    ));

  test("a kind gets the version that serves it", async () => {
    for (const written of ["extensions/v1beta1", "v1"])
      await check(
        `
        apiVersion: $0${written}
        kind: Deployment
        metadata: { name: web }
      `,
        "Change to apps/v1",
        "apiVersion: apps/v1\n",
      );
  });

  test("an annotation of controllers is removed with its line", () =>
    check(
      `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata:
        name: data
        annotations:
          pv.kubernetes.io/bound-by-$0controller: "yes"
          a: b
      spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `,
      "Remove the annotation",
      "annotations:\n    a: b",
    ));

  test("a source gets the group of its kind, without a version", () =>
    check(
      `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        dataSource: { kind: VolumeSnapshot, name: shot, apiGroup: snapshot.storage$0.k8s.io/v1 }
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
    `,
      "Set apiGroup to snapshot.storage.k8s.io",
      "name: shot, apiGroup: snapshot.storage.k8s.io }",
    ));

  test("a claim gets the default class written out", () =>
    check(
      `
      #- claimcheck.yaml
      profile: k3s
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      sp$0ec:
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
    `,
      "Set storageClassName to local-path",
      "\n  storageClassName: local-path\n",
    ));
});

suite("the judged overlay", () => {
  const files = (base: string, production: string, project = ""): string => `
      ${project}
      #- base/kustomization.yaml
      resources: [claim.yaml]
      #- base/claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: ${base} }
      spec:
        storageClassName: ""
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
      #- dev/kustomization.yaml
      resources: [../base]
      namePrefix: dev-
      #- production/kustomization.yaml
      resources: [../base]
      namePrefix: ${production}
    `;

  test("can be changed to one that is not judged, at its finding", () =>
    check(
      files("data", "prod$0uction-"),
      "Judge “production” (claimcheck.yaml)",
      "kustomization: production\n",
    ));

  test("can be changed at the object's name", () =>
    check(
      files("da$0ta", "production-"),
      "Judge “production” (claimcheck.yaml)",
      "kustomization: production\n",
    ));

  test("can be changed if the project file has chosen one", () =>
    check(
      files(
        "da$0ta",
        "production-",
        "#- claimcheck.yaml\n      profile: eks\n      kustomization: production",
      ),
      "Judge “dev” (claimcheck.yaml)",
      "kustomization: dev",
    ));
});
