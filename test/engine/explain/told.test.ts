/**
 * The full text of verdicts on unusual clusters: headline, message, root, chain and fixes. The golden file shows every change;
 * whether verdicts are true is tested in promises.test.ts and its neighbors.
 */
import { join } from "node:path";
import { RunFacts } from "../../../src/engine/explain/run-facts.ts";
import { dueText, isGood, type Verdict } from "../../../src/engine/explain/verdict.ts";
import { verdicts } from "../../../src/engine/explain/verdicts.ts";
import { checkGolden } from "../../support/golden.ts";
import { withoutUids } from "../../support/object-state.ts";
import { claim, pod, StorageRun, threeZones, twoNodes } from "../../support/storage-run.ts";
import {
  claimOf,
  deployment,
  ephemeralPod,
  job,
  late,
  quota,
  snapshot,
  snapshotClass,
  statefulSet,
  volume,
} from "./told-manifests.ts";

const stop = { type: "driver", name: "d.csi", controller: "down" } as const;
const unplaced = pod.replace("spec:\n", "spec:\n    nodeSelector: { x: y }\n");
const onN1 = pod.replace("spec:\n", "spec:\n    nodeName: n1\n");
const lateClaim = claim.replace("fast", "late");
const ofClass = (name: string): string => claim.replace("fast", name);
const start = (): StorageRun => new StorageRun();
const onTwo = (): StorageRun => new StorageRun({ nodes: twoNodes });
const grown = (run: StorageRun): StorageRun =>
  run.patch("PersistentVolumeClaim", "data", {
    spec: { resources: { requests: { storage: "20Gi" } } },
  });
const bare = (name: string, container = "", spec = ""): string => `
  kind: Pod
  metadata: { name: ${name}, labels: { name: ${name} } }
  spec:
    containers: [{ name: main, ${container} image: busybox${spec.startsWith("volumes") ? ", volumeMounts: [{ name: v, mountPath: /v }]" : ""} }]
    ${spec}
`;
const onHost = (name: string): string =>
  `nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: kubernetes.io/hostname, operator: In, values: [${name}] }] }] } }`;
const apart = (app: string): string =>
  `affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels: { app: ${app} } }, topologyKey: kubernetes.io/hostname }] } }`;
const modes = (claims: string, mode: string): string =>
  claims.replace("ReadWriteOnce]", `${mode}]`);

/** The runs by title, before they settle. */
const runs: Readonly<Record<string, () => StorageRun>> = {
  "no class, no volume, no default class": () => start().apply(claimOf("data", "")).apply(pod),
  "volumes that miss by one thing each": () =>
    start()
      .apply(volume("small", "", '""', "1Mi"))
      .apply(volume("other", "", "manual"))
      .apply(volume("raw", "volumeMode: Block"))
      .apply(modes(volume("many", ""), "ReadOnlyMany"))
      .apply(claimOf("data", '""')),
  "a volume of another label": () =>
    start()
      .apply(volume("pv", ""))
      .apply(claimOf("data", '""', "selector: { matchLabels: { a: b } }")),
  "a class that is not there": () => start().apply(ofClass("fats")).apply(pod),
  "a class without provisioner": () =>
    start()
      .apply(late.replace("d.csi", "kubernetes.io/no-provisioner"))
      .apply(lateClaim)
      .apply(pod),
  "a class of a plugin that is gone": () =>
    start()
      .apply(late.replace("d.csi", "kubernetes.io/rbd").replace(/volumeBinding.*/, ""))
      .apply(lateClaim),
  "a driver that is not there": () =>
    start()
      .apply(late.replace("d.csi", "ebs.csi.aws.con").replace(/volumeBinding.*/, ""))
      .apply(lateClaim),
  "a driver that is stopped": () => start().step(stop).apply(claim).apply(pod),
  "two claims for one volume": () =>
    start()
      .apply(volume("one", ""))
      .apply(claimOf("a", '""', "volumeName: one"))
      .apply(claimOf("b", '""', "volumeName: one")),
  "two claims that name none, and one volume": () =>
    start().apply(volume("one", "")).apply(claimOf("a", '""')).apply(claimOf("b", '""')),
  "a claim that names a volume of others": () =>
    start()
      .apply(volume("one", "claimRef: { name: x, namespace: default }"))
      .apply(claimOf("a", '""', "volumeName: one"))
      .apply(claimOf("b", '""')),
  "a claim that names no volume of this cluster": () =>
    start()
      .apply(claimOf("a", '""', "volumeName: nowhere"))
      .apply(claimOf("b", "fast", "volumeName: nowhere")),
  "a claim whose volume does not suit in several ways": () =>
    start()
      .apply(volume("one", "volumeMode: Block", "manual", "1Mi"))
      .apply(modes(claimOf("a", '""', "volumeName: one"), "ReadWriteMany")),
  "a volume reserved in half, and one for nobody": () =>
    start()
      .apply(volume("half", "claimRef: { namespace: default }"))
      .apply(volume("whole", "claimRef: { name: x, namespace: default }"))
      .apply(volume("free", "")),
  "a volume that was kept": () =>
    start()
      .apply(volume("one", ""))
      .apply(claimOf("a", '""'))
      .settle()
      .delete("PersistentVolumeClaim", "a")
      .settle()
      .apply(claimOf("a", '""'))
      .apply(claimOf("b", '""', "volumeName: one")),
  "a lost volume, made again for nobody and for others": () => {
    const run = start().apply(volume("one", "")).apply(claimOf("a", '""')).settle();
    const bare = { metadata: { finalizers: null } };
    run.delete("PersistentVolume", "one").patch("PersistentVolume", "one", bare).settle();
    return run.apply(volume("one", "claimRef: { name: a, namespace: default, uid: other }"));
  },
  "a lost volume": () => {
    const run = start().apply(volume("one", "")).apply(claimOf("a", '""')).settle();
    const bare = { metadata: { finalizers: null } };
    return run.delete("PersistentVolume", "one").patch("PersistentVolume", "one", bare);
  },
  "storage that nobody can delete": () =>
    start()
      .apply(volume("nfs", "persistentVolumeReclaimPolicy: Delete"))
      .apply(claimOf("a", '""'))
      .settle()
      .delete("PersistentVolumeClaim", "a"),
  "storage that its driver refuses to delete": () => {
    const run = start().apply(claim).settle().fault("DeleteVolume", { code: "INTERNAL", times: 0 });
    return run.delete("PersistentVolumeClaim", "data");
  },
  "a claim that is deleted with its pod, and without": () =>
    onTwo()
      .apply(claim)
      .apply(claimOf("other", "fast"))
      .apply(pod)
      .settle()
      .delete("PersistentVolumeClaim", "data")
      .delete("PersistentVolumeClaim", "other"),
  "a bound volume that is deleted": () => {
    const run = start().apply(claim).settle();
    return run.delete("PersistentVolume", run.list("PersistentVolume")[0]?.metadata.name ?? "");
  },
  "a claim that waits for a pod: none": () => start().apply(late).apply(lateClaim),
  "a claim that waits for a pod: of a Deployment without replicas": () =>
    start().apply(late).apply(lateClaim).apply(deployment("web", "replicas: 0")),
  "a claim that waits for a pod: of a Job that is over": () =>
    start()
      .apply(late)
      .apply(lateClaim)
      .apply(job("activeDeadlineSeconds: 1", "nodeSelector: { x: y }"))
      .advance(20),
  "a claim that waits for a pod: of a suspended Job": () =>
    start().apply(late).apply(lateClaim).apply(job("suspend: true")),
  "a claim that waits for a pod: of a DaemonSet without nodes": () =>
    start()
      .apply(late)
      .apply(lateClaim)
      .apply(
        deployment("web", "", "nodeSelector: { x: y }").replace(
          "kind: Deployment",
          "kind: DaemonSet",
        ),
      ),
  "a claim that waits for a pod: that names its node": () =>
    start().apply(late).apply(lateClaim).apply(onN1),
  "a claim that waits for a pod: that no node takes": () =>
    start().apply(late).apply(lateClaim).apply(unplaced),
  "a driver that refuses modes": () =>
    start()
      .fault("CreateVolume", { code: "INVALID_ARGUMENT", message: "access mode", times: 0 })
      .apply(modes(claimOf("data", "fast"), "ReadWriteMany"))
      .advance(20),
  "a driver that fails": () =>
    start()
      .fault("CreateVolume", { code: "INTERNAL", message: "no", times: 0 })
      .apply(claim)
      .advance(20),
  "a growth that fails, in the controller and on the node": () => {
    const run = start().apply(claim).settle();
    return grown(run.fault("ControllerExpandVolume", { code: "INTERNAL", times: 0 })).advance(20);
  },
  "a growth that is too large": () => {
    const run = start().apply(claim).apply(pod).settle();
    return grown(run.fault("ControllerExpandVolume", { code: "OUT_OF_RANGE", times: 0 })).advance(
      20,
    );
  },
  "a growth of a volume that nobody grows": () =>
    grown(
      start()
        .apply(late)
        .apply(volume("nfs", "", "late"))
        .apply(claimOf("data", "late", "volumeName: nfs"))
        .settle(),
    ),
  "a growth without a pod": () => grown(start().apply(claim).settle()),
  "a copy of a snapshot that is not there": () =>
    new StorageRun({ driver: { snapshots: true } }).apply(
      claimOf(
        "copy",
        "fast",
        "dataSource: { apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: snap }",
      ),
    ),
  "snapshots: without class, claim and driver": () =>
    new StorageRun({ driver: { snapshots: true } })
      .apply(claim)
      .settle()
      .apply(snapshot("classless", "data"))
      .apply(snapshot("claimless", "nowhere", "snaps"))
      .apply(snapshot("driverless", "data", "away"))
      .apply(snapshotClass("snaps"))
      .apply(snapshotClass("away", "away.csi")),
  "snapshots: that nobody takes": () =>
    start()
      .apply(claim)
      .settle()
      .apply(snapshotClass("snaps"))
      .apply(snapshot("snap", "data", "snaps")),
  "pods: a claim that is not there": () => start().apply(pod),
  "pods: each node for its own reason": () =>
    new StorageRun({
      nodes: threeZones.map((node, i) => ({
        ...node,
        isCordoned: i === 0,
        ...(i === 1 && { taints: [{ key: "a", value: "b", effect: "NoSchedule" as const }] }),
      })),
    })
      .apply(claim)
      .apply(
        pod.replace("spec:\n", "spec:\n    nodeSelector: { topology.kubernetes.io/zone: b }\n"),
      ),
  "pods: more than fits": () =>
    start()
      .apply(claim)
      .apply(pod.replace("image: app,", "image: app, resources: { requests: { cpu: 99 } },")),
  "pods: a volume that is elsewhere": () =>
    onTwo()
      .apply(
        volume(
          "far",
          "nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: kubernetes.io/hostname, operator: In, values: [n9] }] }] } }",
        ),
      )
      .apply(claimOf("data", '""'))
      .apply(pod),
  "pods: with gates": () =>
    start()
      .apply(claim)
      .apply(pod.replace("spec:\n", "spec:\n    schedulingGates: [{ name: a/b }]\n")),
  "pods: a name that is taken": () =>
    start().apply(claimOf("web-data", "fast")).settle().apply(ephemeralPod),
  "pods: on a node that is not there": () =>
    start().apply(pod.replace("spec:\n", "spec:\n    nodeName: n9\n")),
  "pods: on a node that does not answer": () =>
    onTwo()
      .apply(claim)
      .apply(onN1)
      .settle()
      .step({ type: "node", name: "n1", kubelet: "down" })
      .advance(60),
  "pods: deleted on a node that does not answer": () =>
    onTwo()
      .apply(claim)
      .apply(onN1)
      .settle()
      .step({ type: "node", name: "n1", kubelet: "down" })
      .advance(60)
      .delete("Pod", "web"),
  "pods: a volume that cannot be attached": () =>
    start()
      .fault("ControllerPublishVolume", { code: "INTERNAL", message: "no", times: 0 })
      .apply(claim)
      .apply(pod)
      .advance(60),
  "pods: a volume that cannot be mounted": () =>
    start()
      .fault("NodeStageVolume", { code: "INTERNAL", message: "no", times: 0 })
      .apply(claim)
      .apply(pod)
      .advance(60),
  "pods: one volume, two nodes": () =>
    onTwo()
      .apply(claim)
      .apply(onN1)
      .settle()
      .apply(onN1.replaceAll("web", "other").replace("n1", "n2")),
  "pods: one claim for one pod": () =>
    start()
      .apply(modes(claimOf("data", "fast"), "ReadWriteOncePod"))
      .apply(pod)
      .settle()
      .apply(pod.replace("name: web", "name: other")),
  "pods: an image that cannot be": () =>
    start().apply(claim).apply(pod.replace("image: app", "image: APP")),
  "pods: a volume of an image that cannot be": () =>
    start().apply(bare("tools", "", "volumes: [{ name: v, image: { reference: TOOLS } }]")),
  "pods: a ConfigMap, a key, a variable that are not there": () =>
    start()
      .apply("kind: ConfigMap\nmetadata: { name: there }\ndata: { a: b }")
      .apply(bare("whole", "", "volumes: [{ name: v, configMap: { name: gone } }]"))
      .apply(
        bare(
          "key",
          "",
          "volumes: [{ name: v, configMap: { name: there, items: [{ key: c, path: c }] } }]",
        ),
      )
      .apply(
        bare(
          "variable",
          "env: [{ name: A, valueFrom: { configMapKeyRef: { name: there, key: c } } }],",
        ),
      )
      .apply(bare("all", "envFrom: [{ secretRef: { name: gone } }],"))
      .advance(60),
  "pods: nodes that have something against them": () =>
    new StorageRun({
      nodes: [{ name: "n1", zone: "a", taints: [{ key: "a", value: "b", effect: "NoSchedule" }] }],
    })
      .apply(bare("taint"))
      .apply(
        bare(
          "port",
          "ports: [{ containerPort: 80, hostPort: 80 }],",
          "tolerations: [{ operator: Exists }]",
        ),
      )
      .settle()
      .apply(
        bare(
          "other",
          "ports: [{ containerPort: 80, hostPort: 80 }],",
          "tolerations: [{ operator: Exists }]",
        ),
      )
      .apply(
        bare(
          "spread",
          "",
          `tolerations: [{ operator: Exists }]
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: rack, whenUnsatisfiable: DoNotSchedule, labelSelector: {} }]`,
        ),
      ),
  "pods: more volumes than a node may have": () =>
    new StorageRun({ nodes: [{ name: "n1", zone: "a", attachLimits: { "d.csi": 1 } }] })
      .apply(claim)
      .apply(pod)
      .settle()
      .apply(claimOf("two", "fast"))
      .apply(pod.replace("name: web", "name: other").replace("claimName: data", "claimName: two")),
  "pods: volumes that lie apart": () =>
    new StorageRun({ nodes: threeZones })
      .apply(volume("a", onHost("n1")))
      .apply(volume("b", onHost("n2"), '""', "6Gi"))
      .apply(claimOf("data", '""', "volumeName: a"))
      .apply(claimOf("more", '""', "volumeName: b"))
      .apply(
        pod.replace(
          "volumes: [",
          "volumes: [{ name: more, persistentVolumeClaim: { claimName: more } }, ",
        ),
      ),
  "pods: a directory that is not there, and a mode in the wrong list": () =>
    start()
      .apply(
        bare("dir", "", "volumes: [{ name: v, hostPath: { path: /no/such, type: Directory } }]"),
      )
      .apply(claimOf("data", "fast", "volumeMode: Block"))
      .apply(pod)
      .advance(150),
  "pods: an attacher that is not there": () =>
    new StorageRun({ driver: { attachRequired: true } })
      .apply("kind: CSIDriver\nmetadata: { name: away.csi }\nspec: { attachRequired: true }")
      .apply(volume("far", "").replace(/nfs:.*/, "csi: { driver: away.csi, volumeHandle: h }"))
      .apply(claimOf("data", '""'))
      .apply(pod)
      .advance(150),
  "pods: one claim, a DaemonSet": () =>
    onTwo()
      .apply(claim)
      .apply(deployment("web", "").replace("kind: Deployment", "kind: DaemonSet"))
      .advance(60),
  "pods: one claim, two replicas": () =>
    onTwo()
      .apply(claim)
      .apply(deployment("web", "replicas: 2", apart("web")))
      .advance(60),
  "pods: an end in error, and one for good": () =>
    start()
      .apply(bare("again", "command: [sh, -c, exit 3],"))
      .apply(bare("never", "command: [sh, -c, exit 3],", "restartPolicy: Never"))
      .advance(100),
  "attributes: a class that is not there, and one that is refused": () => {
    const gold =
      "kind: VolumeAttributesClass\nmetadata: { name: gold }\ndriverName: d.csi\nparameters: { a: b }";
    const run = new StorageRun({ driver: { modify: true } }).apply(gold).apply(claim);
    run.apply(claimOf("other", "fast")).settle();
    run.fault("ControllerModifyVolume", { code: "INVALID_ARGUMENT", message: "no", times: 0 });
    return run
      .patch("PersistentVolumeClaim", "data", { spec: { volumeAttributesClassName: "silver" } })
      .patch("PersistentVolumeClaim", "other", { spec: { volumeAttributesClassName: "gold" } })
      .advance(30);
  },
  "attributes: a driver that changes none": () => {
    const gold =
      "kind: VolumeAttributesClass\nmetadata: { name: gold }\ndriverName: d.csi\nparameters: { a: b }";
    return start()
      .apply(gold)
      .apply(claim)
      .settle()
      .patch("PersistentVolumeClaim", "data", { spec: { volumeAttributesClassName: "gold" } });
  },
  "workloads: a CronJob whose schedule never matches": () =>
    start()
      .apply(claim.replace("fast", "late"))
      .apply(late)
      .apply(`
      kind: CronJob
      metadata: { name: c }
      spec:
        schedule: "0 0 30 2 *"
        jobTemplate:
          spec:
            template:
              spec:
                restartPolicy: Never
                containers: [{ name: main, image: app }]
                volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `),
  "workloads: a pod that has a set's name": () =>
    start().apply(bare("db-0")).settle().apply(statefulSet("db", "1Gi")),
  "workloads: old pods that somebody has to delete": () => {
    const set = statefulSet("db", "1Gi").replace(
      "serviceName",
      "updateStrategy: { type: OnDelete }\n    serviceName",
    );
    return start().apply(set).settle().apply(set.replace("image: app", "image: other"));
  },
  "workloads: a roll-out that two volumes' nodes forbid": () =>
    onTwo()
      .apply(claim)
      .apply(deployment("web", "", apart("web")))
      .settle()
      .apply(deployment("web", "", apart("web")).replace("image: app", "image: other"))
      .advance(60),
  "workloads: a level of security": () =>
    start()
      .apply(
        "kind: Namespace\nmetadata: { name: default, labels: { pod-security.kubernetes.io/enforce: restricted } }",
      )
      .apply(claim)
      .apply(deployment("web", "")),
  "workloads: paused": () => start().apply(claim).apply(deployment("web", "paused: true")),
  "workloads: a quota": () => start().apply(quota).settle().apply(statefulSet("db", "2Gi")),
  "workloads: a template mended, and a pod that is not": () =>
    start()
      .apply(statefulSet("db", "1Gi", "nodeSelector: { x: y }"))
      .settle()
      .apply(statefulSet("db", "1Gi")),
  "workloads: a Job that took too long": () =>
    start().apply(claim).apply(job("activeDeadlineSeconds: 5")).advance(60),
  "workloads: a Job that gave up": () =>
    start()
      .apply(claim)
      .apply(job("backoffLimit: 0", "", "image: busybox, command: [sh, -c, exit 3]"))
      .advance(60),
  "workloads: a Job that gave up, and whose pod is gone": () =>
    start()
      .apply(claim)
      .apply(
        job("backoffLimit: 1", "", "image: busybox, command: [sh, -c, exit 3]").replace(
          "Never",
          "OnFailure",
        ),
      )
      .advance(600),
  "workloads: no ReplicaSet is let in": () =>
    start()
      .apply(quota.replace("requests.storage: 1Gi", "count/replicasets.apps: 0"))
      .apply(claim)
      .settle()
      .apply(deployment("web", ""))
      .advance(3600),
  "a volume to be emptied, whose claim's name a pod has": () =>
    start()
      .apply(volume("v", "persistentVolumeReclaimPolicy: Recycle", "manual"))
      .apply(ofClass("manual"))
      .settle()
      .delete("PersistentVolumeClaim", "data")
      .apply(pod),
  "a bound volume that has forgotten its claim's uid": () =>
    start()
      .apply(volume("v", "", "manual"))
      .apply(ofClass("manual"))
      .settle()
      .patch("PersistentVolume", "v", { spec: { claimRef: { uid: null } } }),
  "a claim that is deleted, and a pod that has ended": () =>
    start()
      .apply(claim)
      .apply(job("", "", "image: busybox, command: [sh, -c, exit 0]"))
      .advance(60)
      .delete("PersistentVolumeClaim", "data"),
  "an attachment by hand, of a volume that is not there": () =>
    start().apply(`
      kind: VolumeAttachment
      metadata: { name: by-hand }
      spec: { attacher: far.csi, nodeName: n1, source: { persistentVolumeName: nowhere } }
    `),
  "pods: a preference that nobody can read": () =>
    onTwo()
      .apply(claim)
      .apply(
        pod.replace(
          "spec:\n",
          "spec:\n    affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: { matchExpressions: [{ key: x, operator: In, values: [b c] }] } }] } }\n",
        ),
      ),
  "a claim that is deleted while a workload uses it and wants more pods": () =>
    start()
      .apply(claim)
      .apply(deployment("web", ""))
      .settle()
      .delete("PersistentVolumeClaim", "data")
      .settle()
      .patch("Deployment", "web", { spec: { replicas: 2 } }),
  "a growth whose pod only lists the claim": () =>
    grown(
      start()
        .apply(claim)
        .apply(pod.replace(/,? *volumeMounts: \[[^\]]*\]/, ""))
        .settle(),
    ),
};

function printed(verdict: Verdict): readonly string[] {
  const { ref, kind, headline, reason, message, root, chain, fixes } = verdict;
  const due = dueText(verdict);
  const title = `${ref} ${kind}: ${headline}${due === undefined ? "" : ` (${due})`}`;
  if (isGood(verdict)) return [title];
  return [
    title,
    ...(message === undefined ? [] : [`  says ${reason ?? ""}: ${message}`]),
    ...(root === undefined ? [] : [`  at ${root.ref} ${root.field ?? ""}`.trimEnd()]),
    ...chain.slice(1).map((link) => `  via ${link.ref} ${link.text}`),
    ...fixes.map(({ text, at, value, doing }) => {
      const where = at === undefined ? "" : ` [${at.ref} ${at.field ?? ""}]`;
      const what = value === undefined ? "" : ` = ${JSON.stringify(value)}`;
      return `  try ${text}${where}${what}${doing === undefined ? "" : ` (${doing})`}`;
    }),
  ];
}

function told(run: StorageRun): string {
  const { trace } = run.settle().simulation;
  const objects = [...new RunFacts(trace).objects.values()];
  return verdicts(trace)
    .filter(({ ref, kind }) => kind !== "healthy" && !ref.startsWith("ReplicaSet/"))
    .flatMap(printed)
    .map((line) => withoutUids(line, objects))
    .join("\n");
}

suite("all texts of verdicts", () => {
  test("on unusual clusters", () => {
    const text = Object.entries(runs)
      .map(([title, run]) => `# ${title}\n${told(run())}\n`)
      .join("\n");
    checkGolden(join(import.meta.dirname, "told.txt"), text);
  });
});
