import assert from "node:assert/strict";
import { isGood, type Verdict } from "../../../src/engine/explain/verdict.ts";
import { verdicts } from "../../../src/engine/explain/verdicts.ts";
import type { Step } from "../../../src/engine/scenario.ts";
import { parseManifests } from "../../conformance/scenario-file.ts";
import { assumedRun } from "../../support/assumed-run.ts";

interface Judged {
  readonly all: readonly Verdict[];
  of(ref: string): Verdict;
}

/** The verdicts after the manifests are applied to a cluster of the profile and the steps are taken. */
function judge(yaml: string, profile = "bare-metal", ...more: readonly Step[]): Judged {
  const all = verdicts(assumedRun(yaml, profile, more).run());
  return {
    all,
    of: (ref) => {
      const verdict = all.find((v) => v.ref === ref);
      assert.ok(verdict !== undefined, `no verdict on ${ref}`);
      return verdict;
    },
  };
}

function claim(name: string, spec: string): string {
  return `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: ${name}}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 10Gi}}, ${spec}}
---`;
}

function volume(name: string, spec: string, size = "10Gi"): string {
  return `
apiVersion: v1
kind: PersistentVolume
metadata: {name: ${name}}
spec: {capacity: {storage: ${size}}, accessModes: [ReadWriteOnce], nfs: {server: s, path: /p}, ${spec}}
---`;
}

function pod(name: string, claimName: string): string {
  return `
apiVersion: v1
kind: Pod
metadata: {name: ${name}}
spec:
  containers: [{name: app, image: busybox, volumeMounts: [{name: data, mountPath: /data}]}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: ${claimName}}}]
---`;
}

suite("verdict on a claim", () => {
  test("that is bound names its volume and size", () => {
    const { of } = judge(
      volume("pv", "storageClassName: manual") + claim("data", "storageClassName: manual"),
    );
    const verdict = of("PersistentVolumeClaim/default/data");
    assert.deepEqual(
      [verdict.kind, verdict.headline],
      ["healthy", 'is bound to volume "pv" of 10Gi'],
    );
    assert.equal(verdict.root, undefined);
  });

  test("that is bound lists its volume first, then the others, and counts it once", () => {
    const { of } = judge(
      volume("pv", "storageClassName: manual") +
        volume("small", "storageClassName: manual", "5Gi") +
        claim("data", "storageClassName: manual"),
    );
    const { candidates, candidateCount } = of("PersistentVolumeClaim/default/data");
    assert.deepEqual(
      candidates.map(({ ref, failed }) => [ref, failed.map(({ rule }) => rule)]),
      [
        ["PersistentVolume//pv", []],
        ["PersistentVolume//small", ["capacity"]],
      ],
    );
    assert.equal(candidateCount, 2);
  });

  test("with a volume chosen by the scheduler says why the scheduler rejected the others", () => {
    const local = `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: local}
provisioner: kubernetes.io/no-provisioner
volumeBindingMode: WaitForFirstConsumer
---`;
    const { of } = judge(
      local +
        volume("pv", "storageClassName: local") +
        volume("small", "storageClassName: local", "5Gi") +
        claim("data", "storageClassName: local") +
        pod("app", "data"),
    );
    const { candidates } = of("PersistentVolumeClaim/default/data");
    assert.deepEqual(
      candidates.map(({ ref, failed }) => [ref, failed.map(({ rule }) => rule)]),
      [
        ["PersistentVolume//pv", []],
        ["PersistentVolume//small", ["capacity"]],
      ],
    );
  });

  test("without class, volume and default class is stuck, with Kubernetes' Normal event", () => {
    const { of } = judge(claim("data", ""));
    const verdict = of("PersistentVolumeClaim/default/data");
    assert.equal(verdict.kind, "stuck");
    assert.equal(
      verdict.headline,
      "stays Pending: there is no volume and the cluster has no default class",
    );
    assert.equal(verdict.reason, "FailedBinding");
    assert.equal(
      verdict.message,
      "no persistent volumes available for this claim and no storage class is set",
    );
    assert.equal(verdict.fixes.length, 1);
  });

  test("offers the volume that fails only one rule, with the value that would correct that", () => {
    const { of } = judge(
      volume("small", 'storageClassName: ""', "5Gi") + claim("data", 'storageClassName: ""'),
    );
    const verdict = of("PersistentVolumeClaim/default/data");
    assert.equal(verdict.candidates[0]?.ref, "PersistentVolume//small");
    assert.equal(verdict.candidates[0]?.failed[0]?.rule, "capacity");
    assert.deepEqual(verdict.fixes[0], {
      text: 'raise spec.capacity.storage of volume "small" to 10Gi',
      at: { ref: "PersistentVolume//small", field: "spec.capacity.storage" },
      value: "10Gi",
    });
  });

  test("whose class does not exist offers the class of the volume that would fit", () => {
    const { fixes } = judge(
      claim("data", "storageClassName: nfs") + volume("share", "storageClassName: shares"),
    ).of("PersistentVolumeClaim/default/data");
    assert.deepEqual(
      fixes.map(({ text }) => text),
      ['set spec.storageClassName to shares for volume "share"', 'create a StorageClass "nfs"'],
    );
  });

  test("whose driver cannot make the volume first offers the volume that only its class keeps from the claim", () => {
    const shared = (yaml: string): string => yaml.replace("ReadWriteOnce", "ReadWriteMany");
    const { fixes } = judge(
      shared(claim("data", "storageClassName: gp2")) +
        shared(volume("share", "storageClassName: ''")) +
        pod("web", "data"),
      "eks",
    ).of("PersistentVolumeClaim/default/data");
    assert.equal(fixes[0]?.text, 'set spec.storageClassName to "" for volume "share"');
  });

  test("whose class does not exist says which clusters have it", () => {
    const { fixes } = judge(claim("data", "storageClassName: thin-csi")).of(
      "PersistentVolumeClaim/default/data",
    );
    assert.equal(
      fixes.at(-1)?.text,
      'create a StorageClass "thin-csi", unless your cluster is of OpenShift on vSphere, which has it',
    );
  });

  test("whose class does not exist points to the class's name", () => {
    const { of } = judge(claim("data", "storageClassName: fast"));
    const verdict = of("PersistentVolumeClaim/default/data");
    assert.equal(verdict.kind, "stuck");
    assert.equal(verdict.message, 'storageclass.storage.k8s.io "fast" not found');
    assert.deepEqual(verdict.root, {
      ref: "PersistentVolumeClaim/default/data",
      field: "spec.storageClassName",
    });
  });

  test("whose provisioner nobody runs is stuck despite a Normal event, and blames the class", () => {
    const fast = `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast}
provisioner: ebs.csi.aws.com
---`;
    const { of } = judge(fast + claim("data", "storageClassName: fast"), "kind");
    const verdict = of("PersistentVolumeClaim/default/data");
    assert.equal(verdict.kind, "stuck");
    assert.equal(verdict.reason, "ExternalProvisioning");
    assert.deepEqual(verdict.root, { ref: "StorageClass//fast", field: "provisioner" });
    assert.ok(verdict.fixes.some((fix) => fix.value === "standard"));
  });

  test("without a first consumer waits for somebody to make one", () => {
    const { of } = judge(claim("data", "storageClassName: standard"), "kind");
    const verdict = of("PersistentVolumeClaim/default/data");
    assert.deepEqual([verdict.kind, verdict.reason], ["waits-for-you", "WaitForFirstConsumer"]);
  });

  test("that names an unsuitable volume says which field would suit", () => {
    const { of } = judge(
      volume("pv", "storageClassName: slow") +
        claim("data", "storageClassName: fast, volumeName: pv"),
    );
    const verdict = of("PersistentVolumeClaim/default/data");
    assert.equal(verdict.kind, "stuck");
    assert.equal(
      verdict.message,
      'Cannot bind to requested volume "pv": storageClassName does not match',
    );
    assert.equal(verdict.fixes[0]?.value, "slow");
  });

  test("with another access mode than its named volume offers the volume's mode", () => {
    const { of } = judge(
      volume("pv", "storageClassName: slow") +
        claim("data", "storageClassName: slow, volumeName: pv").replace("Once", "Many"),
    );
    const { fixes } = of("PersistentVolumeClaim/default/data");
    assert.deepEqual(
      fixes.map(({ at, value }) => [at?.field, value]),
      [["spec.accessModes[0]", "ReadWriteOnce"]],
    );
  });

  test("that names a missing volume exists, although Kubernetes records no event", () => {
    const { of } = judge(claim("data", 'storageClassName: "", volumeName: nowhere'));
    const verdict = of("PersistentVolumeClaim/default/data");
    assert.equal(verdict.kind, "waits-for-you");
    assert.equal(
      verdict.headline,
      'stays Pending: it names volume "nowhere", which does not exist',
    );
  });

  test("names the missing half of an incomplete reservation of a volume", () => {
    for (const [reference, lacking] of [
      ["{name: data}", "namespace"],
      ["{namespace: default}", "name"],
    ] as const) {
      const reserved = volume("pv", `storageClassName: "", claimRef: ${reference}`);
      const { of } = judge(reserved + claim("data", 'storageClassName: ""'));
      const verdict = of("PersistentVolume//pv");
      assert.equal(
        verdict.headline,
        `is reserved for a claim without ${lacking}, and every claim has one`,
      );
      assert.deepEqual(
        verdict.fixes.map(({ text }) => text),
        ["complete spec.claimRef with the claim's name and namespace, or remove spec.claimRef"],
      );
      assert.match(
        of("PersistentVolumeClaim/default/data").headline,
        new RegExp(
          `"pv" fits, but is reserved for a claim without ${lacking}, which does not exist`,
        ),
      );
    }
  });

  test("names the incomplete claimRef of a Released volume", () => {
    const released = volume("pv", 'storageClassName: "", claimRef: {name: data, uid: gone}');
    assert.equal(
      judge(released).of("PersistentVolume//pv").headline,
      "is Released: a claim without namespace is gone, its data is kept, and no claim gets it",
    );
  });

  test("whose volume is reserved for another claim names that claim, and what would help", () => {
    const reserved = volume(
      "pv",
      'storageClassName: "", claimRef: {namespace: default, name: other}',
    );
    const data = claim("data", 'storageClassName: ""');
    const alone = judge(reserved + data).of("PersistentVolumeClaim/default/data");
    assert.equal(
      alone.headline,
      'stays Pending: volume "pv" fits, but is reserved for claim default/other, which does not exist, and class "" is never provisioned',
    );
    assert.deepEqual(alone.fixes, [
      {
        text: 'let spec.claimRef of volume "pv" name claim default/data',
        at: { ref: "PersistentVolume//pv", field: "spec.claimRef.name" },
        value: "data",
      },
      {
        text: 'remove spec.claimRef of volume "pv": any claim may have it then',
        at: { ref: "PersistentVolume//pv", field: "spec.claimRef" },
        value: null,
      },
    ]);
    const named = claim("other", 'storageClassName: "", volumeName: else');
    const left = judge(reserved + data + named).of("PersistentVolumeClaim/default/data");
    assert.match(left.headline, /is reserved for claim default\/other, which names volume "else",/);
    assert.deepEqual(left.fixes, alone.fixes);
    const both = judge(reserved + data + claim("other", 'storageClassName: ""'));
    const { headline, fixes } = both.of("PersistentVolumeClaim/default/data");
    assert.match(headline, /is reserved for claim default\/other, and class/);
    assert.deepEqual(fixes, [{ text: 'create one more volume like "pv"' }]);
  });

  test("that came second to a volume depends on the order", () => {
    const both =
      claim("first", 'storageClassName: "", volumeName: pv') +
      claim("second", 'storageClassName: "", volumeName: pv');
    const { of } = judge(volume("pv", 'storageClassName: ""') + both);
    const verdict = of("PersistentVolumeClaim/default/second");
    assert.equal(verdict.kind, "depends-on-order");
    assert.equal(verdict.message, 'volume "pv" already bound to a different claim.');
    assert.equal(verdict.chain[1]?.text, "belongs to claim default/first");
  });

  test("that came second to a volume which does not fit is stuck in any order", () => {
    const both =
      claim("first", 'storageClassName: "", volumeName: pv') +
      claim("second", "storageClassName: other, volumeMode: Block, volumeName: pv");
    const { of } = judge(volume("pv", 'storageClassName: ""') + both);
    const verdict = of("PersistentVolumeClaim/default/second");
    assert.equal(verdict.kind, "stuck");
    assert.equal(
      verdict.headline,
      'stays Pending: claim default/first has volume "pv", which would not fit either: it fails on storageClassName and volumeMode',
    );
    assert.equal(verdict.message, 'volume "pv" already bound to a different claim.');
  });

  test("whose volume nobody has any more only waits for the binder", () => {
    const reserved = volume(
      "pv",
      'storageClassName: "", claimRef: {namespace: default, name: other}',
    );
    const { of } = judge(
      reserved + claim("data", 'storageClassName: "", volumeName: pv'),
      "bare-metal",
      {
        type: "patch",
        object: { kind: "PersistentVolume", name: "pv" },
        patch: { spec: { claimRef: null } },
      },
    );
    const { kind, headline } = of("PersistentVolumeClaim/default/data");
    assert.deepEqual(
      [kind, headline],
      ["will-happen", 'is Pending until the binder looks again: volume "pv" is free now'],
    );
  });

  test("with an empty class does not promise a default class, which it would not get", () => {
    const standard =
      "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: { name: fast }\nprovisioner: d.example.com\n---\n";
    const textsOf = (spec: string) =>
      judge(standard + claim("data", spec), "generic")
        .of("PersistentVolumeClaim/default/data")
        .fixes.map(({ text }) => text);
    const mark = "mark a class as the default one";
    assert.ok(!textsOf('storageClassName: ""').includes(mark));
    assert.ok(textsOf("volumeMode: Filesystem").includes(mark));
  });

  test("does not offer a class whose driver does not support the access mode", () => {
    const textsOf = (mode: string, spec = "volumeMode: Filesystem") =>
      judge(claim("data", spec).replace("ReadWriteOnce", mode), "eks")
        .of("PersistentVolumeClaim/default/data")
        .fixes.map(({ text }) => text);
    assert.ok(textsOf("ReadWriteOnce").includes('set spec.storageClassName to "gp2"'));
    assert.deepEqual(textsOf("ReadWriteMany"), [
      "create a StorageClass and name it in spec.storageClassName, or create a volume that fits",
    ]);
  });

  test("in deletion names the pods that use it", () => {
    const told = (pods: string): Verdict =>
      judge(claim("data", "storageClassName: standard") + pods, "kind", {
        type: "delete",
        objects: [{ kind: "PersistentVolumeClaim", name: "data" }],
      }).of("PersistentVolumeClaim/default/data");
    const one = told(pod("web", "data"));
    assert.equal(one.kind, "waits-for-you");
    assert.equal(one.headline, "is being deleted, but stays until no pod uses it: web");
    assert.deepEqual(one.fixes, [{ text: 'delete pod "web"' }]);
    const two = told(pod("api", "data") + pod("web", "data"));
    assert.equal(two.headline, "is being deleted, but stays until no pod uses it: api, web");
    assert.deepEqual(two.fixes, [{ text: 'delete pods "api", "web"' }]);
  });

  test("in deletion names other finalizers besides the pod, and alone if no pod holds it", () => {
    const finalizers = ["example.com/keep", "kubernetes.io/pvc-protection"];
    const told = (left: readonly string[]) =>
      judge(
        claim("data", "storageClassName: standard") + pod("web", "data"),
        "kind",
        {
          type: "patch",
          object: { kind: "PersistentVolumeClaim", name: "data" },
          patch: { metadata: { finalizers } },
        },
        { type: "delete", objects: [{ kind: "PersistentVolumeClaim", name: "data" }] },
        {
          type: "patch",
          object: { kind: "PersistentVolumeClaim", name: "data" },
          patch: { metadata: { finalizers: left } },
        },
      ).of("PersistentVolumeClaim/default/data").headline;
    assert.equal(
      told(finalizers),
      "is being deleted, but stays until no pod uses it: web, and until its finalizers are removed: example.com/keep",
    );
    assert.equal(
      told(["example.com/keep"]),
      "is being deleted, but stays until its finalizers are removed: example.com/keep",
    );
  });

  test("in deletion also names pods that have ended, which hold it as well", () => {
    const job = `
apiVersion: v1
kind: Pod
metadata: {name: load}
spec:
  restartPolicy: Never
  containers: [{name: app, image: busybox, command: [sh, -c, exit 0]}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
---`;
    const { of } = judge(
      claim("data", "storageClassName: standard") + job,
      "kind",
      {
        type: "patch",
        object: { kind: "Pod", name: "load" },
        patch: { status: { phase: "Succeeded" } },
        subresource: "status",
      },
      {
        type: "delete",
        objects: [{ kind: "PersistentVolumeClaim", name: "data" }],
      },
    );
    const { headline, fixes } = of("PersistentVolumeClaim/default/data");
    assert.equal(headline, "is being deleted, but stays until no pod uses it: load (has ended)");
    assert.deepEqual(fixes, [{ text: 'delete pod "load"' }]);
  });

  test("of an in-tree class names the CSI driver that it is migrated to", () => {
    const old = (name: string, provisioner: string): string => `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: ${name}}
provisioner: ${provisioner}
---`;
    const classes = old("gp2", "kubernetes.io/aws-ebs") + old("gluster", "kubernetes.io/glusterfs");
    const { headline, chain, fixes } = judge(classes + claim("data", "storageClassName: gp2")).of(
      "PersistentVolumeClaim/default/data",
    );
    assert.equal(
      headline,
      'stays Pending: nothing in this cluster runs the provisioner "ebs.csi.aws.com", which stands in for kubernetes.io/aws-ebs',
    );
    assert.equal(
      chain[1]?.text,
      'names the provisioner "kubernetes.io/aws-ebs", for which ebs.csi.aws.com stands in',
    );
    assert.deepEqual(
      fixes.map(({ text }) => text),
      ['install the driver "ebs.csi.aws.com", or use a class whose driver runs'],
    );
  });

  test("of a class whose provisioner Kubernetes has removed names the release, and the CSI driver to use", () => {
    const gone = (provisioner: string): string => `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: disks}
provisioner: ${provisioner}
---`;
    const told = (provisioner: string, more = ""): readonly string[] => {
      const yaml = gone(provisioner) + more + claim("data", "storageClassName: disks");
      const { headline, fixes } = judge(yaml).of("PersistentVolumeClaim/default/data");
      return [headline, ...fixes.map(({ text }) => text)];
    };
    const headline = 'stays Pending: no volume fits, and class "disks" cannot provision one';
    const create =
      "create a StorageClass and name it in spec.storageClassName, or create a volume that fits";
    const use = (driver: string): string =>
      `use CSI driver "${driver}" instead, with its own parameters (recreate the class)`;
    assert.deepEqual(told("kubernetes.io/rbd"), [
      `${headline}: Kubernetes 1.31 removed kubernetes.io/rbd`,
      use("rbd.csi.ceph.com"),
      create,
    ]);
    assert.deepEqual(told("kubernetes.io/glusterfs"), [
      `${headline}: Kubernetes 1.26 removed kubernetes.io/glusterfs`,
      create,
    ]);
    assert.deepEqual(told("kubernetes.io/aws-efs"), [headline, use("efs.csi.aws.com"), create]);
    const near = volume("pv", "storageClassName: disks", "5Gi");
    assert.deepEqual(told("kubernetes.io/nfs", near).slice(1), [
      'raise spec.capacity.storage of volume "pv" to 10Gi',
      'set spec.resources.requests.storage to 5Gi for volume "pv"',
      use("nfs.csi.k8s.io"),
      create,
    ]);
  });

  test("that names a volume which fails several checks lists them all, though the event has one", () => {
    const { headline, message, fixes } = judge(
      volume("pv", 'storageClassName: ""', "5Gi") +
        claim("data", 'storageClassName: "", volumeName: pv, volumeMode: Block'),
    ).of("PersistentVolumeClaim/default/data");
    const said = 'annot bind to requested volume "pv": requested PV is too small';
    assert.equal(message, `C${said}`);
    assert.equal(headline, `stays Pending: c${said}; it fails on volumeMode too`);
    assert.deepEqual(
      fixes.map(({ text }) => text),
      ["ask for 5Gi, which the volume has", "also set spec.volumeMode to Filesystem"],
    );
  });

  test("with a selector for a new volume says so in the first sentence", () => {
    const { headline } = judge(
      `${claim("data", "storageClassName: gp2, selector: {matchLabels: {a: b}}")}${pod("web", "data")}`,
      "eks",
    ).of("PersistentVolumeClaim/default/data");
    assert.match(
      headline,
      /it provisions new volumes, and the claim's selector asks for one that exists$/,
    );
  });

  test("that names a missing volume later does not show the events from before", () => {
    const { of } = judge(claim("data", 'storageClassName: ""'), "bare-metal", {
      type: "patch",
      object: { kind: "PersistentVolumeClaim", name: "data" },
      patch: { spec: { volumeName: "gone" } },
    });
    const { kind, headline } = of("PersistentVolumeClaim/default/data");
    assert.equal(kind, "waits-for-you");
    assert.equal(headline, 'stays Pending: it names volume "gone", which does not exist');
  });

  test("recreated while an earlier claim's pod is running waits for another pod", () => {
    const manifests = parseManifests(claim("data", "storageClassName: standard"));
    const { of } = judge(
      claim("data", "storageClassName: standard") + pod("web", "data"),
      "kind",
      { type: "delete", objects: [{ kind: "PersistentVolumeClaim", name: "data" }] },
      {
        type: "patch",
        object: { kind: "PersistentVolumeClaim", name: "data" },
        patch: { metadata: { finalizers: null } },
      },
      { type: "apply", manifests },
      { type: "settle" },
    );
    assert.equal(
      of("PersistentVolumeClaim/default/data").headline,
      "waits for a pod that uses it; none does",
    );
  });

  test("that is Lost says what became of its volume, and how to get it back", () => {
    const restored = (claimRef: string): string =>
      claim("data", 'storageClassName: "", volumeName: pv').replace(
        "{name: data}",
        '{name: data, annotations: {pv.kubernetes.io/bind-completed: "yes"}}',
      ) + (claimRef === "" ? "" : volume("pv", `storageClassName: "", claimRef: ${claimRef}`));
    const lost = (claimRef: string): Verdict =>
      judge(restored(claimRef)).of("PersistentVolumeClaim/default/data");
    assert.equal(lost("").headline, 'is Lost: its volume "pv" does not exist');
    assert.match(lost("").fixes[0]?.text ?? "", /recreate volume "pv", without spec\.claimRef/);
    assert.equal(
      lost("{namespace: default, name: data, uid: old}").headline,
      'is Lost: its volume "pv" is for an earlier claim of that name',
    );
    assert.equal(
      lost("{namespace: shop, name: other, uid: old}").headline,
      'is Lost: its volume "pv" is for claim shop/other',
    );
    assert.equal(
      lost("{namespace: default, name: data}").headline,
      'is Lost: its volume "pv" names it without its uid',
    );
  });

  test("that is Lost and names no volume can only be recreated", () => {
    const bound = claim("data", 'storageClassName: ""').replace(
      "{name: data}",
      '{name: data, annotations: {pv.kubernetes.io/bind-completed: "yes"}}',
    );
    const { headline, root, fixes } = judge(bound).of("PersistentVolumeClaim/default/data");
    assert.equal(headline, "is Lost: it was bound, and names no volume any more");
    assert.equal(root?.field, "spec.volumeName");
    assert.deepEqual(fixes, [{ text: "delete the claim and recreate it" }]);
  });

  test("that is Lost only waits for the binder once its volume is free for it", () => {
    const lost = claim("data", 'storageClassName: "", volumeName: pv').replace(
      "{name: data}",
      '{name: data, annotations: {pv.kubernetes.io/bind-completed: "yes"}}',
    );
    const manifests = parseManifests(volume("pv", 'storageClassName: ""'));
    const { of } = judge(lost, "bare-metal", { type: "apply", manifests });
    const { headline, kind } = of("PersistentVolumeClaim/default/data");
    assert.equal(headline, 'is Lost until the binder looks again: volume "pv" is free for it');
    assert.equal(kind, "will-happen");
  });

  test("that is Lost has no advice to take its volume from the claim that has it", () => {
    const taken =
      volume("pv", 'storageClassName: ""') +
      claim("data", 'storageClassName: "", volumeName: pv') +
      claim("thief", 'storageClassName: ""');
    const { of } = judge(
      taken,
      "bare-metal",
      {
        type: "patch",
        object: { kind: "PersistentVolume", name: "pv" },
        patch: { spec: { claimRef: { name: "thief", uid: null } } },
      },
      { type: "settle" },
    );
    const { headline, fixes } = of("PersistentVolumeClaim/default/data");
    assert.equal(headline, 'is Lost: its volume "pv" is for claim default/thief');
    assert.deepEqual(fixes, [{ text: "delete the claim and recreate it with another volume" }]);
  });
});

suite("verdict on a claim whose volume another claim has", () => {
  const free = volume("pv", 'storageClassName: ""');
  const fixes = (others: string): readonly string[] =>
    judge(free + others + claim("data", 'storageClassName: "", volumeName: pv'))
      .of("PersistentVolumeClaim/default/data")
      .fixes.map(({ text }) => text);

  test("offers a reservation if the other claim did not name the volume", () => {
    const [first = "", second] = fixes(claim("chance", 'storageClassName: ""'));
    assert.match(first, /^let spec\.claimRef of volume "pv" name claim default\/data before/);
    assert.equal(second, "name another volume");
    const reserved = volume(
      "pv",
      'storageClassName: "", claimRef: {namespace: default, name: data}',
    );
    const { of } = judge(
      reserved +
        claim("chance", 'storageClassName: ""') +
        claim("data", 'storageClassName: "", volumeName: pv'),
    );
    assert.equal(of("PersistentVolumeClaim/default/data").kind, "healthy");
  });

  test("offers another volume if both claims name the volume", () => {
    const rival = claim("rival", 'storageClassName: "", volumeName: pv');
    assert.deepEqual(fixes(rival), ["name another volume"]);
    const spare = volume("spare", 'storageClassName: ""');
    assert.deepEqual(fixes(rival + spare), ["name another volume, or remove spec.volumeName"]);
  });

  test("offers to name no volume if the class makes some", () => {
    const fast = `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast}
provisioner: fast.csi.example.com
---`;
    const both = ["rival", "data"].map((name) =>
      claim(name, "storageClassName: fast, volumeName: pv"),
    );
    const { of } = judge(fast + volume("pv", "storageClassName: fast") + both.join(""));
    const [fix] = ["rival", "data"].flatMap(
      (name) => of(`PersistentVolumeClaim/default/${name}`).fixes,
    );
    assert.equal(fix?.text, "name another volume, or remove spec.volumeName");
  });
});

suite("verdict on a volume", () => {
  test("that is Released offers both ways to reuse it", () => {
    const { of } = judge(
      volume("pv", 'storageClassName: ""') + claim("data", 'storageClassName: ""'),
      "bare-metal",
      { type: "delete", objects: [{ kind: "PersistentVolumeClaim", name: "data" }] },
      { type: "settle" },
    );
    const verdict = of("PersistentVolume//pv");
    assert.equal(verdict.kind, "waits-for-you");
    assert.deepEqual(
      verdict.fixes.map((fix) => fix.at?.field),
      ["spec.claimRef", "spec.claimRef.uid"],
    );
  });

  test("that is Released tells its former claim from a new one of the name, and first offers to keep it for that", () => {
    const { of } = judge(
      volume("pv", 'storageClassName: "", claimRef: {namespace: default, name: data, uid: old}') +
        claim("data", 'storageClassName: ""'),
    );
    const verdict = of("PersistentVolume//pv");
    assert.match(verdict.headline, /^is Released: an earlier claim default\/data is gone/);
    for (const { fixes } of [verdict, of("PersistentVolumeClaim/default/data")])
      assert.deepEqual(
        fixes.map((fix) => fix.at?.field),
        ["spec.claimRef.uid", "spec.claimRef"],
      );
  });

  test("that nobody can delete or recycle says how to stop the attempts, and how to reuse it", () => {
    const released = (manifest: string): Verdict =>
      judge(
        manifest + claim("data", 'storageClassName: ""'),
        "bare-metal",
        { type: "delete", objects: [{ kind: "PersistentVolumeClaim", name: "data" }] },
        { type: "settle" },
      ).of("PersistentVolume//pv");
    const policy = (name: string): string =>
      volume("pv", `storageClassName: "", persistentVolumeReclaimPolicy: ${name}`);
    const removed = policy("Delete").replace(
      "{name: pv}",
      "{name: pv, annotations: {pv.kubernetes.io/provisioned-by: kubernetes.io/rbd}}",
    );
    const foreign = policy("Recycle").replace(/nfs: \{.*?\}/, "csi: {driver: d, volumeHandle: h}");
    const verdicts = [removed, foreign].map(released);
    assert.deepEqual(
      verdicts.map(({ message }) => message),
      [
        "no volume plugin matched name: kubernetes.io/rbd",
        "No recycler plugin found for the volume!",
      ],
    );
    for (const { fixes } of verdicts)
      assert.match(fixes[0]?.text ?? "", /to Retain, then remove spec\.claimRef/);
  });

  test("that is Failed with the policy Retain is kept for its former claim until claimRef is removed", () => {
    const { of } = judge(
      volume("pv", 'storageClassName: "", persistentVolumeReclaimPolicy: Delete') +
        claim("data", 'storageClassName: ""'),
      "bare-metal",
      { type: "delete", objects: [{ kind: "PersistentVolumeClaim", name: "data" }] },
      { type: "settle" },
      {
        type: "patch",
        object: { kind: "PersistentVolume", name: "pv" },
        patch: { spec: { persistentVolumeReclaimPolicy: "Retain" } },
      },
      { type: "apply", manifests: parseManifests(claim("data", 'storageClassName: ""')) },
      { type: "settle" },
    );
    const { headline, fixes } = of("PersistentVolume//pv");
    assert.equal(
      headline,
      "is Failed: its data is kept now, and no claim gets it until spec.claimRef is removed",
    );
    const waiting = of("PersistentVolumeClaim/default/data");
    assert.match(
      waiting.headline,
      /"pv" fits, but is Failed and kept for an earlier claim of this name/,
    );
    assert.deepEqual(waiting.fixes, fixes);
  });

  test("of an in-tree plugin names the CSI driver that deletes it", () => {
    const made = volume("pv", 'storageClassName: "", persistentVolumeReclaimPolicy: Delete')
      .replace(
        "{name: pv}",
        "{name: pv, annotations: {pv.kubernetes.io/provisioned-by: kubernetes.io/aws-ebs}}",
      )
      .replace("nfs: {server: s, path: /p}", "awsElasticBlockStore: {volumeID: vol-1}");
    const { of } = judge(
      made + claim("data", 'storageClassName: ""'),
      "bare-metal",
      { type: "delete", objects: [{ kind: "PersistentVolumeClaim", name: "data" }] },
      { type: "settle" },
    );
    assert.equal(
      of("PersistentVolume//pv").headline,
      "is Released, and nothing in this cluster deletes volumes of ebs.csi.aws.com",
    );
  });

  test("reserved for a claim says why that does not get it", () => {
    const why = (yaml: string): string =>
      judge(yaml)
        .of("PersistentVolume//pv")
        .headline.replace("is reserved for claim default/data, which ", "");
    const reserved = volume(
      "pv",
      'storageClassName: "", claimRef: {namespace: default, name: data}',
      "1Gi",
    );
    assert.equal(why(reserved), "does not exist");
    assert.equal(why(reserved + claim("data", 'storageClassName: ""')), "does not fit");
    const named = claim("data", 'storageClassName: "", volumeName: other');
    const other = volume("other", 'storageClassName: ""');
    assert.equal(why(reserved + other + named), 'has volume "other"');
    assert.equal(why(reserved + named), 'names volume "other"');
    const lost = claim("data", 'storageClassName: "", volumeName: pv').replace(
      "{name: data}",
      '{name: data, annotations: {pv.kubernetes.io/bind-completed: "yes"}}',
    );
    assert.equal(why(reserved + lost), "was bound to it, but whose uid spec.claimRef lacks");
  });

  test("deleted with a claim that a pod holds waits for what the claim waits for", () => {
    const { of } = judge(
      volume("pv", 'storageClassName: ""') +
        claim("data", 'storageClassName: ""') +
        pod("web", "data"),
      "kind",
      {
        type: "delete",
        objects: [
          { kind: "PersistentVolumeClaim", name: "data" },
          { kind: "PersistentVolume", name: "pv" },
        ],
      },
    );
    const { kind, headline, chain, fixes } = of("PersistentVolume//pv");
    assert.equal(kind, "waits-for-you");
    assert.equal(headline, "is being deleted, and goes after its claim");
    assert.deepEqual(
      chain.map(({ ref }) => ref),
      ["PersistentVolume//pv", "PersistentVolumeClaim/default/data", "Pod/default/web"],
    );
    assert.deepEqual(fixes, [{ text: 'delete pod "web"' }]);
  });

  test("deleted before its claim is held by that, and only Retain keeps its storage", () => {
    const deleted = (yaml: string, profile: string): readonly unknown[] => {
      const { all } = judge(yaml, profile);
      const name = all.find(({ ref }) => ref.startsWith("PersistentVolume//"))?.ref.slice(18) ?? "";
      const { of } = judge(yaml, profile, {
        type: "delete",
        objects: [{ kind: "PersistentVolume", name }],
      });
      const { headline, fixes } = of(`PersistentVolume//${name}`);
      assert.equal(headline, "is being deleted, but stays while its claim exists");
      return fixes.map(({ value, text }) => value ?? text);
    };
    const own = volume("pv", 'storageClassName: ""') + claim("data", 'storageClassName: ""');
    assert.deepEqual(deleted(own + pod("web", "data"), "bare-metal"), [
      "delete the claim default/data too",
    ]);
    const provisioned = claim("data", "storageClassName: gp2") + pod("web", "data");
    assert.deepEqual(deleted(provisioned, "eks"), ["Retain", "delete the claim default/data too"]);
  });

  test("without a claim is healthy", () => {
    assert.equal(
      judge(volume("pv", 'storageClassName: ""')).of("PersistentVolume//pv").kind,
      "healthy",
    );
  });
});

suite("verdict on a pod", () => {
  test("that runs names its node", () => {
    const { of, all } = judge(
      claim("data", "storageClassName: standard") + pod("web", "data"),
      "kind",
    );
    assert.equal(of("Pod/default/web").headline, "runs on kind-control-plane");
    assert.ok(all.every(isGood));
  });

  test("has its claim's cause, and a chain that leads there", () => {
    const { of } = judge(claim("data", "storageClassName: fast") + pod("web", "data"));
    const verdict = of("Pod/default/web");
    assert.equal(verdict.kind, "stuck");
    assert.equal(verdict.reason, "FailedScheduling");
    assert.deepEqual(verdict.root, {
      ref: "PersistentVolumeClaim/default/data",
      field: "spec.storageClassName",
    });
    assert.deepEqual(
      verdict.chain.map((link) => link.ref),
      ["Pod/default/web", "PersistentVolumeClaim/default/data"],
    );
  });

  test("whose provisioned volume is where no node is any more does not blame its spec or the class", () => {
    const moved = {
      "topology.ebs.csi.aws.com/zone": "elsewhere",
      "topology.kubernetes.io/zone": "elsewhere",
    };
    const { of } = judge(
      claim("data", "storageClassName: gp2") + pod("web", "data"),
      "eks",
      { type: "delete", objects: [{ kind: "Pod", name: "web" }] },
      { type: "settle" },
      ...[1, 2, 3].map(
        (zone): Step => ({
          type: "patch",
          object: { kind: "Node", name: `ip-10-0-${zone}-1` },
          patch: { metadata: { labels: moved } },
        }),
      ),
      { type: "apply", manifests: parseManifests(pod("web", "data")) },
      { type: "settle" },
    );
    const { headline, fixes } = of("Pod/default/web");
    assert.match(headline, /no node reaches the volume of claim "data"/);
    assert.deepEqual(fixes.length, 1);
    assert.match(
      fixes[0]?.text ?? "",
      /^have a node with topology\S+ in \(\S+\) and topology\S+ in \(\S+\) again, or restore/,
    );
  });

  test("whose volume was made for a node's name shows the label that the node has instead", () => {
    const host = "kubernetes.io/hostname";
    const made = volume(
      "disk",
      `nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: ${host}, operator: In, values: [kind-control-plane]}]}]}}`,
    ).replace("{name: disk}", "{name: disk, annotations: {pv.kubernetes.io/provisioned-by: x}}");
    const { of } = judge(
      made + claim("data", 'storageClassName: "", volumeName: disk'),
      "kind",
      {
        type: "patch",
        object: { kind: "Node", name: "kind-control-plane" },
        patch: { metadata: { labels: { [host]: "10.0.0.1" } } },
      },
      { type: "apply", manifests: parseManifests(pod("web", "data")) },
      { type: "settle" },
    );
    const { chain, fixes } = of("Pod/default/web");
    assert.equal(chain.at(-1)?.text, `has ${host}: 10.0.0.1`);
    assert.match(fixes[0]?.text ?? "", /^give node "kind-control-plane" the label /);
  });

  test("with a sub path of a missing directory points to the directory, of the pod or of its volume", () => {
    const part = (name: string, source: string): string =>
      pod(name, "data")
        .replace("mountPath: /data", "mountPath: /data, subPath: a")
        .replace(/persistentVolumeClaim: \{.*?\}/, source);
    const onNode = volume("disk", 'storageClassName: ""').replace(
      "nfs: {server: s, path: /p}",
      "hostPath: {path: /srv/b}",
    );
    const { of } = judge(
      part("own", "hostPath: {path: /srv/a}") +
        onNode +
        claim("data", 'storageClassName: "", volumeName: disk') +
        part("bound", "persistentVolumeClaim: {claimName: data}"),
      "kind",
    );
    const value = "DirectoryOrCreate";
    const root = ({ root, fixes }: Verdict): unknown => [
      root,
      fixes[0]?.at?.field,
      fixes[0]?.value,
    ];
    assert.deepEqual(root(of("Pod/default/own")), [
      { ref: "Pod/default/own", field: "spec.volumes[0].hostPath.path" },
      "spec.volumes[0].hostPath.type",
      value,
    ]);
    assert.deepEqual(root(of("Pod/default/bound")), [
      { ref: "PersistentVolume//disk", field: "spec.hostPath.path" },
      "spec.hostPath.type",
      value,
    ]);
  });

  test("whose environment lacks an object or a key points to the line that names it", () => {
    const started = (container: string): Verdict =>
      judge(`
kind: Secret
apiVersion: v1
metadata: {name: login}
stringData: {user: me, word: secret}
---
kind: Pod
apiVersion: v1
metadata: {name: web}
spec: {containers: [{name: app, image: busybox, ${container}}]}
`).of("Pod/default/web");
    const key = started(
      "env: [{name: A, value: b}, {name: P, valueFrom: {secretKeyRef: {name: login, key: pass}}}]",
    );
    const ref = "Pod/default/web";
    const root = { ref, field: "spec.containers[0].env[1].valueFrom.secretKeyRef.key" };
    assert.deepEqual(key.root, root);
    assert.deepEqual(key.fixes, [
      {
        text: 'name a key of Secret "login", which has user, word, or set optional: true',
        at: root,
      },
      { text: 'add the key pass to Secret "login"', at: { ref: "Secret/default/login" } },
    ]);
    const fieldOf = (container: string): string | undefined => started(container).root?.field;
    assert.equal(
      fieldOf("envFrom: [{configMapRef: {name: conf}}]"),
      "spec.containers[0].envFrom[0].configMapRef.name",
    );
    assert.equal(
      fieldOf("env: [{name: P, valueFrom: {configMapKeyRef: {name: conf, key: a}}}]"),
      "spec.containers[0].env[0].valueFrom.configMapKeyRef.name",
    );
  });

  test("whose claim does not exist points to the line that names it", () => {
    const verdict = judge(pod("web", "nowhere")).of("Pod/default/web");
    assert.equal(verdict.kind, "waits-for-you");
    assert.deepEqual(verdict.root, {
      ref: "Pod/default/web",
      field: "spec.volumes[0].persistentVolumeClaim.claimName",
    });
  });

  test("whose claim is refused has no advice to make one", () => {
    const refused = claim("data", "storageClassName: standard").replace("10Gi", "0");
    const { of } = judge(refused + pod("web", "data"), "kind");
    const verdict = of("Pod/default/web");
    assert.equal(
      verdict.headline,
      'stays Pending: its claim "data" does not exist: the API server refuses it',
    );
    const ref = "PersistentVolumeClaim/default/data";
    assert.deepEqual(verdict.root, { ref });
    assert.deepEqual(verdict.fixes, [
      { text: 'change PersistentVolumeClaim "data" as its refusal says', at: { ref } },
    ]);
  });

  test("blames a refused object, as the verdict on its claim does", () => {
    const brokenClass = `
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast}
provisioner: d.csi
reclaimPolicy: Keep
`;
    const { of } = judge(
      claim("data", "storageClassName: fast") + pod("web", "data") + brokenClass,
    );
    for (const ref of ["PersistentVolumeClaim/default/data", "Pod/default/web"]) {
      assert.match(of(ref).headline, /class "fast" does not exist: the API server refuses it$/);
      assert.deepEqual(of(ref).root, { ref: "StorageClass//fast" });
      assert.deepEqual(
        of(ref).fixes.map(({ text }) => text),
        ['change StorageClass "fast" as its refusal says'],
      );
    }
    assert.deepEqual(of("Pod/default/web").chain.at(-1), {
      ref: "StorageClass//fast",
      text: "is refused by the API server",
    });
  });

  test("blames a refused volume of its class, as the verdict on its claim does", () => {
    const refused = (spec: string): string => volume("disk", `local: {path: /mnt}, ${spec}`);
    const localClass = `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: local}
provisioner: kubernetes.io/no-provisioner
volumeBindingMode: WaitForFirstConsumer
---`;
    const fast = "storageClassName: fast";
    const local = "storageClassName: local";
    const cases: readonly (readonly [string, RegExp])[] = [
      [
        claim("data", fast) + refused(fast),
        /class "fast" does not exist; Per.* "disk" is refused$/,
      ],
      [claim("data", local) + refused(local) + localClass, /; PersistentVolume "disk" is refused$/],
      [
        claim("data", 'storageClassName: ""') + refused(""),
        /; PersistentVolume "disk" is refused$/,
      ],
    ];
    for (const [manifests, headline] of cases) {
      const { of } = judge(manifests + pod("web", "data"));
      for (const ref of ["PersistentVolumeClaim/default/data", "Pod/default/web"]) {
        assert.match(of(ref).headline, headline);
        assert.deepEqual(of(ref).root, { ref: "PersistentVolume//disk" });
      }
    }
    const { of } = judge(claim("data", fast) + refused(local) + pod("web", "data"));
    assert.equal(of("PersistentVolumeClaim/default/data").root?.field, "spec.storageClassName");
  });

  test("of a claim blames the refused volume that it names, and of a volume its refused claim", () => {
    const disk = (capacity: string): string => `
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: disk}
spec:
  capacity: {storage: ${capacity}}
  accessModes: [ReadWriteOnce]
  claimRef: {namespace: default, name: data}
  nfs: {server: nas, path: /x}
`;
    const named = claim("data", 'storageClassName: ""\n  volumeName: disk');
    const unnamed = judge(named + disk("-1Gi")).of("PersistentVolumeClaim/default/data");
    assert.match(
      unnamed.headline,
      /volume "disk", which does not exist: the API server refuses it$/,
    );
    assert.deepEqual(unnamed.root, { ref: "PersistentVolume//disk" });
    const refused = named.replace("10Gi", "0");
    assert.deepEqual(judge(refused + disk("10Gi")).of("PersistentVolume//disk").root, {
      ref: "PersistentVolumeClaim/default/data",
    });
  });

  test("does not blame a refused change, as the object stays", () => {
    const smaller = claim("data", "storageClassName: fast").replace("10Gi", "1");
    const { of } = judge(claim("data", "storageClassName: fast") + smaller + pod("web", "data"));
    assert.equal(of("Pod/default/web").root?.field, "spec.storageClassName");
  });

  test("that no node takes has each node's reason", () => {
    const picky = `
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  nodeSelector: {disk: ssd}
  containers: [{name: app, image: busybox}]
---`;
    const verdict = judge(picky).of("Pod/default/web");
    assert.equal(verdict.kind, "stuck");
    assert.match(
      verdict.message ?? "",
      /^0\/3 nodes are available: 3 node\(s\) didn't match Pod's node affinity\/selector\./,
    );
    assert.equal(verdict.candidateCount, 3);
  });

  test("has the field and fixes of the event's message if nothing more specific is known", () => {
    const late = `
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers: [{name: app, image: busybox, envFrom: [{configMapRef: {name: absent}}]}]
---`;
    const { message, fixes } = judge(late).of("Pod/default/web");
    assert.equal(message, 'Error: configmap "absent" not found');
    assert.deepEqual(fixes, [
      { text: "make what is missing, correct the name, or set optional: true" },
    ]);
  });
});

suite("verdict on a workload", () => {
  test("counts ready pods, and has the cause of the first missing one", () => {
    const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: app}
spec:
  replicas: 2
  selector: {matchLabels: {app: app}}
  template:
    metadata: {labels: {app: app}}
    spec:
      containers: [{name: app, image: busybox}]
      volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
---`;
    const verdict = judge(claim("data", "storageClassName: fast") + deployment).of(
      "Deployment/default/app",
    );
    assert.equal(verdict.headline, "has 0 of 2 pods ready");
    assert.equal(verdict.root?.ref, "PersistentVolumeClaim/default/data");
  });

  test("of a ReplicationController also says why it cannot make its pods", () => {
    const controller = `
apiVersion: v1
kind: ResourceQuota
metadata: {name: few}
spec: {hard: {pods: "0"}}
---
apiVersion: v1
kind: ReplicationController
metadata: {name: app}
spec:
  replicas: 2
  selector: {app: app}
  template:
    metadata: {labels: {app: app}}
    spec: {containers: [{name: app, image: busybox}]}
---`;
    const verdict = judge(controller).of("ReplicationController/default/app");
    assert.equal(verdict.headline, "has 0 of 2 pods ready: it cannot create more");
    assert.equal(verdict.root?.ref, "ResourceQuota/default/few");
  });

  const cronJob = (spec: string): string => `
apiVersion: batch/v1
kind: CronJob
metadata: {name: dump}
spec:
  schedule: "*/5 * * * *"
  ${spec}
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers: [{name: dump, image: busybox}]
          volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
---`;
  const fiveMinutes: Step = { type: "advance", ms: 301_000 };

  test("of a CronJob is that of its newest Job, and promises one before its time has come", () => {
    const data =
      volume("pv", "storageClassName: manual") + claim("data", "storageClassName: manual");
    const headlineAfter = (...steps: readonly Step[]): string =>
      judge(data + cronJob(""), "bare-metal", ...steps).of("CronJob/default/dump").headline;
    assert.equal(headlineAfter(), "makes its first Job when its time comes (*/5 * * * *)");
    assert.equal(
      headlineAfter(fiveMinutes, { type: "settle" }),
      "Job dump-29453765 has 1 of 1 pods ready or done",
    );
  });

  test("of a CronJob is that of its newest Job, whoever made it and whatever its name", () => {
    const data =
      volume("pv", "storageClassName: manual") + claim("data", "storageClassName: manual");
    const made = (name: string): Step => ({ type: "createJob", name, from: "dump" });
    const headlineAfter = (...steps: readonly Step[]): string =>
      judge(data + cronJob(""), "bare-metal", ...steps).of("CronJob/default/dump").headline;
    assert.match(headlineAfter(made("now"), { type: "settle" }), /^Job now has 1 of 1 pods/);
    assert.match(
      headlineAfter(made("now"), fiveMinutes, { type: "settle" }),
      /^Job dump-29453765 has 1 of 1 pods/,
    );
    assert.match(
      headlineAfter(fiveMinutes, made("a"), { type: "settle" }),
      /^Job a has 1 of 1 pods/,
    );
  });

  test("of a CronJob fails like its newest Job, with that cause", () => {
    const { of } = judge(
      claim("data", "storageClassName: fast") + cronJob(""),
      "bare-metal",
      fiveMinutes,
    );
    const verdict = of("CronJob/default/dump");
    assert.equal(verdict.headline, "Job dump-29453765 has 0 of 1 pods ready or done");
    assert.deepEqual(verdict.root, {
      ref: "PersistentVolumeClaim/default/data",
      field: "spec.storageClassName",
    });
  });

  test("of a CronJob that may not make Jobs blames the quota", () => {
    const quota = `
apiVersion: v1
kind: ResourceQuota
metadata: {name: jobs}
spec: {hard: {count/jobs.batch: "0"}}`;
    const manifests = `${quota}\n---\n${cronJob("")}`;
    const verdict = judge(manifests, "bare-metal", fiveMinutes).of("CronJob/default/dump");
    assert.deepEqual([verdict.kind, verdict.headline], ["fails", "cannot create a Job"]);
    assert.deepEqual(verdict.root, {
      ref: "ResourceQuota/default/jobs",
      field: "spec.hard[count/jobs.batch]",
    });
  });

  test("of a suspended CronJob is healthy", () => {
    const verdict = judge(cronJob("suspend: true")).of("CronJob/default/dump");
    assert.deepEqual(
      [verdict.kind, verdict.headline],
      ["healthy", "is suspended and makes no Jobs"],
    );
  });
});
