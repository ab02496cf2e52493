/** Objects that newer rules refuse, but that were stored before, may stay as they are. */
import assert from "node:assert/strict";
import { create, patchStored, refusal } from "./answer.ts";

const pod = (spec: string, annotations = "{}"): string => `
apiVersion: v1
kind: Pod
metadata: { name: p, namespace: default, annotations: ${annotations} }
spec: { containers: [{ name: c, image: b }], ${spec} }`;

const set = (template: string, selector = "matchLabels: { a: b }"): string => `
apiVersion: apps/v1
kind: DaemonSet
metadata: { name: s, namespace: default }
spec:
  selector: { ${selector} }
  template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: c, image: b }], ${template} } }`;

const selecting = (value: string): string =>
  `{ matchExpressions: [{ key: k, operator: NotIn, values: [${value}] }] }`;
const attracted = (value: string): string =>
  `affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: z, labelSelector: ${selecting(value)} }] } }`;
const nodeTerms = (value: string): string => `nodeSelectorTerms: [${selecting(value)}]`;
const placed = (value: string): string =>
  `affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { ${nodeTerms(value)} } } }`;
const spread = (value: string): string =>
  `topologySpreadConstraints: [{ maxSkew: 1, topologyKey: z, whenUnsatisfiable: DoNotSchedule, labelSelector: ${selecting(value)} }]`;
const overhead = (pages: string): string =>
  `overhead: { hugepages-2Mi: ${pages}, cpu: 1 }, runtimeClassName: r`;
const token = (path: string): string =>
  `serviceAccountName: a, volumes: [{ name: t, projected: { sources: [{ serviceAccountToken: { path: ${path} } }] } }]`;
const tuned = "securityContext: { sysctls: [{ name: net.a, value: x }] }";
const devices = `hostUsers: false, volumes: [{ name: d, persistentVolumeClaim: { claimName: d } }],
  initContainers: [{ name: i, image: b, volumeDevices: [{ name: d, devicePath: /d }] }]`;
const volume = (value: string): string => `
apiVersion: v1
kind: PersistentVolume
metadata: { name: v }
spec:
  capacity: { storage: 1Gi }
  accessModes: [ReadWriteOnce]
  hostPath: { path: /v }
  nodeAffinity: { required: { ${nodeTerms(value)} } }`;
const job = (selector: string): string => `
apiVersion: batch/v1
kind: Job
metadata: { name: j, namespace: default }
spec:
  manualSelector: true
  selector: { ${selector} }
  template:
    metadata: { labels: { batch.kubernetes.io/job-name: j, batch.kubernetes.io/controller-uid: u } }
    spec: { restartPolicy: Never, containers: [{ name: c, image: b }] }`;
const budget = (value: string): string => `
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: b, namespace: default }
spec: { minAvailable: 1, selector: ${selecting(value)} }`;
const capacity = (value: string): string => `
apiVersion: storage.k8s.io/v1
kind: CSIStorageCapacity
metadata: { name: c, namespace: default }
storageClassName: s
nodeTopology: ${selecting(value)}`;

/** Changes something else about the object. */
const relabelled = "metadata: { labels: { new: label } }";

suite("A flaw that is older than the rule against it", () => {
  const bad: readonly (readonly [string, string])[] = [
    ["values of selectors among pods", pod(attracted("a b"))],
    ["values of required node affinity", pod(placed("a b"))],
    ["selectors of spread constraints", pod(spread("a b"))],
    ["broken huge pages", pod(overhead("3Mi"))],
    ["paths of tokens that leave their volume", pod(token("../t"))],
    ["sysctls of the host's network", pod(`hostNetwork: true, ${tuned}`)],
    ["devices in a user namespace", pod(devices)],
    [
      "init containers that are restarted for a new size",
      pod(
        "initContainers: [{ name: i, image: b, resizePolicy: [{ resourceName: cpu, restartPolicy: RestartContainer }] }]",
      ),
    ],
    [
      "labels of SELinux that are mounted",
      pod("securityContext: { seLinuxChangePolicy: MountOption }"),
    ],
    [
      "a deletion cost that is no number",
      pod("", "{ controller.kubernetes.io/pod-deletion-cost: x }"),
    ],
    ["the same in a template", set(attracted("a b"))],
    ["a job's own selector", job(selecting("a b").slice(1, -1))],
    ["a budget's selector", budget("a b")],
    ["the affinity of a volume", volume("a b")],
    ["the topology of a capacity", capacity("a b")],
  ];
  for (const [what, yaml] of bad) {
    test(`may stay but not be created: ${what}`, () => {
      assert.notEqual(refusal(create(yaml)), "accepted");
      assert.equal(refusal(patchStored(yaml, relabelled)), "accepted");
    });
  }

  test("must not stay in the selector of another workload", () => {
    const flawed = set("", `matchLabels: { a: b }, ${selecting("a b").slice(1, -1)}`);
    assert.match(refusal(patchStored(flawed, relabelled)), /^spec\.selector\.matchExpressions/);
  });

  test("cannot be introduced into a valid object", () => {
    const wrong = refusal(
      patchStored(set(attracted("x")), `spec: { template: { spec: { ${attracted("a b")} } } }`),
    );
    assert.match(wrong, /labelSelector\.matchExpressions\[0\]\.values\[0\]: Invalid value: "a b"/);
  });

  test("does not excuse other flaws", () => {
    const more = `spec: { template: { spec: { ${placed("a b")} } } }`;
    assert.match(refusal(patchStored(set(spread("a b")), more)), /nodeSelectorTerms/);
  });

  test("may stay in jobs from before 1.27, which have only the short labels", () => {
    const uid = "00000000-0000-0000-0000-000000000000";
    const job = `
apiVersion: batch/v1
kind: Job
metadata: { name: j, namespace: default, uid: ${uid} }
spec:
  selector: { matchLabels: { controller-uid: ${uid} } }
  template:
    metadata: { labels: { controller-uid: ${uid}, job-name: j } }
    spec: { restartPolicy: Never, containers: [{ name: c, image: b }] }`;
    assert.equal(refusal(patchStored(job, relabelled)), "accepted");
  });

  test("causes warnings about snapshots, and errors about what is changed", () => {
    const snapshot = (spec: string): string =>
      `{ apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, metadata: { name: s, namespace: default }, spec: ${spec} }`;
    const one =
      "exactly one of volumeSnapshotContentName and persistentVolumeClaimName must be set";
    const sourceless = snapshot('{ source: {}, volumeSnapshotClassName: "" }');
    const labelled = patchStored(sourceless, relabelled);
    assert.equal(refusal(labelled), "accepted");
    assert.deepEqual(labelled.warnings, [
      `spec.source: Invalid value: ${one}`,
      'spec.volumeSnapshotClassName: Invalid value: "": volumeSnapshotClassName must not be the empty string when set',
    ]);
    const doubled =
      "{ spec: { source: { persistentVolumeClaimName: a, volumeSnapshotContentName: b } } }";
    const refused = patchStored(sourceless, doubled);
    assert.equal(refusal(refused), `spec.source: Invalid value: ${one}`);
    assert.equal(refused.warnings.length, 1);
  });

  test("is not reported if the schema of a custom resource finds it in an unchanged part", () => {
    const content =
      "{ apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotContent, metadata: { name: c }, spec: { deletionPolicy: Keep, driver: d, source: { volumeHandle: h }, volumeSnapshotRef: { name: s, namespace: n } } }";
    assert.equal(refusal(patchStored(content, "{ spec: { driver: e } }")), "accepted");
    assert.match(
      refusal(patchStored(content, "{ spec: { deletionPolicy: Never } }")),
      /^spec\.deletionPolicy: Unsupported value: "Never"/,
    );
    const grant =
      '{ apiVersion: gateway.networking.k8s.io/v1beta1, kind: ReferenceGrant, metadata: { name: g, namespace: default }, spec: { from: [{ group: "", kind: "1", namespace: n }], to: [{ group: "", kind: Secret }] } }';
    assert.equal(
      refusal(patchStored(grant, '{ spec: { to: [{ group: "", kind: Service }] } }')),
      "accepted",
    );
    const from = '{ group: "", kind: "1", namespace: n }';
    assert.match(
      refusal(patchStored(grant, `{ spec: { from: [${from}, ${from}] } }`)),
      /^spec\.from\[0\]\.kind: .*\nspec\.from\[1\]\.kind: /,
    );
  });
});
