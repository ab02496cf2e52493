import assert from "node:assert/strict";
import { findingsOf } from "../../support/findings.ts";
import { checkDiagnostics, loadFixture } from "../../support/language-features.ts";
import { readFixture } from "../../support/markers.ts";
import { memoryUri } from "../../support/memory-workspace.ts";

/** A claim of a class of EBS disks. */
const claim = (name: string, mode: string, storageClass = "gp3"): string => `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: ${name} }
      spec: { storageClassName: ${storageClass}, accessModes: [${mode}], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: gp3 }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: WaitForFirstConsumer
      ---`;

const workload = (kind: string, name: string, spec: string): string => `
      apiVersion: ${kind === "CronJob" || kind === "Job" ? "batch/v1" : "apps/v1"}
      kind: ${kind}
      metadata: { name: ${name} }
      spec:
        ${spec}
        ${kind === "Job" ? "" : `selector: { matchLabels: { app: ${name} } }`}
        template:
          metadata: { labels: { app: ${name} } }
          spec:
            ${kind === "Job" ? "restartPolicy: Never" : ""}
            containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
            volumes:
              - name: data`;

suite("claims for one node or one pod", () => {
  test("a rolling update of one pod with a disk can block itself", () =>
    checkDiagnostics(`${claim("disk", "ReadWriteOnce")}${workload("Deployment", "web", "replicas: 1")}
                persistentVolumeClaim: { claimName: disk }
      #                                             ^^^^ rolling-update-rwo: The new Pod may land on another node
    `));

  test("an explicit strategy is reported at its own line", () =>
    checkDiagnostics(`${claim("disk", "ReadWriteOncePod")}
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web }
      spec:
        strategy: { type: RollingUpdate }
      #                   ^^^^^^^^^^^^^ rolling-update-rwop: The new Pod cannot start while the old one exists
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec:
            containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
            volumes: [{ name: data, persistentVolumeClaim: { claimName: disk } }]
    `));

  test("Recreate is offered unless the strategy has settings for rolling updates", async () => {
    const fixOf = async (strategy: string): Promise<unknown> => {
      const text = `
      #- all.yaml${claim("disk", "ReadWriteOnce")}${workload("Deployment", "web", strategy)}
                persistentVolumeClaim: { claimName: disk }
      `;
      const service = await loadFixture(readFixture(text), false);
      const finding = findingsOf(service, memoryUri("all.yaml")).find(
        ({ code }) => code === "rolling-update-rwo",
      );
      assert.ok(finding !== undefined);
      return finding.fix?.title;
    };
    assert.equal(await fixOf("strategy: { type: RollingUpdate }"), "Set the strategy to Recreate");
    assert.equal(await fixOf("strategy: { rollingUpdate: { maxSurge: 1 } }"), undefined);
  });

  test("a Deployment without maxSurge, or with strategy Recreate, has no finding", () =>
    checkDiagnostics(`${claim("disk", "ReadWriteOnce")}${workload("Deployment", "web", "strategy: { type: RollingUpdate, rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }")}
                persistentVolumeClaim: { claimName: disk }
    `));

  for (const maxUnavailable of ["1", "100%"])
    test(`a Deployment with maxUnavailable ${maxUnavailable} ends the old pod at once and has no finding`, () =>
      checkDiagnostics(`${claim("disk", "ReadWriteOnce")}${workload("Deployment", "web", `strategy: { type: RollingUpdate, rollingUpdate: { maxSurge: 1, maxUnavailable: ${maxUnavailable} } }`)}
                persistentVolumeClaim: { claimName: disk }
    `));

  test("maxUnavailable 25% of one pod is zero, so that the old pod stays", () =>
    checkDiagnostics(`${claim("disk", "ReadWriteOnce")}${workload("Deployment", "web", "strategy: { rollingUpdate: { maxUnavailable: 25% } }")}
                persistentVolumeClaim: { claimName: disk }
      #                                             ^^^^ rolling-update-rwo: The new Pod may land on another node
    `));

  test("replicas on several nodes cannot share a disk", () =>
    checkDiagnostics(`${claim("disk", "ReadWriteOnce")}${workload("Deployment", "web", "replicas: 3")}
                persistentVolumeClaim: { claimName: disk }
      #                                             ^^^^ rwo-replicas: ReadWriteOnce allows one node
    `));

  test("replicas cannot share a disk if a missing class provisions disks, which is only assumed", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      profile: generic
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: disk }
      spec: { storageClassName: theirs, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      #                         ^^^^^^ pvc-class-missing:
      ---${workload("Deployment", "web", "replicas: 3")}
                persistentVolumeClaim: { claimName: disk }
      #                                             ^^^^ rwo-replicas: ReadWriteOnce allows one node; where the cluster's class makes disks
      ---${workload("Deployment", "single", "replicas: 1")}
                persistentVolumeClaim: { claimName: disk }
    `));

  test("replicas whose claim may get a volume in the files have no finding", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      profile: generic
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: share }
      spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /x } }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: disk }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---${workload("Deployment", "web", "replicas: 3")}
                persistentVolumeClaim: { claimName: disk }
    `));

  test("replicas that run on one node may share a disk", () =>
    checkDiagnostics(`${claim("disk", "ReadWriteOnce")}${workload("Deployment", "web", "replicas: 3")}
                persistentVolumeClaim: { claimName: disk }
            nodeSelector: { kubernetes.io/hostname: node-1 }
      #                                             ^^^^^^ affinity-node-unknown: 
    `));

  test("a share may be mounted on every node", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: share }
      provisioner: nfs.csi.k8s.io
      #            ^^^^^^^^^^^^^^ provisioner-unknown:
      parameters: { server: s, share: /x }
      ---${claim("data", "ReadWriteOnce", "share")}${workload("Deployment", "web", "replicas: 3")}
                persistentVolumeClaim: { claimName: data }
    `));

  test("a ReadWriteOncePod claim cannot serve two pods", () =>
    checkDiagnostics(`${claim("disk", "ReadWriteOncePod")}${workload("Deployment", "web", "replicas: 2")}
                persistentVolumeClaim: { claimName: disk }
      #                                             ^^^^ rwop-replicas: Only one Pod may use the claim; the others stay Pending
    `));

  test("a DaemonSet cannot use one disk on all nodes", () =>
    checkDiagnostics(`${claim("disk", "ReadWriteOnce")}${workload("DaemonSet", "agent", "")}
                persistentVolumeClaim: { claimName: disk }
      #                                             ^^^^ daemonset-rwo: One Pod per node cannot share a single-node volume
    `));

  test("on a cluster with one node, pods may share a disk", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: Node
      metadata: { name: only }
      ---${claim("disk", "ReadWriteOnce")}${workload("DaemonSet", "agent", "")}
                persistentVolumeClaim: { claimName: disk }
      ---${workload("Job", "import", "parallelism: 3")}
                persistentVolumeClaim: { claimName: disk }
      ---${workload("Deployment", "web", "replicas: 2")}
                persistentVolumeClaim: { claimName: disk }
    `));

  test("parallel pods of a Job need a claim for several nodes", () =>
    checkDiagnostics(`${claim("disk", "ReadWriteOnce")}${workload("Job", "import", "parallelism: 3")}
                persistentVolumeClaim: { claimName: disk }
      #                                             ^^^^ job-parallel-rwo: ReadWriteOnce allows one node
    `));

  test("runs of a CronJob may overlap unless it forbids that", () =>
    checkDiagnostics(`${claim("disk", "ReadWriteOnce")}
      apiVersion: batch/v1
      kind: CronJob
      metadata: { name: backup }
      spec:
        schedule: "* * * * *"
        jobTemplate:
          spec:
            template:
              spec:
                restartPolicy: Never
                containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
                volumes: [{ name: data, persistentVolumeClaim: { claimName: disk } }]
      #                                                                     ^^^^ cronjob-concurrent-rwo: Overlapping runs
    `));

  test("replicas of a StatefulSet do not get a volume each by naming a claim", () =>
    checkDiagnostics(`${claim("disk", "ReadWriteOnce")}${workload("StatefulSet", "db", "replicas: 2")}
                persistentVolumeClaim: { claimName: disk }
      #                                             ^^^^ statefulset-direct-claim: All replicas share this one volume
    `));

  test("the finding at a second workload with a disk names the first", () =>
    checkDiagnostics(`${claim("disk", "ReadWriteOnce")}${workload("Deployment", "web", "strategy: { type: Recreate }")}
                persistentVolumeClaim: { claimName: disk }
      ---${workload("Deployment", "worker", "strategy: { type: Recreate }")}
                persistentVolumeClaim: { claimName: disk }
      #                                             ^^^^ shared-rwo-claim: Both this workload and Deployment web must run on the same node
    `));

  test("a workload defined by two files does not share its disk with itself", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      rules: { duplicate-object: off }
      #- east.yaml${claim("disk", "ReadWriteOnce")}${workload("Deployment", "web", "strategy: { type: Recreate }")}
                persistentVolumeClaim: { claimName: disk }
      #- west.yaml${workload("Deployment", "web", "strategy: { type: Recreate }")}
                persistentVolumeClaim: { claimName: disk }
    `));

  test("the finding about pods that an autoscaler creates links to their number", async () => {
    const autoscaler = `
      ---
      apiVersion: autoscaling/v2
      kind: HorizontalPodAutoscaler
      metadata: { name: web }
      spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }, maxReplicas: 3 }
`;
    const text = `
      #- all.yaml${claim("data", "ReadWriteOnce")}${workload("Deployment", "web", "minReadySeconds: 1")}
                persistentVolumeClaim: { claimName: data }${autoscaler}`;
    const service = await loadFixture(readFixture(text), false);
    const finding = findingsOf(service, memoryUri("all.yaml")).find(
      ({ code }) => code === "rwo-replicas",
    );
    assert.equal(
      finding?.related?.at(-1)?.message,
      "An autoscaler may create up to this many pods",
    );
  });
});
