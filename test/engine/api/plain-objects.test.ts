/** Plain objects are written as they are stored, and no rule objects to them. The short way must give the same answer. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { parse, parseAllDocuments } from "yaml";
import { isPlain } from "../../../src/engine/api/decoding/plain.ts";
import { deepFreeze } from "../../../src/engine/api/json.ts";
import type { Draft, Kind, KubeObject } from "../../../src/engine/api/meta.ts";
import type { ClusterView, RequestContext } from "../../../src/engine/api/request-context.ts";
import { answerCreate, reviewCreate } from "../../../src/engine/api/requests.ts";
import { type KubernetesVersion, kubernetesVersions } from "../../../src/engine/scenario.ts";
import { clusterOf, create, refusal } from "./answer.ts";
import type { Manifest } from "./good-objects.ts";
import { type Field, fieldsOf, withValue, wrongValues } from "./mutations.ts";

const podSpec = `
  serviceAccountName: app
  nodeSelector: { disk: fast }
  tolerations: [{ key: a, operator: Exists, effect: NoExecute }]
  terminationGracePeriodSeconds: 5
  securityContext: { fsGroup: 1000, runAsUser: 1000, seccompProfile: { type: RuntimeDefault } }
  containers:
    - name: app
      image: app:1
      command: [run]
      env:
        - { name: A, value: b }
        - { name: B, valueFrom: { fieldRef: { fieldPath: metadata.name } } }
        - { name: C, valueFrom: { secretKeyRef: { name: s, key: k } } }
        - { name: D, valueFrom: { configMapKeyRef: { name: m, key: k } } }
      ports: [{ name: http, containerPort: 80, protocol: TCP }]
      resources: { requests: { cpu: 100m, memory: 64Mi }, limits: { cpu: "1", memory: 64Mi } }
      readinessProbe: { httpGet: { port: http, path: / }, periodSeconds: 5 }
      livenessProbe: { tcpSocket: { port: 80 } }
      startupProbe: { exec: { command: ["true"] } }
      securityContext: { allowPrivilegeEscalation: false, privileged: false, capabilities: { drop: [ALL] } }
      volumeMounts: [{ name: a, mountPath: /a }, { name: b, mountPath: /b, readOnly: true, subPath: c }]
    - { name: other, image: other }
  volumes:
    - { name: a, persistentVolumeClaim: { claimName: a } }
    - { name: b, configMap: { name: b, defaultMode: 420 } }
    - { name: c, secret: { secretName: c } }
    - { name: d, emptyDir: { sizeLimit: 1Gi } }
    - { name: e, hostPath: { path: /e, type: Directory } }
    - { name: f, nfs: { server: s, path: /f } }`;
const indented = podSpec.replaceAll("\n", "\n    ");
const claimSpec = "{ accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }";
const capacity = "capacity: { storage: 1Gi }, accessModes: [ReadWriteMany, ReadOnlyMany]";

const typical: readonly Manifest[] = parseAllDocuments(`
apiVersion: v1
kind: Pod
metadata: { name: a, namespace: n, labels: { app.kubernetes.io/name: b }, annotations: { a: b } }
spec:${podSpec}
---
apiVersion: v1
kind: Pod
metadata:
  generateName: a-
  ownerReferences: [{ apiVersion: apps/v1, kind: ReplicaSet, name: a, uid: u, controller: true, blockOwnerDeletion: true }]
spec: { containers: [{ name: c, image: b }] }
---
{ apiVersion: v1, kind: Namespace, metadata: { name: a, labels: { a: b } } }
---
{ apiVersion: v1, kind: ServiceAccount, metadata: { name: a } }
---
{ apiVersion: v1, kind: Secret, metadata: { name: a }, type: Opaque, stringData: { a: b } }
---
{ apiVersion: apps/v1, kind: ReplicaSet, metadata: { name: a }, spec: { selector: { matchLabels: { a: b } }, template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: c, image: b }] } } } }
---
{ apiVersion: apps/v1, kind: DaemonSet, metadata: { name: a }, spec: { selector: { matchLabels: { a: b } }, template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: c, image: b }] } } } }
---
{ apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { a.conf: b }, immutable: true }
---
{ apiVersion: v1, kind: Service, metadata: { name: a }, spec: { clusterIP: None, selector: { a: b }, ports: [{ name: http, port: 80, targetPort: http }] } }
---
{ apiVersion: v1, kind: Node, metadata: { name: a }, spec: { providerID: a }, status: { capacity: { cpu: "4", memory: 16Gi, pods: "110" } } }
---
{ apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: a }, spec: { accessModes: [ReadWriteOncePod], storageClassName: fast, volumeMode: Block, resources: { requests: { storage: 10Gi } }, selector: { matchLabels: { a: b }, matchExpressions: [{ key: a, operator: In, values: [b] }] }, dataSource: { kind: VolumeSnapshot, apiGroup: snapshot.storage.k8s.io, name: s } } }
---
{ apiVersion: v1, kind: PersistentVolume, metadata: { name: a, finalizers: [example.com/a] }, spec: { ${capacity}, storageClassName: fast, claimRef: { name: a, namespace: b }, csi: { driver: ebs.csi.aws.com, volumeHandle: h } } }
---
{ apiVersion: v1, kind: PersistentVolume, metadata: { name: a }, spec: { ${capacity}, local: { path: /a }, nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: zone, operator: In, values: [a] }] }] } } } }
---
{ apiVersion: v1, kind: PersistentVolume, metadata: { name: a }, spec: { ${capacity}, storageClassName: "", persistentVolumeReclaimPolicy: Delete, hostPath: { path: /a } } }
---
{ apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, metadata: { name: a }, spec: { volumeSnapshotClassName: fast, source: { persistentVolumeClaimName: a } } }
---
{ apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: { name: a }, provisioner: ebs.csi.aws.com, parameters: { type: gp3 }, volumeBindingMode: Immediate, allowVolumeExpansion: true }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: a }
spec:
  replicas: 2
  strategy: { type: Recreate }
  selector: { matchLabels: { a: b } }
  template:
    metadata: { labels: { a: b } }
    spec:${indented}
        - { name: g, ephemeral: { volumeClaimTemplate: { spec: ${claimSpec} } } }
---
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: a }
spec:
  serviceName: a
  podManagementPolicy: Parallel
  persistentVolumeClaimRetentionPolicy: { whenDeleted: Delete, whenScaled: Retain }
  selector: { matchLabels: { a: b } }
  volumeClaimTemplates: [{ metadata: { name: data }, spec: ${claimSpec} }]
  template:
    metadata: { labels: { a: b } }
    spec: { containers: [{ name: c, image: b, volumeMounts: [{ name: data, mountPath: /data }] }] }
`).map((document) => deepFreeze(document.toJS() as Manifest));

const fields = typical.flatMap((object) => fieldsOf([object]));

/** A cluster with every namespace and nothing else. */
const cluster: ClusterView = {
  get<K extends Kind>(kind: K, _: string | undefined, name: string): KubeObject<K> | undefined {
    return kind === "Namespace" ? ({ kind, metadata: { name } } as KubeObject<K>) : undefined;
  },
  list: () => [],
};

function contextOf(version: KubernetesVersion): RequestContext {
  return { version, cluster, now: "2026-01-01T00:00:00Z" };
}

const served = new Set(typical.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`));

/** True if the object is plain. */
function compare(sent: unknown): boolean {
  const { apiVersion, kind } = sent as Manifest;
  if (!served.has(`${apiVersion} ${kind}`) || !isPlain(kind, sent)) return false;
  for (const version of kubernetesVersions) assertSame(sent, version);
  return true;
}

/** Both answers are those for the same object with an annotation that changes nothing, but makes it not plain. */
function assertSame(sent: unknown, version: KubernetesVersion): void {
  const answer = answerCreate(sent, contextOf(version));
  assert.ok(answer.ok, JSON.stringify(sent));
  const noted = withValue(sent, ["metadata", "annotations", note], "");
  assert.equal(isPlain((sent as Manifest).kind, noted), false);
  const long = answerCreate(deepFreeze(noted), contextOf(version));
  if (!long.ok) assert.fail(`${long.error.message}\n${JSON.stringify(sent)}`);
  assert.deepEqual(long.warnings, [], JSON.stringify(sent));
  assert.deepEqual(answer.object, withoutNote(long.object));
  assert.deepEqual(reviewCreate(sent, contextOf(version)), { ok: true, warnings: [] });
}

const note = "example.com/beta";

/** Removes the annotation, and the empty map that is left. */
function withoutNote(object: Draft): unknown {
  const rest = withValue(object, ["metadata", "annotations", note], undefined);
  const { annotations = {} } = (rest as Draft).metadata;
  return Object.keys(annotations).length > 0
    ? rest
    : withValue(rest, ["metadata", "annotations"], undefined);
}

suite("Plain objects", () => {
  test("include typical objects", () => {
    for (const object of typical) assert.ok(compare(object), object.kind);
  });

  test("get the same answer with any wrong value in any field", () => {
    for (const { object, path } of fields)
      for (const value of wrongValues) compare(deepFreeze(withValue(object, path, value)));
  }).timeout(60_000);

  test("get the same answer with several wrong values", () => {
    const mutation = fc.tuple(fc.nat(fields.length - 1), fc.nat(wrongValues.length - 1));
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 2, maxLength: 4 }), (mutations) => {
        const { object } = fields[mutations[0]?.[0] ?? 0] as Field;
        let sent: unknown = object;
        for (const [index, value] of mutations) {
          const field = fields[index] as Field;
          if (field.object === object) sent = withValue(sent, field.path, wrongValues[value]);
        }
        compare(deepFreeze(sent));
      }),
      { seed: 1, numRuns: 2000 },
    );
  });

  test("share with the client's object what no step completes", () => {
    const [pod] = typical;
    const answer = answerCreate(pod, contextOf("1.36"));
    assert.ok(answer.ok);
    assert.equal(answer.object.metadata.labels, pod?.metadata["labels"]);
  });

  test("have a namespace's Pod Security labels checked both ways", () => {
    const namespace = {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "a", labels: { "pod-security.kubernetes.io/enforce": "strict" } },
    };
    const answer = answerCreate(namespace, contextOf("1.36"));
    assert.ok(!answer.ok && /must be one of privileged/.test(answer.error.message));
    assert.deepEqual(reviewCreate(namespace, contextOf("1.36")), answer);
  });

  test("have limits that admission adds validated", () => {
    const pod = `{ apiVersion: v1, kind: Pod, metadata: { name: a }, spec: { containers: [{ name: c, image: b, resources: { requests: { cpu: "2" } } }] } }`;
    const range = `[{ apiVersion: v1, kind: LimitRange, metadata: { name: r, namespace: default }, spec: { limits: [{ type: Container, default: { cpu: "1" } }] } }]`;
    assert.equal(refusal(create(pod)), "accepted");
    assert.match(refusal(create(pod, clusterOf(range))), /must be less than or equal to cpu limit/);
    const context = { version: "1.36", cluster: clusterOf(range), now: "" } as const;
    assert.equal(reviewCreate(parse(pod), context).ok, false);
  });

  test("have pods checked against the namespace's Pod Security Standard", () => {
    const pod = `{ apiVersion: v1, kind: Pod, metadata: { name: a }, spec: { containers: [{ name: c, image: b }] } }`;
    const namespace = `[{ apiVersion: v1, kind: Namespace, metadata: { name: default, labels: { pod-security.kubernetes.io/enforce: restricted } } }]`;
    const context = { version: "1.36", cluster: clusterOf(namespace), now: "" } as const;
    assert.equal(reviewCreate(parse(pod), context).ok, false);
  });
});
