/** Verdicts on objects that wait: for what, until when, and whether somebody has to act. */
import assert from "node:assert/strict";
import { refOf } from "../../../src/engine/api/meta.ts";
import { RunFacts } from "../../../src/engine/explain/run-facts.ts";
import { dueText, type Verdict } from "../../../src/engine/explain/verdict.ts";
import { verdictOn, verdicts } from "../../../src/engine/explain/verdicts.ts";
import type { Trace } from "../../../src/engine/trace/trace.ts";
import { claim, StorageRun, twoNodes } from "../../support/storage-run.ts";

const pod = (name: string, node = ""): string => `
  kind: Pod
  metadata: { name: ${name} }
  spec:
    ${node === "" ? "" : `nodeName: ${node}`}
    containers: [{ name: main, image: app, volumeMounts: [{ name: v, mountPath: /v }] }]
    volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
`;
const bound = (driver = {}): StorageRun => new StorageRun({ driver }).apply(claim).settle().mark();
const grow = (run: StorageRun, size: string): StorageRun =>
  run.patch("PersistentVolumeClaim", "data", {
    spec: { resources: { requests: { storage: size } } },
  });
const wish = (run: StorageRun, name: string): StorageRun =>
  run.patch("PersistentVolumeClaim", "data", { spec: { volumeAttributesClassName: name } });
const stop = (run: StorageRun): StorageRun =>
  run.step({ type: "driver", name: "d.csi", controller: "down" });

function judged(run: StorageRun, ref: RegExp): Verdict {
  const verdict = verdicts(run.simulation.trace).find((v) => ref.test(v.ref));
  assert.ok(verdict !== undefined, `no verdict on ${ref}`);
  return verdict;
}

/** The verdicts on matching objects in their state after entry `seq`. */
function judgedAt(trace: Trace, seq: number, ref: RegExp): readonly Verdict[] {
  const facts = new RunFacts(trace, seq);
  return [...facts.objects.values()].flatMap((object) =>
    ref.test(refOf(object)) ? (verdictOn(facts, object) ?? []) : [],
  );
}

function line(run: StorageRun, ref: RegExp): string {
  const verdict = judged(run, ref);
  const due = dueText(verdict);
  const uid = /pvc-[0-9a-f-]{36}/g;
  return `${verdict.kind}: ${verdict.headline.replaceAll(uid, "PV")}${due === undefined ? "" : ` (${due})`}`;
}

function fix(run: StorageRun, ref: RegExp): string {
  const [first] = judged(run, ref).fixes;
  assert.ok(first !== undefined, `nothing helps ${ref}`);
  return first.text;
}

/** A claim that waits for its first pod, after its class. */
const late = `
  kind: StorageClass
  metadata: { name: late }
  provisioner: d.csi
  volumeBindingMode: WaitForFirstConsumer
  ---
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec: { storageClassName: late }
`;

const data = /^PersistentVolumeClaim\/default\/data$/;
const volume = /^PersistentVolume\//;
const attachment = /^VolumeAttachment\//;
const snapshot = /^VolumeSnapshot\//;

suite("verdict on a claim that nobody can change any more", () => {
  const pending = `
    kind: PersistentVolumeClaim
    metadata: { name: data }
    spec:
      accessModes: [ReadWriteOnce]
      storageClassName: manual
      resources: { requests: { storage: 5Gi } }
  `;
  const fitting = `
    kind: PersistentVolume
    metadata: { name: v }
    spec:
      capacity: { storage: 5Gi }
      accessModes: [ReadWriteOnce]
      storageClassName: manual
      hostPath: { path: /mnt }
  `;

  test("blames the LimitRange newer than the claim, which no event does", () => {
    const limits = `
      kind: LimitRange
      metadata: { name: small }
      spec: { limits: [{ type: PersistentVolumeClaim, max: { storage: 4Gi } }] }
    `;
    const run = new StorageRun().apply(pending).apply(limits).apply(fitting).settle();
    assert.equal(
      line(run, data),
      "fails: stays Pending: the API server refuses the controller's changes of it",
    );
    assert.match(
      judged(run, data).message ?? "",
      /maximum storage usage .* is 4Gi, but request is 5Gi$/,
    );
    run.delete("LimitRange", "small").settle();
    assert.match(line(run, data), /^healthy: is bound to/);
  });

  test("blames it as well if the scheduler would write to the claim", () => {
    const limits = `
      kind: LimitRange
      metadata: { name: small }
      spec: { limits: [{ type: PersistentVolumeClaim, max: { storage: 512Mi } }] }
    `;
    const run = new StorageRun().apply(late).apply(limits).apply(pod("web")).settle();
    assert.equal(
      line(run, data),
      "fails: stays Pending: the API server refuses the scheduler's changes of it",
    );
  });

  test("says that a kept volume loses all of its claimRef, or only the uid for a claim of the same name", () => {
    const reserved = (name: string): string => `
      kind: PersistentVolume
      metadata: { name: kept }
      spec:
        accessModes: [ReadWriteOnce]
        capacity: { storage: 1Gi }
        nfs: { server: nas, path: /kept }
        claimRef: { namespace: default, name: ${name}, uid: of-before }
      ---
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: "", volumeName: kept }
    `;
    for (const [name, field] of [
      ["other", "spec.claimRef"],
      ["data", "spec.claimRef.uid"],
    ] as const) {
      const run = new StorageRun().apply(reserved(name)).settle();
      const [fix] = judged(run, data).fixes;
      assert.deepEqual([fix?.at?.field, fix?.value], [field, null], name);
      const spec = name === "data" ? { claimRef: { uid: null } } : { claimRef: null };
      run.patch("PersistentVolume", "kept", { spec }).settle();
      assert.equal(judged(run, data).kind, "healthy", name);
    }
  });

  test("does not use the events of an earlier claim of the name", () => {
    const run = new StorageRun()
      .apply(`
        kind: PersistentVolume
        metadata: { name: reserved }
        spec:
          accessModes: [ReadWriteOnce]
          capacity: { storage: 1Gi }
          nfs: { server: nas, path: /reserved }
          claimRef: { namespace: default, name: other }
        ---
        kind: PersistentVolumeClaim
        metadata: { name: data }
        spec: { storageClassName: "", volumeName: reserved }
      `)
      .settle();
    assert.match(
      line(run, data),
      /^stuck: .* volume "reserved" is reserved for claim default\/other$/,
    );
    run.delete("PersistentVolumeClaim", "data").settle().apply(late);
    const { trace } = run.simulation;
    const made = trace.entries.findLast(
      (entry) => entry.type === "write" && data.test(entry.ref) && entry.before === undefined,
    );
    const [verdict] = judgedAt(trace, made?.seq ?? 0, data);
    assert.equal(verdict?.kind, "will-happen");
  });
});

suite("verdict on a pod whose volume stays with a pod on a lost node", () => {
  test("blames the node, for the new pod as for the old one", () => {
    const run = new StorageRun({ nodes: twoNodes })
      .apply(claim)
      .apply(pod("old", "n1"))
      .settle()
      .step({ type: "node", name: "n1", kubelet: "down" })
      .advance(60)
      .delete("Pod", "old")
      .apply(pod("new", "n2"))
      .advance(600);
    const verdict = judged(run, /^Pod\/default\/new$/);
    assert.match(verdict.message ?? "", /Multi-Attach error .* used by pod\(s\) old$/);
    assert.equal(
      `${verdict.kind}: ${verdict.headline}`.replace(/pvc-[0-9a-f-]{36}/, "PV"),
      'waits-for-you: waits on n2 for volume "PV", which pod "old" keeps',
    );
    assert.equal(verdict.root?.ref, "Node//n1");
    assert.match(
      fix(run, /^Pod\/default\/new$/),
      /^taint the node node.kubernetes.io\/out-of-service/,
    );
  });
});

suite("verdict on a pod that is created while no node is healthy", () => {
  test("blames the node, not the pod's tolerations", () => {
    const run = bound()
      .step({ type: "node", name: "n1", kubelet: "down" })
      .advance(120)
      .apply(pod("web"))
      .settle();
    const verdict = judged(run, /^Pod\//);
    assert.match(
      verdict.headline,
      /it does not tolerate node.kubernetes.io\/unreachable:NoSchedule$/,
    );
    assert.equal(verdict.root?.ref, "Node//n1");
    assert.equal(
      fix(run, /^Pod\//),
      "bring a node back: Kubernetes takes this taint away when the node is well",
    );
  });
});

suite("verdict on a claim whose volume cannot be made", () => {
  test("offers classes that make volumes, in the field that names the claim's class", () => {
    const local = `
      kind: StorageClass
      metadata: { name: local }
      provisioner: kubernetes.io/no-provisioner
    `;
    const fixesOf = (text: string): readonly unknown[][] =>
      judged(new StorageRun().apply(local).apply(text).settle(), data).fixes.map(
        ({ at, value }) => [at?.field, value],
      );
    assert.deepEqual(fixesOf(claim.replace("fast", "quick")), [
      ["spec.storageClassName", "fast"],
      [undefined, undefined],
    ]);
    const annotation = "volume.beta.kubernetes.io/storage-class";
    const old = claim.replace("name: data", `name: data, annotations: { ${annotation}: quick }`);
    assert.deepEqual(fixesOf(old)[0], [`metadata.annotations[${annotation}]`, "fast"]);
    // No provisioner makes volumes of class "local", but its name is the nearest.
    assert.deepEqual(fixesOf(claim.replace("fast", "locl"))[0], ["spec.storageClassName", "local"]);
  });

  test("offers no class whose driver makes no volume that large, nor one for buckets", () => {
    const gp3 = (size: string): readonly unknown[] =>
      judged(
        new StorageRun()
          .apply("kind: StorageClass\nmetadata: { name: gp3 }\nprovisioner: ebs.csi.aws.com")
          .apply(
            "kind: StorageClass\nmetadata: { name: quick }\nprovisioner: rook-ceph.ceph.rook.io/bucket",
          )
          .apply(claim.replace("fast", `quik, resources: { requests: { storage: ${size} } }`))
          .settle(),
        data,
      ).fixes.flatMap(({ value }) => (value === "fast" || value === undefined ? [] : [value]));
    assert.deepEqual(gp3("1Ti"), ["gp3"]);
    assert.deepEqual(gp3("900Ti"), []);
  });

  test("says that the class makes buckets, and that the claim names the wrong one", () => {
    const verdict = judged(
      new StorageRun()
        .apply(
          "kind: StorageClass\nmetadata: { name: bucket }\nprovisioner: rook-ceph.ceph.rook.io/bucket",
        )
        .apply(claim.replace("fast", "bucket"))
        .settle(),
      data,
    );
    assert.equal(
      verdict.headline,
      'stays Pending: "rook-ceph.ceph.rook.io/bucket" makes buckets for ObjectBucketClaims, and no volumes',
    );
    assert.equal(verdict.root?.field, "spec.storageClassName");
  });

  test("fails, though no event says so, if the API server refuses the volume that was made", () => {
    const run = new StorageRun({ driver: { volumeHandle: "" } }).apply(claim).advance(60);
    const { kind, headline, message } = judged(run, data);
    assert.deepEqual(
      [kind, headline],
      ["fails", "stays Pending: the API server refuses the volume that d.csi made for it"],
    );
    assert.match(message ?? "", /^PersistentVolume "pvc-.*" is invalid: .*: Required value/);
  });

  test("is advised to create a volume if the class's provisioner stands for volumes made by hand", () => {
    const run = new StorageRun()
      .apply("kind: StorageClass\nmetadata: { name: hand }\nprovisioner: manual")
      .apply(claim.replace("fast", "hand"))
      .settle();
    assert.equal(
      fix(run, data),
      "create a PersistentVolume that fits, or use a class whose driver runs",
    );
  });

  test("is the same after hours, when most events about the claim are dropped", () => {
    const run = new StorageRun().fault("CreateVolume", { code: "InvalidArgument", times: 0 });
    run.apply(claim).advance(60);
    const early = line(run, data).replace(/ \(.*/, "");
    assert.match(early, /^fails: /);
    for (let hour = 1; hour <= 6; hour++) {
      run.advance(3600);
      assert.equal(line(run, data).replace(/ \(.*/, ""), early);
    }
  });
});

suite("verdict on a Job", () => {
  const failing = `
    kind: Job
    metadata: { name: once }
    spec:
      backoffLimit: 0
      template:
        spec:
          restartPolicy: OnFailure
          containers: [{ name: main, image: app, command: [sh, -c, exit 1] }]
  `;
  const early = `
    kind: Job
    metadata: { name: once }
    spec:
      completions: 2
      parallelism: 1
      completionMode: Indexed
      successPolicy: { rules: [{ succeededIndexes: "0" }] }
      template:
        spec:
          restartPolicy: Never
          containers: [{ name: main, image: app, command: [sh, -c, exit 0] }]
  `;

  test("that gave up has failed, though its pods are gone", () => {
    const run = new StorageRun().apply(failing).settle();
    assert.deepEqual(run.list("Pod"), []);
    assert.equal(line(run, /^Job\//), "fails: has failed");
    assert.equal(judged(run, /^Job\//).message, "Job has reached the specified backoff limit");
    assert.equal(judged(run, /^Job\//).root?.field, "spec.template.spec.restartPolicy");
    assert.match(fix(run, /^Job\//), /to Never: failed pods then remain/);
  });

  test("that ran for too long blames its deadline", () => {
    const slow = failing.replace("backoffLimit: 0", "activeDeadlineSeconds: 5");
    const run = new StorageRun().apply(slow.replace("exit 1", "sleep 100")).settle();
    assert.equal(line(run, /^Job\//), "fails: has failed");
    assert.equal(judged(run, /^Job\//).root?.field, "spec.activeDeadlineSeconds");
  });

  test("ended early by its success policy is complete", () => {
    const run = new StorageRun().apply(early).settle();
    assert.equal(line(run, /^Job\//), "healthy: is complete: Matched rules at index 0");
  });

  test("that is suspended waits, and names the field", () => {
    const run = new StorageRun().apply(`
      kind: Job
      metadata: { name: import }
      spec:
        suspend: true
        template:
          spec:
            restartPolicy: Never
            containers: [{ name: main, image: app }]
    `);
    const job = /^Job\//;
    assert.equal(line(run.settle(), job), "waits-for-you: is suspended");
    assert.equal(judged(run, job).root?.field, "spec.suspend");
  });

  const withSpec = (field: string): StorageRun =>
    new StorageRun().apply(`
      kind: Job
      metadata: { name: import }
      spec:
        ${field}
        template:
          spec:
            restartPolicy: Never
            containers: [{ name: main, image: app }]
    `);

  test("with parallelism 0 makes no pods until somebody raises it", () => {
    const run = withSpec("parallelism: 0").settle();
    assert.equal(line(run, /^Job\//), "waits-for-you: makes no pods: its parallelism is 0");
    assert.equal(judged(run, /^Job\//).root?.field, "spec.parallelism");
  });

  test("of another controller makes no promise", () => {
    assert.equal(
      line(withSpec("managedBy: example.com/queue").settle(), /^Job\//),
      "will-happen: is left to example.com/queue, of which nothing is known here",
    );
  });
});

suite("verdict on a claim that requests more", () => {
  test("waits for a pod if the node takes part, and then for the kubelet", () => {
    const run = grow(bound(), "2Gi").settle();
    assert.equal(
      line(run, data),
      "waits-for-you: grows to 2Gi on the node, and waits for a pod that uses it; none does",
    );
    const mounted = grow(bound().apply(pod("web")).settle(), "2Gi").advance(5);
    assert.equal(
      line(mounted, data),
      'will-happen: grows to 2Gi on n1 at the next look at pod "web"',
    );
    assert.equal(line(mounted.advance(120), data).startsWith("healthy"), true);
    const ended = pod("web").replace(
      "containers: [{ ",
      "restartPolicy: Never\n    containers: [{ command: [sh, -c, exit 0], ",
    );
    const late = grow(bound().apply(ended).settle(), "2Gi").settle();
    assert.equal(
      line(late, data),
      "waits-for-you: grows to 2Gi on the node, and waits for a pod that uses it; none does",
    );
  });

  test("fails if the driver refuses, and an infeasible size is retried five minutes later", () => {
    const run = grow(bound({ maxSize: "16Ti" }), "20Ti").advance(60);
    assert.match(
      line(run, data),
      /^fails: is 1Gi, and cannot grow to 20Ti \(tried again within 4 min \d\d? s\)$/,
    );
    assert.match(judged(run, data).message ?? "", /above the maximum 16Ti$/);
  });

  test("of a volume without a driver is stuck, and advises to make another volume", () => {
    const run = new StorageRun().apply(`
      kind: StorageClass
      metadata: { name: manual }
      provisioner: kubernetes.io/no-provisioner
      allowVolumeExpansion: true
      ---
      kind: PersistentVolume
      metadata: { name: v }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        storageClassName: manual
        hostPath: { path: /mnt }
      ---
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        accessModes: [ReadWriteOnce]
        storageClassName: manual
        resources: { requests: { storage: 1Gi } }
    `);
    grow(run.settle(), "2Gi").settle();
    assert.equal(
      line(run, data),
      "stuck: stays at 1Gi instead of 2Gi: nothing in this cluster resizes volumes of this type",
    );
    assert.match(fix(run, data), /^create a new volume and claim/);
  });

  test("is stuck if nobody expands volumes, and waits if the driver was stopped", () => {
    const noGrowth = { expansion: { controller: false, node: false, online: true } };
    assert.equal(
      line(grow(bound(noGrowth), "2Gi").settle(), data),
      "stuck: stays at 1Gi instead of 2Gi: nothing in this cluster resizes volumes of d.csi",
    );
    const slow = bound().fault("ControllerExpandVolume", { delayMs: 5_000 });
    assert.equal(
      line(grow(slow, "2Gi").advance(1), data),
      "will-happen: is growing from 1Gi to 2Gi",
    );
  });

  test("grows at the next resync if its new size was reverted", () => {
    const run = bound().step({
      type: "patch",
      object: { kind: "PersistentVolumeClaim", name: "data" },
      patch: { status: { capacity: { storage: "512Mi" } } },
      subresource: "status",
    });
    assert.match(
      line(run.advance(60), data),
      /^will-happen: grows from 512Mi to 1Gi at the resizer's next look at all claims \(within 8 min \d\d? s\)$/,
    );
  });

  test("for other attributes names a missing class, a refusal, or a driver that cannot modify", () => {
    const attributes = `
      kind: VolumeAttributesClass
      metadata: { name: gold }
      driverName: d.csi
      parameters: { iops: "4000" }
    `;
    assert.equal(
      line(wish(bound({ modify: true }), "gold").settle(), data),
      'waits-for-you: keeps its attributes: class "gold" does not exist',
    );
    const refused = bound({ modify: true }).apply(attributes);
    refused.fault("ControllerModifyVolume", { code: "InvalidArgument", times: 0 });
    assert.match(
      line(wish(refused, "gold").advance(30), data),
      /^fails: does not get the attributes of class "gold" \(tried again within 8 min \d+ s\)$/,
    );
    assert.equal(
      line(wish(bound().apply(attributes), "gold").settle(), data),
      'stuck: keeps its attributes instead of those of class "gold": nothing in this cluster modifies volumes of d.csi',
    );
    const slow = bound({ modify: true }).apply(attributes);
    slow.fault("ControllerModifyVolume", { delayMs: 5_000 });
    assert.equal(
      line(wish(slow, "gold").advance(1), data),
      'will-happen: is getting the attributes of class "gold"',
    );
    assert.equal(
      line(stop(slow), data),
      'waits-for-you: keeps its attributes instead of those of class "gold": the controller of d.csi is down',
    );
  });

  test("that cannot be provisioned says when that is retried", () => {
    const run = new StorageRun().fault("CreateVolume", { code: "Internal", times: 0 });
    run.apply(claim).advance(20);
    assert.match(
      line(run, data),
      /^fails: stays Pending: d\.csi cannot provision its volume: injected Internal \(tried again within \d+ s\)$/,
    );
    const infeasible = new StorageRun().fault("CreateVolume", { code: "InvalidArgument" });
    infeasible.apply(claim).advance(20);
    // The back-off retries after 1 + 2 + … + 256 s, its first time after the five minutes of an infeasible claim.
    assert.match(line(infeasible, data), /\(tried again within 8 min 1\d s\)$/);
    assert.equal(infeasible.advance(480).calls.length, 1);
    assert.equal(infeasible.advance(20).calls.length, 2);
  });
});

suite("verdict on a volume, pod or claim that is going", () => {
  test("fails if the driver cannot delete a volume, and is stuck without a driver", () => {
    const run = bound().fault("DeleteVolume", { code: "Internal", times: 0 });
    run.delete("PersistentVolumeClaim", "data").advance(20);
    assert.match(
      line(run, volume),
      /^fails: is Released, but its storage cannot be deleted \(tried again within \d+ s\)$/,
    );
    const stopped = stop(bound()).delete("PersistentVolumeClaim", "data").settle();
    assert.equal(
      line(stopped, volume),
      "waits-for-you: is Released and stays: the controller of d.csi is down",
    );
    const foreign = new StorageRun().apply(`
      kind: PersistentVolume
      metadata: { name: v }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        persistentVolumeReclaimPolicy: Delete
        storageClassName: ""
        csi: { driver: gone.csi, volumeHandle: h }
      ---
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: "" }
    `);
    foreign.settle().delete("PersistentVolumeClaim", "data").settle();
    assert.equal(
      line(foreign, volume),
      "stuck: is Released, and nothing in this cluster deletes volumes of gone.csi",
    );
  });

  test("names the finalizers that keep a deleted pod that has stopped, and its claim waits for these", () => {
    const held = pod("web").replace("name: web", "name: web, finalizers: [example.com/keep]");
    const run = new StorageRun().apply(claim).apply(held).settle();
    run.delete("PersistentVolumeClaim", "data").delete("Pod", "web").settle();
    assert.equal(
      line(run, /^Pod\/default\/web$/),
      "waits-for-you: is being deleted, but stays until its finalizers are removed: example.com/keep",
    );
    assert.equal(
      line(run, data),
      'waits-for-you: is being deleted, and goes when pod "web" is gone',
    );
  });

  test("does not say that the default scheduler places a pod of another scheduler", () => {
    const run = new StorageRun().apply(
      pod("web").replace("spec:", "spec:\n    schedulerName: stork"),
    );
    run.apply(claim).settle();
    assert.equal(
      line(run, /^Pod\/default\/web$/),
      'will-happen: is Pending until scheduler "stork" has placed it, which is not simulated',
    );
  });

  test("says that a volume is recycled once no pod names its claim, by a pod that needs a node", () => {
    const volume = /^PersistentVolume\/\/v$/;
    const run = new StorageRun().apply(`
      kind: PersistentVolume
      metadata: { name: v }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        persistentVolumeReclaimPolicy: Recycle
        storageClassName: ""
        hostPath: { path: /srv/v }
      ---
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: "" }
      ---
      ${pod("user").replace("containers:", "nodeSelector: { disk: tape }\n    containers:")}
    `);
    run.settle().delete("PersistentVolumeClaim", "data").settle();
    assert.equal(
      line(run, volume),
      'waits-for-you: is Released, and is emptied once pod "user", which names its claim, is gone or finished',
    );
    assert.equal(fix(run, volume), 'delete pod "user"');
    run
      .patch("Node", "n1", { spec: { unschedulable: true } })
      .delete("Pod", "user")
      .settle();
    assert.equal(
      line(run, volume),
      'stuck: is Released, and pod "default/recycler-for-v", which is to empty it, stays Pending: no node can take it: the node is cordoned',
    );
    run.patch("Node", "n1", { spec: { unschedulable: null } }).settle();
    assert.equal(line(run, volume), "healthy: is Available: no claim has it");
  });

  test("names what still holds a deleted claim", () => {
    const run = new StorageRun().apply(
      claim.replace("name: data", "name: data, finalizers: [example.com/keep]"),
    );
    run.settle().delete("PersistentVolumeClaim", "data").settle();
    assert.equal(
      line(run, data),
      "waits-for-you: is being deleted, but stays until its finalizers are removed: example.com/keep",
    );
  });

  test("says that a volume stays attached for a pod whose claim was deleted", () => {
    const run = bound().apply(pod("web")).settle();
    run.delete("PersistentVolumeClaim", "data");
    run.patch("PersistentVolumeClaim", "data", { metadata: { finalizers: null } }).settle();
    assert.equal(
      line(run, volume),
      'waits-for-you: is Released, but stays attached to n1 as long as pod "web" is there',
    );
    assert.equal(fix(run, volume), 'delete pod "web"');
    run.delete("PersistentVolume", run.list("PersistentVolume")[0]?.metadata.name ?? "").settle();
    assert.match(line(run, volume), /^waits-for-you: is being deleted, but stays attached to n1 /);
    run.delete("Pod", "web").settle();
    assert.match(
      line(run, volume),
      /^will-happen: is being deleted, and goes once it is detached from n1 \(within \d+ s\)$/,
    );
    assert.match(
      line(run, /^VolumeAttachment/),
      /is detached from n1 with the next look for pods that are gone \(within \d+ s\)$/,
    );
    run.step({ type: "advance", ms: 60_000 }).settle();
    assert.deepEqual(run.list("PersistentVolume"), []);
  });
});

suite("verdict on an object in deletion", () => {
  test("says that a pod deleted in the foreground and a claim that it owns wait for each other forever", () => {
    const set = `
      kind: StorageClass
      metadata: { name: fast }
      provisioner: d.csi
      ---
      kind: StatefulSet
      metadata: { name: web }
      spec:
        replicas: 2
        serviceName: web
        persistentVolumeClaimRetentionPolicy: { whenScaled: Delete }
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec: { containers: [{ name: main, image: app, volumeMounts: [{ name: v, mountPath: /v }] }] }
        volumeClaimTemplates:
          - metadata: { name: v }
            spec: { storageClassName: fast, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }`;
    const object = { kind: "StatefulSet", name: "web" } as const;
    const run = new StorageRun()
      .apply(set)
      .settle()
      .step({ type: "scale", object, replicas: 0 })
      .step({ type: "delete", objects: [{ ...object, propagationPolicy: "Foreground" }] })
      .settle();
    assert.equal(
      line(run, /^Pod\//),
      'stuck: stays Terminating: it waits for claim "v-web-0", and that for the pod',
    );
    assert.equal(fix(run, /^Pod\//), 'remove the finalizer foregroundDeletion from pod "web-0"');
    assert.equal(judged(run, /^PersistentVolumeClaim\//).kind, "stuck");
    run.patch("Pod", "web-0", { metadata: { finalizers: null } }).settle();
    const left = new RunFacts(run.simulation.trace).objects.values();
    const kinds = ["Pod", "PersistentVolumeClaim", "StatefulSet"];
    assert.deepEqual(
      [...left].filter(({ kind }) => kinds.includes(kind)),
      [],
    );
  });

  test("names a volume's finalizers that only their writer removes", () => {
    const run = new StorageRun().apply(`
      kind: PersistentVolume
      metadata: { name: v, finalizers: [example.com/keep] }
      spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], hostPath: { path: /mnt } }
    `);
    run.settle().delete("PersistentVolume", "v").settle();
    assert.equal(
      line(run, volume),
      "waits-for-you: is being deleted, but stays until its finalizers are removed: example.com/keep",
    );
  });

  test("lets the source of a clone wait for the clone, and for what that waits for", () => {
    const run = bound({ clone: true }).fault("CreateVolume", { code: "Internal", times: 0 });
    run.apply(`
      kind: PersistentVolumeClaim
      metadata: { name: copy }
      spec: { storageClassName: fast, dataSource: { kind: PersistentVolumeClaim, name: data } }
    `);
    run.advance(5).delete("PersistentVolumeClaim", "data").advance(5);
    assert.match(
      line(run, data),
      /^fails: is being deleted, but stays until claim "copy" is cloned from it/,
    );
    run.delete("PersistentVolumeClaim", "copy").advance(30);
    assert.equal(run.list("PersistentVolumeClaim").length, 0);
  });

  test("lets the source of a clone that has not begun wait for its own finalizers, not for the clone", () => {
    const copy = "storageClassName: late, dataSource: { kind: PersistentVolumeClaim, name: data }";
    const run = bound({ clone: true }).apply(
      late.replace("name: data", "name: copy").replace("storageClassName: late", copy),
    );
    run.settle().patch("PersistentVolumeClaim", "data", {
      metadata: { finalizers: ["example.com/keep"] },
    });
    run.delete("PersistentVolumeClaim", "data").settle();
    assert.match(line(run, data), /stays until its finalizers are removed: example\.com\/keep$/);
  });
});

suite("verdict on a bound claim", () => {
  test("without a size in its status does not say that it is smaller than requested", () => {
    const run = bound().step({
      type: "patch",
      object: { kind: "PersistentVolumeClaim", name: "data" },
      patch: { status: { capacity: null } },
      subresource: "status",
    });
    assert.equal(line(run, data), 'healthy: is bound to volume "PV"');
  });
});

suite("verdict on a claim without a class whose driver is determined by something else", () => {
  const other = `
    kind: StorageClass
    metadata: { name: other }
    provisioner: other.csi
  `;
  const copy = (source: string): string => `
    kind: PersistentVolumeClaim
    metadata: { name: copy }
    spec: { dataSource: ${source} }
  `;
  const classes = (run: StorageRun, ref: RegExp): readonly unknown[] =>
    judged(run, ref).fixes.flatMap(({ at, value }) =>
      at?.field === "spec.storageClassName" ? [value] : [],
    );
  const itsOwn = /^PersistentVolumeClaim\/default\/copy$/;

  test("offers the classes of the driver that has its source, as others cannot copy it", () => {
    const run = bound().apply(other);
    run.apply(copy("{ kind: PersistentVolumeClaim, name: data }")).settle();
    assert.deepEqual(classes(run, itsOwn), ["fast"]);
  });

  test("offers the classes of the driver of its VolumeAttributesClass", () => {
    const gold = `
      kind: VolumeAttributesClass
      metadata: { name: gold }
      driverName: other.csi
      parameters: { tier: gold }
    `;
    const named = copy("null").replace("dataSource: null", "volumeAttributesClassName: gold");
    const run = bound().apply(other).apply(gold).apply(named).settle();
    assert.deepEqual(classes(run, itsOwn), ["other"]);
  });

  test("also offers another driver's class if half of its name was written", () => {
    const run = bound().apply(other.replace("name: other", "name: near"));
    const named = copy("{ kind: PersistentVolumeClaim, name: data }, storageClassName: neck");
    assert.deepEqual(classes(run.apply(named).settle(), itsOwn), ["near", "fast"]);
  });

  test("offers the default class only if it is the driver's", () => {
    const annotations = `{ storageclass.kubernetes.io/is-default-class: "true" }`;
    const run = bound().apply(
      other.replace("name: other", `name: other, annotations: ${annotations}`),
    );
    const unclassed = copy('{ kind: PersistentVolumeClaim, name: data }, storageClassName: ""');
    assert.deepEqual(classes(run.apply(unclassed).settle(), itsOwn), ["fast"]);
    run.delete("PersistentVolumeClaim", "copy").settle().apply(copy('null, storageClassName: ""'));
    assert.deepEqual(classes(run.settle(), itsOwn), [null, "other", "fast"]);
  });

  test("offers all classes as long as the source has no driver", () => {
    const run = bound().apply(other);
    run.apply(copy("{ kind: PersistentVolumeClaim, name: missing }")).settle();
    assert.deepEqual(classes(run, itsOwn), ["fast", "other"]);
  });

  test("offers the classes of the driver that took the snapshot", () => {
    const content = `
      kind: VolumeSnapshotContent
      metadata: { name: c }
      spec:
        driver: other.csi
        deletionPolicy: Retain
        source: { snapshotHandle: h }
        volumeSnapshotRef: { name: s, namespace: default }
      ---
      kind: VolumeSnapshot
      metadata: { name: s }
      spec: { source: { volumeSnapshotContentName: c } }
    `;
    const run = bound().apply(other).apply(content).settle();
    run.apply(copy("{ apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: s }"));
    assert.deepEqual(classes(run.settle(), itsOwn), ["other"]);
  });
});

suite("verdict on an attachment", () => {
  const gone = `
    kind: PersistentVolume
    metadata: { name: v }
    spec:
      capacity: { storage: 1Gi }
      accessModes: [ReadWriteOnce]
      storageClassName: ""
      csi: { driver: gone.csi, volumeHandle: h }
    ---
    kind: PersistentVolumeClaim
    metadata: { name: data }
    spec: { storageClassName: "" }
  `;

  test("that no component handles is stuck", () => {
    const run = new StorageRun().apply(gone).apply(pod("web")).settle();
    assert.equal(
      line(run, attachment),
      "stuck: v is not attached to n1: nothing in this cluster attaches volumes of gone.csi",
    );
    const { root } = judged(run, attachment);
    assert.deepEqual(root, { ref: "PersistentVolume//v", field: "spec.csi.driver" });
    assert.deepEqual(judged(run, /^Pod\//).root, root);
  });

  test("whose volume is gone before it could be detached says how to remove it", () => {
    const run = bound().apply(pod("web")).settle();
    const [name] = run.list("PersistentVolume").map(({ metadata }) => metadata.name);
    run.delete("PersistentVolume", name ?? "");
    run.patch("PersistentVolume", name ?? "", { metadata: { finalizers: null } });
    run.delete("Pod", "web").advance(120);
    assert.equal(line(run, attachment), "fails: PV cannot be detached from n1");
    assert.equal(
      fix(run, attachment),
      `recreate volume "${name}" for the same storage, until it is detached`,
    );
  });

  test("that cannot be detached does not advise to recreate a volume that exists", () => {
    const run = bound().apply(pod("web")).settle();
    run.fault("ControllerUnpublishVolume", { code: "Internal", message: "no", times: 9 });
    run.delete("Pod", "web").advance(2);
    assert.equal(line(run, attachment), "fails: PV cannot be detached from n1");
    assert.doesNotMatch(
      judged(run, attachment)
        .fixes.map(({ text }) => text)
        .join(),
      /anew/,
    );
  });

  test("that another finalizer holds does not promise that it goes", () => {
    const run = bound().apply(pod("web")).settle();
    const name = run.list("VolumeAttachment")[0]?.metadata.name ?? "";
    const finalizers = ["external-attacher/d-csi", "example.com/keep"];
    run.patch("VolumeAttachment", name, { metadata: { finalizers } });
    run.delete("Pod", "web").advance(120);
    assert.equal(
      line(run, attachment),
      "waits-for-you: is being deleted, but stays until its finalizers are removed: example.com/keep",
    );
    run.patch("VolumeAttachment", name, { metadata: { finalizers: null } });
    assert.deepEqual(run.advance(1).list("VolumeAttachment"), []);
  });

  test("of an inline disk blames the field of the pod, and so does the pod's", () => {
    const inline = `
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: main, image: app, volumeMounts: [{ name: v, mountPath: /v }] }]
        volumes:
        - { name: tmp, emptyDir: {} }
        - { name: v, awsElasticBlockStore: { volumeID: vol-1 } }
    `;
    const run = new StorageRun().apply(inline).settle();
    const why =
      "ebs.csi.aws.com-vol-1 is not attached to n1: nothing in this cluster attaches volumes of ebs.csi.aws.com";
    assert.equal(line(run, attachment), `stuck: ${why}`);
    assert.equal(line(run, /^Pod\//), `stuck: does not start on n1: ${why}`);
    const root = { ref: "Pod/default/web", field: "spec.volumes[1].awsElasticBlockStore" };
    assert.deepEqual(judged(run, attachment).root, root);
    assert.deepEqual(judged(run, /^Pod\//).root, root);
    assert.match(fix(run, /^Pod\//), /^install CSI driver ebs\.csi\.aws\.com, or /);
    run.delete("Pod", "web", { grace: 0 }).advance(10);
    assert.match(line(run, attachment), /^will-happen: .* is no longer wanted on n1/);
  });

  test("that no pod wants any more goes by itself", () => {
    const run = new StorageRun().apply(gone).apply(pod("web")).advance(20);
    run.delete("Pod", "web", { grace: 0 }).advance(10);
    assert.equal(
      line(run, attachment),
      "will-happen: v is no longer wanted on n1: the attachment goes when the attempt to attach it is over",
    );
    run.advance(400);
    assert.deepEqual(run.list("VolumeAttachment"), []);
  });

  test("of a pod in deletion waits for nobody", () => {
    const run = new StorageRun().apply(gone).apply(pod("web")).advance(20);
    const { trace } = run.simulation;
    const from = trace.entries.length;
    run.delete("Pod", "web").advance(30);
    for (const { seq } of trace.entries.slice(from))
      for (const { kind } of judgedAt(trace, seq, attachment))
        assert.notEqual(kind, "waits-for-you");
  });

  test("made by hand is attached whether a pod wants it or not, and stays", () => {
    const byHand = `
      apiVersion: storage.k8s.io/v1
      kind: VolumeAttachment
      metadata: { name: by-hand }
      spec: { attacher: gone.csi, nodeName: n1, source: { persistentVolumeName: v } }
    `;
    const run = new StorageRun().apply(gone).apply(byHand).advance(2);
    assert.equal(line(run, /by-hand/), "will-happen: v is being attached to n1");
    run.advance(300);
    assert.equal(
      line(run, /by-hand/),
      "stuck: v is not attached to n1: nothing in this cluster attaches volumes of gone.csi",
    );
  });

  test("of a pod that ended before it had the volume stays as long as that pod exists", () => {
    const brief = pod("web").replace("spec:", "spec:\n    activeDeadlineSeconds: 30");
    const run = new StorageRun().apply(gone).apply(brief).advance(600);
    assert.equal(
      line(run, attachment),
      "waits-for-you: v is no longer wanted on n1, whose kubelet still counts it as in use",
    );
    assert.equal(fix(run, attachment), 'delete pod "web"');
    run.delete("Pod", "web").advance(300);
    assert.deepEqual(run.list("VolumeAttachment"), []);
  });

  test("waits while its driver is stopped", () => {
    const run = stop(bound()).apply(pod("web")).advance(10);
    assert.equal(
      line(run, attachment),
      "waits-for-you: PV is not attached to n1: the controller of d.csi is down",
    );
  });

  test("of a node that does not answer ends by force after six minutes, which the next pod waits for", () => {
    const run = new StorageRun({ nodes: twoNodes }).apply(claim).apply(pod("old", "n1")).settle();
    run.step({ type: "node", name: "n1", kubelet: "down" }).advance(90);
    assert.match(
      line(run, /^Pod\/default\/old$/),
      /^will-happen: is on n1, which does not answer, and is deleted \(within 4 min \d+ s\)$/,
    );
    run.delete("Pod", "old", { grace: 0 }).apply(pod("new", "n2")).advance(60);
    assert.match(
      line(run, attachment),
      /^will-happen: PV is detached from n1 by force: the node does not answer \(within 5 min \d+ s\)$/,
    );
    assert.match(
      line(run, /^Pod\/default\/new$/),
      /^will-happen: waits on n2 for a volume of n1 \(within 5 min \d+ s\)$/,
    );
    run.advance(420);
    assert.equal(line(run, /^Pod\/default\/new$/), "healthy: runs on n2");
  });
});

suite("verdict on a snapshot", () => {
  const taken = (className: string, driver: string): string => `
    kind: VolumeSnapshotClass
    metadata: { name: ${className} }
    driver: ${driver}
    deletionPolicy: Delete
    ---
    kind: VolumeSnapshot
    metadata: { name: s }
    spec: { volumeSnapshotClassName: ${className}, source: { persistentVolumeClaimName: data } }
  `;

  test("of a claim that does not exist points to the line that names it", () => {
    const run = new StorageRun({ driver: {} }).apply(taken("own", "d.csi")).settle();
    assert.equal(line(run, snapshot), 'fails: cannot be taken: its claim "data" does not exist');
    assert.match(fix(run, snapshot), /^create claim "data" first, or correct the name/);
    assert.deepEqual(judged(run, snapshot).root, {
      ref: "VolumeSnapshot/default/s",
      field: "spec.source.persistentVolumeClaimName",
    });
  });

  test("that another finalizer holds does not promise that it goes", () => {
    const held = taken("own", "d.csi").replace(
      "name: s }",
      "name: s, finalizers: [example.com/keep] }",
    );
    const run = new StorageRun().apply(held).settle().delete("VolumeSnapshot", "s").settle();
    assert.equal(
      line(run, snapshot),
      "waits-for-you: is being deleted, but stays until its finalizers are removed: example.com/keep",
    );
  });

  test("that is pre-provisioned names a content that is meant for another snapshot", () => {
    const run = new StorageRun({ driver: {} })
      .apply(`
        kind: VolumeSnapshotContent
        metadata: { name: nightly }
        spec:
          driver: d.csi
          deletionPolicy: Retain
          source: { snapshotHandle: snap-1 }
          volumeSnapshotRef: { namespace: shop, name: s }
        ---
        kind: VolumeSnapshot
        metadata: { name: s }
        spec: { source: { volumeSnapshotContentName: nightly } }
      `)
      .settle();
    assert.equal(line(run, snapshot), 'fails: cannot be bound to content "nightly"');
    const { root, chain } = judged(run, snapshot);
    assert.equal(root?.field, "spec.source.volumeSnapshotContentName");
    assert.deepEqual(chain.at(-1), {
      ref: "VolumeSnapshotContent//nightly",
      text: "names snapshot shop/s",
    });
  });

  test("that no snapshotter handles is stuck, and so is its deletion", () => {
    const run = bound().apply(taken("foreign", "gone.csi")).settle();
    assert.equal(
      line(run, snapshot),
      'stuck: cannot be taken: class "foreign" is for gone.csi, and the volume is of d.csi',
    );
    assert.match(fix(run, snapshot), /^name a VolumeSnapshotClass of d.csi /);
    run.delete("VolumeSnapshot", "s").settle();
    assert.match(line(run, snapshot), /^stuck: cannot be deleted: nothing/);
    assert.match(fix(run, snapshot), /take the finalizers from it and its content$/);
  });

  test("that no snapshotter handles holds its claim, which shares its fixes", () => {
    const run = bound().apply(taken("foreign", "gone.csi")).settle();
    run.delete("PersistentVolumeClaim", "data").settle();
    assert.equal(line(run, data), 'stuck: is being deleted, but stays until snapshot "s" is taken');
    assert.equal(fix(run, data), fix(run, snapshot));
  });

  test("is being taken while the driver works, and holds its source until then", () => {
    const run = bound({ snapshots: true }).fault("CreateSnapshot", { delayMs: 30_000 });
    run.apply(taken("nightly", "d.csi")).advance(2);
    assert.equal(line(run, snapshot), "will-happen: is being taken");
    run.delete("PersistentVolumeClaim", "data").advance(2);
    assert.equal(
      line(run, data),
      'will-happen: is being deleted, but stays until snapshot "s" is taken',
    );
  });

  test("waits for the claim that is restored from it, but no longer once that is gone", () => {
    const run = bound({ snapshots: true }).apply(taken("nightly", "d.csi")).settle();
    run.fault("CreateVolume", { code: "Internal", times: 0 }).apply(`
      kind: PersistentVolumeClaim
      metadata: { name: restored }
      spec:
        storageClassName: fast
        dataSource: { apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: s }
    `);
    run.advance(1).delete("VolumeSnapshot", "s").advance(5);
    assert.equal(
      line(run, snapshot),
      "fails: is being deleted, but stays until the claim that is restored from it is bound",
    );
    run.delete("PersistentVolumeClaim", "restored").advance(1);
    assert.equal(line(run, snapshot), "will-happen: is being deleted");
  });

  test("deleted before it is taken keeps its source as long as the claim to be restored from it waits", () => {
    const run = bound({ snapshots: true }).fault("CreateSnapshot", { delayMs: 30_000 });
    run.apply(taken("nightly", "d.csi")).apply(`
      kind: PersistentVolumeClaim
      metadata: { name: restored }
      spec:
        storageClassName: fast
        dataSource: { apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: s }
    `);
    run.advance(2).delete("VolumeSnapshot", "s").delete("PersistentVolumeClaim", "data").settle();
    assert.equal(line(run, data), 'fails: is being deleted, but stays until snapshot "s" is taken');
  });

  test("whose driver cannot delete it fails", () => {
    const run = bound({ snapshots: true }).apply(taken("nightly", "d.csi")).settle();
    run.fault("DeleteSnapshot", { code: "Internal", times: 0 });
    run.delete("VolumeSnapshot", "s").advance(5);
    assert.equal(line(run, snapshot), "fails: is being deleted, but its driver cannot delete it");
  });
});

suite("verdict that depends on the order", () => {
  test("is given to the second of two claims that fit one volume", () => {
    const run = new StorageRun().apply(`
      kind: PersistentVolume
      metadata: { name: v }
      spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], storageClassName: manual, hostPath: { path: /v } }
      ---
      kind: PersistentVolumeClaim
      metadata: { name: first }
      spec: { storageClassName: manual }
      ---
      kind: StorageClass
      metadata: { name: manual }
      provisioner: kubernetes.io/no-provisioner
      ---
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: manual }
    `);
    run.settle();
    const verdict = judged(run, data);
    assert.equal(verdict.kind, "depends-on-order");
    assert.equal(
      verdict.headline,
      'stays Pending: claim default/first got volume "v" first, and class "manual" cannot provision another',
    );
    assert.equal(verdict.chain[1]?.ref, "PersistentVolume//v");
  });

  test("is not given if the volume was reserved for the other claim", () => {
    const run = new StorageRun().apply(`
      kind: PersistentVolume
      metadata: { name: v }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        hostPath: { path: /v }
        claimRef: { name: first, namespace: default }
      ---
      kind: PersistentVolumeClaim
      metadata: { name: first }
      spec: { storageClassName: "" }
      ---
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: "" }
    `);
    assert.equal(judged(run.settle(), data).kind, "stuck");
  });

  test("is given to the second of two pods with one ReadWriteOncePod claim", () => {
    const run = new StorageRun().apply(
      claim.replace("spec: {", "spec: { accessModes: [ReadWriteOncePod],"),
    );
    const ended = pod("earlier").replace("image: app", "image: app, command: [sh, -c, exit 0]");
    run.apply(ended.replace("spec:", "spec:\n    restartPolicy: Never")).settle();
    run.apply(pod("one")).settle().apply(pod("two")).settle();
    assert.equal(
      line(run, /^Pod\/default\/two$/),
      'depends-on-order: stays Pending: pod "one" got claim "data" first, which only one pod at a time may use',
    );
    const field = "spec.volumes[0].persistentVolumeClaim.claimName";
    const verdict = judged(run, /^Pod\/default\/two$/);
    assert.deepEqual(verdict.root, { ref: "Pod/default/two", field });
    assert.equal(verdict.fixes[0]?.text, "let one of the two use another claim");
    const modes = { ref: "PersistentVolumeClaim/default/data", field: "spec.accessModes[0]" };
    assert.deepEqual(verdict.fixes[1]?.at, modes);
  });
});

suite("verdict on a claim that waits for its first pod", () => {
  const template = `
      metadata: { labels: { app: web } }
      spec:
        restartPolicy: RESTART
        containers: [{ name: main, image: app, volumeMounts: [{ name: v, mountPath: /v }] }]
        volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
  `;
  const deployment = (replicas: number): string => `
    kind: Deployment
    metadata: { name: web }
    spec:
      replicas: ${replicas}
      selector: { matchLabels: { app: web } }
      template: ${template.replace("RESTART", "Always").replaceAll("\n", "\n    ")}
  `;
  const cronJob = (suspend: boolean, schedule = "0 3 1 1 *"): string => `
    kind: CronJob
    metadata: { name: backup }
    spec:
      schedule: "${schedule}"
      suspend: ${suspend}
      jobTemplate:
        spec:
          template: ${template.replace("RESTART", "Never").replaceAll("\n", "\n        ")}
  `;
  test("is stuck for two pods of one workload with a ReadWriteOncePod claim", () => {
    const exclusive = late.replace("spec: {", "spec: { accessModes: [ReadWriteOncePod],");
    const run = new StorageRun().apply(exclusive).apply(deployment(2)).settle();
    const waiting = verdicts(run.simulation.trace).find(
      ({ ref, kind }) => ref.startsWith("Pod/") && kind === "stuck",
    );
    assert.match(
      waiting?.headline ?? "",
      /^stays Pending: pod "web-\S+" of the same Deployment uses claim "data", which only one/,
    );
    assert.equal(
      waiting?.fixes[0]?.text,
      "run one pod at a time: one replica, and strategy Recreate",
    );
  });

  const judgedWith = (...manifests: readonly string[]): StorageRun =>
    manifests.reduce((run, manifest) => run.apply(manifest), new StorageRun().apply(late)).settle();

  test("names the workload that makes the pod: a CronJob needs nobody's help", () => {
    const run = judgedWith(cronJob(false));
    assert.equal(
      line(run, data),
      'will-happen: is Pending until CronJob "backup" makes its next pod',
    );
  });

  test("blames the field that holds a workload back", () => {
    const suspended = judgedWith(cronJob(true));
    assert.equal(
      line(suspended, data),
      'waits-for-you: waits for a pod of CronJob "backup", which is suspended',
    );
    const empty = judgedWith(deployment(0));
    assert.equal(
      line(empty, data),
      'waits-for-you: waits for a pod of Deployment "web", which has no replicas',
    );
    assert.deepEqual(judged(empty, data).fixes, [
      {
        text: 'scale Deployment "web" to one',
        at: { ref: "Deployment/default/web", field: "spec.replicas" },
        value: 1,
      },
    ]);
  });

  test("blames the schedule of a CronJob whose schedule never matches", () => {
    const run = judgedWith(cronJob(false, "0 0 30 2 *"));
    const root = { ref: "CronJob/default/backup", field: "spec.schedule" };
    assert.equal(
      line(run, /^CronJob/),
      "fails: creates no Jobs: no time ever matches its schedule",
    );
    assert.equal(
      line(run, data),
      'waits-for-you: waits for a pod of CronJob "backup", whose schedule never matches',
    );
    assert.deepEqual([judged(run, /^CronJob/).root, judged(run, data).root], [root, root]);
  });

  test("does not wait for a Job that makes no pods, or no more", () => {
    const job = (held: string): string => `
      kind: Job
      metadata: { name: load }
      spec:
        ${held}
        template: ${template.replace("RESTART", "Never").replaceAll("\n", "\n        ")}
    `;
    const held = judgedWith(job("parallelism: 0"));
    assert.equal(
      line(held, data),
      'waits-for-you: waits for a pod of Job "load", which makes no pods: its parallelism is 0',
    );
    const over = judgedWith(job("completions: 0"));
    assert.equal(
      line(over, data),
      'waits-for-you: waits for a pod of Job "load", which has finished',
    );
    const both = new StorageRun().apply(late).apply(job("completions: 0")).apply(cronJob(false));
    assert.match(
      line(both.settle(), data),
      /^will-happen: .* CronJob "backup" makes its next pod$/,
    );
  });

  test("blames a workload that is not allowed to make the pod", () => {
    const quota = `
      kind: ResourceQuota
      metadata: { name: few }
      spec: { hard: { pods: "0" } }
    `;
    const run = judgedWith(quota, deployment(1));
    assert.match(
      line(run, data),
      /^waits-for-you: waits for a pod of ReplicaSet "web-\w+", which cannot make it$/,
    );
    assert.equal(judged(run, data).root?.ref, "ResourceQuota/default/few");
  });

  test("blames a pod or workload that the API server refuses", () => {
    const nowhere = (manifest: string): string =>
      manifest.replace("mountPath: /v", "mountPath: ''");
    for (const [manifest, title] of [
      [pod("web"), 'Pod "web"'],
      [deployment(1), 'Deployment "web"'],
      [cronJob(false), 'CronJob "backup"'],
    ] as const) {
      const run = judgedWith(nowhere(manifest));
      assert.equal(
        line(run, data),
        `waits-for-you: waits for ${title}, which the API server refuses`,
      );
      assert.equal(fix(run, data), `change ${title} as its refusal says`);
    }
  });

  test("waits for somebody if no workload makes the pod", () => {
    const run = judgedWith();
    assert.equal(line(run, data), "waits-for-you: waits for a pod that uses it; none does");
  });
});

suite("verdict while objects are being made or deleted", () => {
  const slow = (call: string, delayMs: number): StorageRun =>
    new StorageRun().fault(call, { delayMs, times: 0 });

  test("lets a pod wait for its claim without anybody's help", () => {
    const run = slow("CreateVolume", 8000).apply(claim).apply(pod("web")).advance(3);
    assert.equal(line(run, data), "will-happen: is Pending while d.csi makes its volume");
    assert.equal(line(run, /^Pod\//), "will-happen: is Pending until its claims are bound");
    assert.equal(line(run.settle(), /^Pod\//), "healthy: runs on n1");
  });

  test("lets a claim with a first pod wait for the scheduler, whatever the binder's last event says", () => {
    const run = new StorageRun().apply(late).settle().apply(pod("web"));
    assert.deepEqual(run.events("PersistentVolumeClaim/default/data"), [
      "Normal WaitForFirstConsumer waiting for first consumer to be created before binding",
    ]);
    assert.equal(line(run, data), "will-happen: is Pending until its pod is scheduled");
  });

  test("lets a claim of a StatefulSet wait for the set to make its pod", () => {
    const set = (replicas: number): string => `
      kind: StatefulSet
      metadata: { name: web }
      spec:
        serviceName: web
        replicas: ${replicas}
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec: { containers: [{ name: main, image: app }] }
        volumeClaimTemplates:
        - metadata: { name: v }
          spec: { storageClassName: late, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `;
    const first = late.replace("name: data", "name: v-web-0");
    const ref = /^PersistentVolumeClaim\/default\/v-web-0$/;
    assert.equal(
      line(new StorageRun().apply(first).apply(set(0)).settle(), ref),
      "waits-for-you: waits for a pod that uses it; none does",
    );
    const quota = `
      kind: ResourceQuota
      metadata: { name: few }
      spec: { hard: { pods: "0" } }
    `;
    assert.equal(
      line(new StorageRun().apply(quota).apply(first).apply(set(1)).settle(), ref),
      'waits-for-you: waits for a pod of StatefulSet "web", which cannot make it',
    );
  });

  test("says that a claim deleted with its pods goes when they have ended; pods without a node do not hold it", () => {
    const run = bound().apply(pod("web").replace("image: app", "image: app, command: [sleep, 1h]"));
    run.settle().delete("Pod", "web", { grace: 30 }).delete("PersistentVolumeClaim", "data");
    assert.equal(line(run, data), 'will-happen: is being deleted, and goes when pod "web" is gone');
    assert.deepEqual(run.settle().list("PersistentVolumeClaim"), []);
    const nowhere = pod("web").replace("spec:", "spec:\n    nodeSelector: { disk: ssd }");
    const kept = bound().patch("PersistentVolumeClaim", "data", {
      metadata: { finalizers: ["example.com/mine"] },
    });
    kept.apply(nowhere).settle().delete("PersistentVolumeClaim", "data").settle();
    assert.match(line(kept, data), /stays until its finalizers are removed: example\.com\/mine$/);
  });

  test("says that a volume released a moment ago is being deleted", () => {
    const run = bound().fault("DeleteVolume", { delayMs: 3000, times: 0 });
    run.delete("PersistentVolumeClaim", "data").advance(1);
    assert.equal(line(run, volume), "will-happen: is Released and being deleted");
    assert.deepEqual(run.settle().list("PersistentVolume"), []);
  });
});

suite("verdict on an object that waits for a node", () => {
  test("says that a claim grows when its pod has mounted it, and blames what keeps the pod", () => {
    const raw = claim.replace("spec: {", "spec: { volumeMode: Block,");
    const run = grow(new StorageRun().apply(raw).settle(), "2Gi").settle();
    run.apply(pod("web", "n1")).settle();
    assert.match(
      line(run, data),
      /^fails: grows to 2Gi when pod "web" has mounted it, which does not start$/,
    );
    assert.deepEqual(judged(run, data).root, judged(run, /^Pod\//).root);
  });

  test("names the pod that has the volume, for a pod without an event because it came after the conflict", () => {
    const run = new StorageRun({ nodes: twoNodes }).apply(claim).apply(pod("first", "n1")).settle();
    run.apply(pod("second", "n2")).settle().apply(pod("third", "n2")).settle();
    assert.deepEqual(run.events("Pod/default/third"), []);
    assert.equal(
      line(run, /^Pod\/default\/third$/),
      "stuck: does not start on n2: PV is on n1, and may be attached to one node at a time",
    );
    assert.deepEqual(judged(run, /^Pod\/default\/third$/).root, {
      ref: "Pod/default/third",
      field: "spec.volumes[0]",
    });
    assert.match(fix(run, /^Pod\/default\/third$/), /^end pod "first"/);
  });
});

suite("verdict on a Deployment", () => {
  const running = (nodeSelector: string, extra = ""): string => `
    kind: Deployment
    metadata: { name: web }
    spec:
      selector: { matchLabels: { app: web } }${extra}
      template:
        metadata: { labels: { app: web } }
        spec: { ${nodeSelector}containers: [{ name: main, image: app }] }
  `;

  test("is not healthy while its new pods cannot start, though its old one is ready", () => {
    const run = new StorageRun().apply(running("")).settle();
    assert.equal(line(run, /^Deployment\//), "healthy: has 1 of 1 pods ready");
    run.apply(running("nodeSelector: { disk: ssd }, ")).settle();
    assert.equal(line(run, /^Deployment\//), "stuck: is rolling out: 1 new of 2 pods, 1 old");
    assert.equal(judged(run, /^Deployment\//).root?.field, "spec.nodeSelector");
  });

  test("that is paused keeps its old pods until somebody resumes it", () => {
    const run = new StorageRun().apply(running("")).settle();
    run.apply(running("priority: 0, ", "\n      paused: true")).settle();
    assert.equal(
      line(run, /^Deployment\//),
      "waits-for-you: is rolling out: 0 new of 1 pods, 1 old: it is paused",
    );
    assert.equal(judged(run, /^Deployment\//).root?.field, "spec.paused");
  });

  test("that is paused from the start has no pods until somebody resumes it", () => {
    const run = new StorageRun().apply(running("", "\n      paused: true")).settle();
    assert.equal(line(run, /^Deployment\//), "waits-for-you: has 0 of 1 pods ready: it is paused");
    run.patch("Deployment", "web", { spec: { paused: false } }).settle();
    assert.equal(line(run, /^Deployment\//), "healthy: has 1 of 1 pods ready");
  });

  const quota = (count: number): string => `
    kind: ResourceQuota
    metadata: { name: sets }
    spec: { hard: { count/replicasets.apps: "${count}" } }
  `;

  test("is not healthy while the ReplicaSet of its template is refused, though its old pod is ready", () => {
    const run = new StorageRun().apply(quota(1)).settle().apply(running("")).settle();
    assert.equal(line(run, /^Deployment\//), "healthy: has 1 of 1 pods ready");
    run.apply(running("priority: 0, ")).settle();
    assert.equal(
      line(run, /^Deployment\//),
      "fails: has 1 of 1 pods ready: it cannot create a ReplicaSet (tried again within 4 s)",
    );
    assert.equal(judged(run, /^Deployment\//).root?.ref, "ResourceQuota/default/sets");
    run.advance(200);
    const givenUp = judged(run, /^Deployment\//);
    assert.equal(givenUp.kind, "stuck");
    assert.match(
      givenUp.headline,
      /is not tried again until the Deployment or one of its ReplicaSets changes$/,
    );
    assert.match(
      givenUp.fixes[1]?.text ?? "",
      /^once that is allowed, change anything in the Deployment/,
    );
    run.apply(running("priority: 0, ", "\n      minReadySeconds: 1")).advance(1);
    assert.equal(judged(run, /^Deployment\//).kind, "fails");
    run.apply(quota(2)).advance(60).settle();
    assert.equal(line(run, /^Deployment\//), "healthy: has 1 of 1 pods ready");
  });

  test("without a progress deadline also shows a refused ReplicaSet, though it lacks the condition", () => {
    const endless = (fields: string): string =>
      running(fields, "\n      progressDeadlineSeconds: 2147483647");
    const run = new StorageRun().apply(quota(0)).settle().apply(endless("")).settle();
    assert.equal(
      line(run, /^Deployment\//),
      "fails: has 0 of 1 pods ready: it cannot create a ReplicaSet (tried again within 4 s)",
    );
    assert.equal(judged(run, /^Deployment\//).root?.ref, "ResourceQuota/default/sets");
    run.advance(200);
    assert.match(line(run, /^Deployment\//), /^stuck: .* is not tried again until the Deployment/);
    run.apply(quota(1)).apply(endless("priority: 0, ")).settle();
    assert.equal(line(run, /^Deployment\//), "healthy: has 1 of 1 pods ready");
    run.apply(endless("priority: 1, ")).settle();
    assert.match(line(run, /^Deployment\//), /^fails: has 1 of 1 pods ready: it cannot create a R/);
    run.apply(endless("priority: 0, ")).settle();
    assert.equal(line(run, /^Deployment\//), "healthy: has 1 of 1 pods ready");
  });

  const full = `
    kind: ResourceQuota
    metadata: { name: few }
    spec: { hard: { pods: "0" } }
    ---
    kind: Deployment
    metadata: { name: web }
    spec:
      selector: { matchLabels: { app: web } }
      template:
        metadata: { labels: { app: web } }
        spec: { containers: [{ name: main, image: app }] }
  `;

  test("fails if its ReplicaSet is not allowed to make pods, and goes on once it is", () => {
    const run = new StorageRun().apply(full).settle();
    assert.equal(line(run, /^Deployment\//), "fails: has 0 of 1 pods ready: it cannot create more");
    assert.equal(judged(run, /^Deployment\//).root?.ref, "ResourceQuota/default/few");
    run.patch("ResourceQuota", "few", { spec: { hard: { pods: "1" } } });
    const made = (): boolean => run.list("Pod").length > 0;
    for (let seconds = 0; !made() && seconds < 600; seconds++) run.advance(1);
    assert.doesNotMatch(line(run, /^Deployment\//), /cannot make more/);
  });
});

suite("verdict on a DaemonSet", () => {
  const daemons = (version: string, strategy: string): string => `
    kind: DaemonSet
    metadata: { name: agent }
    spec:
      selector: { matchLabels: { app: agent } }
      updateStrategy: ${strategy}
      template:
        metadata: { labels: { app: agent } }
        spec: { containers: [{ name: main, image: "app:${version}", ports: [{ hostPort: 80, containerPort: 80 }] }] }
  `;
  const rolledOut = (strategy: string): StorageRun =>
    new StorageRun().apply(daemons("1", strategy)).settle().apply(daemons("2", strategy)).settle();
  const set = /^DaemonSet\//;

  test("with OnDelete waits until somebody deletes its old pods", () => {
    const run = rolledOut("{ type: OnDelete }");
    assert.equal(
      line(run, set),
      "waits-for-you: is rolling out: 0 new of 1 pods, 1 old: an old pod stays until somebody deletes it",
    );
    assert.equal(judged(run, set).root?.field, "spec.updateStrategy.type");
    const [old] = run.list("Pod");
    run.delete("Pod", old?.metadata.name ?? "").settle();
    assert.equal(line(run, set), "healthy: has 1 of 1 pods ready");
  });

  test("whose new pod cannot run beside the old one is not healthy, though the old one is ready", () => {
    const run = rolledOut("{ rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }");
    assert.equal(line(run, set), "stuck: is rolling out: 0 new of 1 pods, 1 old");
    assert.match(judged(run, set).message ?? "", /didn't have free ports/);
  });

  test("without eligible nodes lists the rule that each of them fails", () => {
    const run = new StorageRun()
      .apply(
        daemons("1", "{}").replace("{ containers", "{ nodeSelector: { disk: ssd }, containers"),
      )
      .settle();
    assert.equal(line(run, set), "healthy: has no pods: its pods may run on 0 of 1 nodes");
    assert.equal(judged(run, set).candidates[0]?.failed[0]?.rule, "node-selector");
  });
});

suite("verdict on pods in each other's way", () => {
  test("advises to let an old pod go first if a quota forbids the surge", () => {
    const web = (version: number): string => `
      kind: Deployment
      metadata: { name: web }
      spec:
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec: { containers: [{ name: main, image: "app:${version}" }] }
    `;
    const quota = `
      kind: ResourceQuota
      metadata: { name: one }
      spec: { hard: { pods: "1" } }
    `;
    const run = new StorageRun()
      .apply(quota)
      .settle()
      .apply(web(1))
      .settle()
      .apply(web(2))
      .settle();
    const { root, fixes } = judged(run, /^Deployment\//);
    assert.equal(root?.ref, "ResourceQuota/default/one");
    assert.match(fixes[1]?.text ?? "", /^let an old pod go first: maxSurge 0 and maxUnavailable 1/);
    run.patch("Deployment", "web", {
      spec: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
    });
    assert.equal(line(run.advance(60).settle(), /^Deployment\//), "healthy: has 1 of 1 pods ready");
  });

  test("does not blame old pods for a quota if none is being replaced", () => {
    const run = new StorageRun().apply(`
      kind: ResourceQuota
      metadata: { name: none }
      spec: { hard: { pods: "0" } }
    `);
    run.settle().apply(`
      kind: Deployment
      metadata: { name: web }
      spec:
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec: { containers: [{ name: main, image: app }] }
    `);
    const { fixes, root } = judged(run.settle(), /^Deployment\//);
    assert.equal(root?.ref, "ResourceQuota/default/none");
    assert.doesNotMatch(fixes.map(({ text }) => text).join("; "), /old pod/);
  });

  test("has no advice for a DaemonSet's pods to let an old one go first", () => {
    const run = new StorageRun({ nodes: twoNodes })
      .apply(claim)
      .settle()
      .apply(`
      kind: DaemonSet
      metadata: { name: agent }
      spec:
        selector: { matchLabels: { app: agent } }
        template:
          metadata: { labels: { app: agent } }
          spec:
            containers: [{ name: main, image: app, volumeMounts: [{ name: v, mountPath: /v }] }]
            volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
    `);
    const set = judged(run.settle(), /^DaemonSet\//);
    assert.match(set.message ?? "", /^Multi-Attach error/);
    assert.match(set.fixes[0]?.text ?? "", /^give each pod a claim of its own/);
  });

  const sharing = (name: string, image = "app", replicas = 1): string => `
    kind: Deployment
    metadata: { name: ${name} }
    spec:
      replicas: ${replicas}
      selector: { matchLabels: { app: ${name} } }
      template:
        metadata: { labels: { app: ${name} } }
        spec:
          containers: [{ name: main, image: ${image}, volumeMounts: [{ name: v, mountPath: /v }] }]
          volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
          topologySpreadConstraints:
            - { maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule }
  `;

  function firstFix(...steps: readonly string[]): string {
    const run = new StorageRun({ nodes: twoNodes }).apply(claim).settle();
    for (const step of steps) run.apply(step).settle();
    const held = verdicts(run.simulation.trace).find(
      ({ ref, message = "" }) => ref.startsWith("Pod/") && message.startsWith("Multi-Attach error"),
    );
    return held?.fixes[0]?.text ?? "";
  }

  test("advises to put pods of two workloads with one volume on one node", () => {
    assert.match(
      firstFix(sharing("db"), sharing("backup")),
      /^run it on the node of the pod .* podAffinity/,
    );
  });

  test("advises replicas of one Deployment with one volume to be one, or to have their own volumes", () => {
    assert.match(
      firstFix(sharing("web", "app", 2)),
      /^run one pod, or give each a volume of its own/,
    );
  });

  test("advises to let the old pod go first for a pod of a new revision", () => {
    const onNewNode = sharing("web", "app:2").replace(
      "containers:",
      "nodeName: n2\n          containers:",
    );
    const onOldNode = sharing("web").replace("containers:", "nodeName: n1\n          containers:");
    assert.match(firstFix(onOldNode, onNewNode), /^let the old pod go first/);
  });
});

suite("verdict on a pod without room", () => {
  const container = "{ name: main, image: app, ports: [{ containerPort: 80, hostPort: 80 }] }";
  const one = (name: string, more = ""): string => `
    kind: Pod
    metadata: { name: ${name} }
    spec: { ${more}containers: [${container}] }
  `;
  const job = `
    kind: Job
    metadata: { name: first }
    spec: { template: { spec: { restartPolicy: Never, containers: [${container}] } } }
  `;
  const second = /^Pod\/default\/second$/;

  test("waits for a pod that is going, and for a Job's pod, which ends", () => {
    const slow = one("first").replace(
      "ports:",
      "lifecycle: { preStop: { sleep: { seconds: 20 } } }, ports:",
    );
    const leaves = new StorageRun().apply(slow).settle().delete("Pod", "first");
    leaves.advance(2).apply(one("second")).advance(5);
    assert.equal(line(leaves, second), 'will-happen: stays Pending until pod "first" has left n1');
    const works = new StorageRun().apply(job).settle().apply(one("second")).settle();
    assert.match(
      line(works, second),
      /^will-happen: stays Pending until pod "first-\w+" has left n1$/,
    );
  });

  test("lets its claim wait with it", () => {
    const run = new StorageRun().apply(job).settle().apply(late);
    const using = "volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }], ";
    run.apply(one("second", using)).settle();
    assert.match(line(run, second), /^will-happen: stays Pending until pod "first-/);
    assert.equal(line(run, data), "will-happen: is Pending until its pod is scheduled");
  });

  test("is stuck if the others stay, or if something else keeps it from the node too", () => {
    const stays = new StorageRun().apply(one("first")).settle().apply(one("second")).settle();
    assert.match(line(stays, second), /^stuck: stays Pending: no node can take it: host port 80/);
    const picky = new StorageRun().apply(job).settle();
    picky.apply(one("second", "nodeSelector: { disk: ssd }, ")).settle();
    assert.equal(
      line(picky, second),
      "stuck: stays Pending: no node can take it: it asks for disk=ssd",
    );
  });
});

suite("verdict on a pod without a node", () => {
  const named = pod("web", "elsewhere").replace(
    /volumes:.*/,
    "volumes: [{ name: v, emptyDir: {} }]",
  );

  test("says that a pod whose spec names a missing node never starts, and points at the name", () => {
    const run = new StorageRun().apply(named).advance(10);
    const verdict = judged(run, /^Pod\//);
    assert.equal(
      line(run, /^Pod\//),
      "fails: never starts and is deleted: there is no node elsewhere",
    );
    assert.deepEqual(verdict.root, { ref: "Pod/default/web", field: "spec.nodeName" });
    assert.deepEqual(run.advance(60).list("Pod"), []);
  });

  test("is given to the next pod of the name as well, which no node takes either", () => {
    const picky = named.replace("nodeName: elsewhere", "nodeSelector: { disk: ssd }");
    const why = "stuck: stays Pending: no node can take it: it asks for disk=ssd";
    const run = new StorageRun().apply(picky).settle();
    assert.equal(line(run, /^Pod\//), why);
    run.delete("Pod", "web").settle().apply(picky).settle();
    assert.equal(line(run, /^Pod\//), why);
  });

  test("says that a pod of a deleted node is deleted within a minute, though it still looks as if it ran", () => {
    for (const node of ["", "nodeName: n1"]) {
      const run = new StorageRun().apply(named.replace("nodeName: elsewhere", node)).settle();
      assert.equal(line(run, /^Pod\//), "healthy: runs on n1");
      run.delete("Node", "n1").advance(5);
      assert.equal(
        line(run, /^Pod\//),
        "will-happen: is deleted: its node n1 is gone (within 1 min)",
      );
      assert.deepEqual(run.advance(60).list("Pod"), []);
    }
  });
});

suite("verdict on a pod whose kubelet has not begun with it", () => {
  test("says that it is deleted with its node, too, though only the scheduler knew about it", () => {
    const run = new StorageRun().step({ type: "node", name: "n1", kubelet: "down" });
    run.apply(
      "{ kind: Pod, metadata: { name: web }, spec: { containers: [{ name: c, image: i }] } }",
    );
    run.advance(2).delete("Node", "n1").advance(2);
    assert.match(line(run, /^Pod\//), /^will-happen: is deleted: its node n1 is gone/);
  });
});

suite("verdict while a driver's controller is down", () => {
  test("lets a claim without a volume wait, and its pod too", () => {
    const run = stop(new StorageRun()).apply(claim).apply(pod("web")).settle();
    assert.equal(line(run, data), "waits-for-you: stays Pending: the controller of d.csi is down");
    assert.equal(
      line(run, /^Pod\//),
      'waits-for-you: stays Pending: claim "data" stays Pending: the controller of d.csi is down',
    );
  });

  test("lets a pod with an unattached volume wait", () => {
    const run = stop(bound()).apply(pod("web", "n1")).advance(10);
    assert.equal(
      line(run, /^Pod\//),
      "waits-for-you: does not start on n1: PV is not attached to n1: the controller of d.csi is down",
    );
  });

  test("lets deleted objects wait that have to be detached first", () => {
    const run = stop(bound().apply(pod("web", "n1")).settle());
    run.delete("Pod", "web", { grace: 0 }).delete("PersistentVolumeClaim", "data").advance(20);
    assert.equal(
      line(run, attachment),
      "waits-for-you: PV is not detached from n1: the controller of d.csi is down",
    );
    run.delete("PersistentVolume", run.list("PersistentVolume")[0]?.metadata.name ?? "");
    assert.equal(
      line(run.advance(20), volume),
      "waits-for-you: is being deleted, but stays: the controller of d.csi is down",
    );
  });

  test("keeps a snapshot that a claim is restored from as long as the claim waits", () => {
    const run = new StorageRun({ driver: { snapshots: true } })
      .apply(claim)
      .apply(`
        kind: VolumeSnapshotClass
        metadata: { name: snaps }
        driver: d.csi
        deletionPolicy: Delete
      `)
      .settle()
      .apply(`
        kind: VolumeSnapshot
        metadata: { name: snap }
        spec: { volumeSnapshotClassName: snaps, source: { persistentVolumeClaimName: data } }
      `)
      .settle()
      .fault("CreateVolume", { code: "Internal", times: 0 })
      .apply(`
        kind: PersistentVolumeClaim
        metadata: { name: restored }
        spec:
          storageClassName: fast
          dataSource: { apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: snap }
      `)
      .advance(10)
      .delete("VolumeSnapshot", "snap")
      .advance(10);
    assert.equal(
      line(run, /^VolumeSnapshot\//),
      "fails: is being deleted, but stays until the claim that is restored from it is bound",
    );
  });
});

test("a claim whose annotation names an empty node does not blame its provisioner", () => {
  const run = new StorageRun({ driver: {} }).apply(`
  kind: StorageClass
  metadata: { name: waits }
  provisioner: d.csi
  volumeBindingMode: WaitForFirstConsumer
  ---
  kind: PersistentVolumeClaim
  metadata: { name: early, annotations: { volume.kubernetes.io/selected-node: "" } }
  spec:
    storageClassName: waits
    accessModes: [ReadWriteOnce]
    resources: { requests: { storage: 1Gi } }
`);
  run.settle();
  assert.equal(
    line(run, /Claim\/default\/early/),
    "waits-for-you: stays Pending: its annotation volume.kubernetes.io/selected-node names no node",
  );
});
