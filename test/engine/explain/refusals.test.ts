import assert from "node:assert/strict";
import { knownDriver, knownDrivers } from "../../../src/engine/csi/catalogue/catalogue.ts";
import type { Verdict } from "../../../src/engine/explain/verdict.ts";
import { verdicts } from "../../../src/engine/explain/verdicts.ts";
import { assumedRun } from "../../support/assumed-run.ts";

/**
 * The first verdict on an object whose ref begins with `ref`, after the manifests are applied to a cluster of the profile or,
 * if undefined, of the one that they suggest.
 */
function judge(
  profile: string | undefined,
  ref: string,
  ...manifestTexts: readonly string[]
): Verdict {
  const simulation = assumedRun(manifestTexts.join("\n---\n"), profile);
  const verdict = verdicts(simulation.run()).find((v) => v.ref.startsWith(ref));
  assert.ok(verdict !== undefined, `no verdict on ${ref}`);
  return verdict;
}

function claim(spec: string, size = "10Gi"): string {
  return `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: ${size}}}, ${spec}}`;
}

function volume(spec: string, size = "10Gi"): string {
  return `
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv}
spec: {capacity: {storage: ${size}}, accessModes: [ReadWriteOnce], local: {path: /mnt}, ${spec}}`;
}

function pod(spec = "", mount = "volumeMounts: [{name: data, mountPath: /data}]"): string {
  return `
apiVersion: v1
kind: Pod
metadata: {name: app}
spec:
  ${spec}
  containers: [{name: app, image: busybox, ${mount}}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]`;
}

function storageClass(provisioner: string): string {
  return `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast}
provisioner: ${provisioner}
volumeBindingMode: WaitForFirstConsumer`;
}

function node(name: string, spec: string, label = "disk: any"): string {
  return `
apiVersion: v1
kind: Node
metadata: {name: ${name}, labels: {kubernetes.io/hostname: ${name}, ${label}}}
spec: {${spec}}`;
}

function onNode(name: string): string {
  return `nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [${name}]}]}]}}`;
}

const claimRef = "PersistentVolumeClaim/default/data";
const podRef = "Pod/default/app";

function places({ root, fixes }: Verdict): readonly (string | undefined)[] {
  return [root?.ref, root?.field, ...fixes.map(({ text }) => text)];
}

suite("the cause of a refusal", () => {
  test("of a disk driver is that a claim is for many nodes", () => {
    const shared = claim("storageClassName: fast").replace("ReadWriteOnce", "ReadWriteMany");
    const verdict = judge("eks", claimRef, shared, storageClass("ebs.csi.aws.com"), pod());
    assert.match(verdict.headline, /it does not provision volumes for ReadWriteMany$/);
    assert.equal(verdict.root?.field, "spec.accessModes[0]");
    assert.deepEqual(
      [verdict.fixes[0]?.at?.field, verdict.fixes[0]?.value],
      ["spec.accessModes[0]", "ReadWriteOnce"],
    );
  });

  test("is the only rule that keeps a volume of the class from the claim, not the class", () => {
    const [storage, local] = [
      storageClass("kubernetes.io/no-provisioner"),
      "storageClassName: fast",
    ];
    const immediate = storage.replace("WaitForFirstConsumer", "Immediate");
    const small = volume(`${local}, ${onNode("n1")}`, "5Gi");
    const verdict = judge("generic", claimRef, immediate, claim(local), small);
    assert.deepEqual(places(verdict).slice(0, 2), [claimRef, "spec.resources.requests.storage"]);
    const alone = judge("generic", claimRef, immediate, claim(local));
    assert.deepEqual(places(alone).slice(0, 2), ["StorageClass//fast", "provisioner"]);
  });

  test("is that the driver makes no Block volumes, however it says so", () => {
    const raw = claim("storageClassName: fast, volumeMode: Block");
    for (const [distribution, driver, words] of [
      ["eks", "efs.csi.aws.com", /only filesystem volumes are supported/],
      [
        "rook-ceph",
        "rook-ceph.cephfs.csi.ceph.com",
        /code = Unimplemented desc = block volume not/,
      ],
    ] as const) {
      const verdict = judge(distribution, claimRef, raw, storageClass(driver), pod());
      assert.match(verdict.message ?? "", words);
      assert.match(verdict.headline, /it does not provision Block volumes$/);
      assert.deepEqual(
        [verdict.fixes[0]?.at?.field, verdict.fixes[0]?.value],
        ["spec.volumeMode", "Filesystem"],
      );
    }
  });

  test("of a copy is its source if that claim is not bound", () => {
    const verdict = judge(
      "gke",
      claimRef,
      storageClass("pd.csi.storage.gke.io"),
      claim("storageClassName: fast").replace("{name: data}", "{name: source}"),
      claim("storageClassName: fast, dataSource: {kind: PersistentVolumeClaim, name: source}"),
      pod(),
    );
    assert.match(verdict.headline, /: its source, claim "source", is not Bound$/);
    assert.deepEqual(places(verdict).slice(0, 3), [
      "PersistentVolumeClaim/default/source",
      undefined,
      'have claim "source" bound first',
    ]);
    assert.equal(verdict.chain.at(-1)?.ref, "PersistentVolumeClaim/default/source");
  });

  test("of a copy names the other namespace that has its source", () => {
    const copyOf = (source: string): Verdict =>
      judge(
        "gke",
        claimRef,
        "{apiVersion: v1, kind: Namespace, metadata: {name: prod}}",
        storageClass("pd.csi.storage.gke.io"),
        claim("storageClassName: fast").replace("{name: data}", "{name: source, namespace: prod}"),
        `
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata: {name: snap, namespace: prod}
spec: {source: {persistentVolumeClaimName: source}}`,
        claim(`storageClassName: fast, dataSource: ${source}`),
        pod(),
      );
    const ofSnapshot = copyOf(
      "{apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: snap}",
    );
    const ofClaim = copyOf("{kind: PersistentVolumeClaim, name: source}");
    const elsewhere = 'does not exist in namespace "default", but in "prod"';
    assert.ok(ofSnapshot.headline.endsWith(`its source, snapshot "snap", ${elsewhere}`));
    assert.ok(ofClaim.headline.endsWith(`its source, claim "source", ${elsewhere}`));
    for (const verdict of [ofSnapshot, ofClaim])
      assert.deepEqual(places(verdict), [
        claimRef,
        "spec.dataSource",
        'create the claim in namespace "prod": a volume is copied within a namespace',
      ]);
  });

  test("is the volume, not the pod, if its zone label and its affinity disagree", () => {
    const zoned = (zone: string): string =>
      node(`node-${zone}`, "").replace(
        "{kubernetes",
        `{topology.kubernetes.io/zone: ${zone}, kubernetes`,
      );
    const labelled = (zone: string): Verdict =>
      judge(
        "bare-metal",
        podRef,
        zoned("a"),
        zoned("b"),
        volume(`storageClassName: "", ${onNode("node-b")}`).replace(
          "{name: pv}",
          `{name: pv, labels: {topology.kubernetes.io/zone: ${zone}}}`,
        ),
        claim('storageClassName: ""'),
        pod(),
      );
    const verdict = labelled("a");
    assert.equal(
      verdict.headline,
      'stays Pending: volume "pv" is reachable where kubernetes.io/hostname in (node-b), but its labels keep pods to topology.kubernetes.io/zone a',
    );
    assert.deepEqual(places(verdict), [
      "PersistentVolume//pv",
      "metadata.labels",
      "let the volume's labels and its nodeAffinity name the same zone",
    ]);
    assert.equal(labelled("b").kind, "healthy");
  });

  test("is the affinity of volumes that a person placed in different zones", () => {
    const named = (text: string, name: string): string =>
      text.replace("{name: pv}", `{name: ${name}}`).replace("{name: data}", `{name: ${name}}`);
    const verdict = judge(
      "bare-metal",
      podRef,
      node("node-a", ""),
      node("node-b", ""),
      ...["a", "b"].flatMap((name) => [
        named(volume(`storageClassName: "", ${onNode(`node-${name}`)}`), name),
        named(claim(`storageClassName: "", volumeName: ${name}`), name),
      ]),
      pod().replace(
        /volumes: .*/,
        "volumes: [{name: data, persistentVolumeClaim: {claimName: a}}, {name: b, persistentVolumeClaim: {claimName: b}}]",
      ),
    );
    assert.match(verdict.headline, /^stays Pending: no node reaches both volume "b" \(/);
    assert.deepEqual(places(verdict), [
      "PersistentVolume//b",
      "spec.nodeAffinity",
      'let spec.nodeAffinity of volumes "b" and "a" have a node in common, or use them in pods of their own',
    ]);
  });

  test("of a DaemonSet's pod is that its node does not reach the volume, though the volume exists", () => {
    const set = `
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: app}
spec:
  selector: {matchLabels: {app: a}}
  template:
    metadata: {labels: {app: a}}
    spec:
      containers: [{name: app, image: busybox, volumeMounts: [{name: data, mountPath: /data}]}]
      volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]`;
    const verdict = judge(
      "bare-metal",
      "DaemonSet/default/app",
      node("node-a", ""),
      node("node-b", ""),
      volume(`storageClassName: "", ${onNode("node-a")}`),
      claim('storageClassName: ""'),
      set,
    );
    assert.equal(
      verdict.chain[1]?.text,
      'stays Pending: volume "pv" is reachable where kubernetes.io/hostname in (node-a), and its DaemonSet made this pod for node "node-b"',
    );
    assert.equal(verdict.root?.field, "spec.volumes[0]");
    assert.match(verdict.fixes[0]?.text ?? "", /^give the pod of each node storage of its own/);
  });

  test("of a restored claim is that its snapshot is missing, or that its driver restores none", () => {
    const source =
      "dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: snap}";
    const restored = (driver: string): Verdict =>
      judge(
        "eks",
        claimRef,
        storageClass(driver),
        claim(`storageClassName: fast, ${source}`),
        // Not suggested as a fix, as the claim would be bound without the snapshot's data.
        volume(`storageClassName: other, ${onNode("ip-10-0-1-1")}`),
        pod(),
      );
    const without = restored("ebs.csi.aws.com");
    assert.match(without.headline, /: its source, snapshot "snap", does not exist$/);
    assert.deepEqual(places(without), [
      claimRef,
      "spec.dataSource",
      'create snapshot "snap" first, or correct the name (recreate the claim)',
    ]);
    const unable = restored("efs.csi.aws.com");
    assert.match(unable.headline, /: it does not support snapshot restore$/);
    assert.deepEqual(places(unable).slice(0, 2), [claimRef, "spec.dataSource"]);
  });

  test("of a restored claim has the snapshot's size, in the claim's units", () => {
    const snapshot = `
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshotClass
metadata: {name: ebs}
driver: ebs.csi.aws.com
deletionPolicy: Delete
---
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata: {name: snap}
spec: {volumeSnapshotClassName: ebs, source: {persistentVolumeClaimName: data}}`;
    const source =
      "dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: snap}";
    const restored = claim(`storageClassName: fast, ${source}`, "5Gi").replace(
      "name: data",
      "name: restored",
    );
    const user = pod()
      .replace("name: app", "name: second")
      .replace(/claimName: .*}/, "claimName: restored}}]");
    const verdict = judge(
      "eks",
      "PersistentVolumeClaim/default/restored",
      storageClass("ebs.csi.aws.com"),
      claim("storageClassName: fast"),
      pod(),
      snapshot,
      restored,
      user,
    );
    assert.deepEqual(places(verdict), [
      "PersistentVolumeClaim/default/restored",
      "spec.resources.requests.storage",
      "ask for at least 10Gi",
    ]);
    assert.equal(verdict.fixes[0]?.value, "10Gi");
  });

  test("of a copy is that its source is missing, or no disk of the driver", () => {
    const copy = "storageClassName: fast, dataSource: {kind: PersistentVolumeClaim, name: source}";
    const given = [storageClass("pd.csi.storage.gke.io"), claim(copy), pod()];
    const alone = judge("gke", claimRef, ...given);
    assert.match(alone.headline, /: its source, claim "source", does not exist$/);
    assert.deepEqual(places(alone).slice(0, 2), [claimRef, "spec.dataSource"]);

    const bound = [
      claim("storageClassName: fast").replace("name: data", "name: source"),
      volume("storageClassName: fast, claimRef: {namespace: default, name: source}").replace(
        "local",
        "hostPath",
      ),
    ];
    const ofOther = judge("gke", claimRef, ...bound, ...given);
    assert.match(ofOther.message ?? "", /claim in dataSource not bound or invalid$/);
    assert.deepEqual(places(ofOther).slice(0, 2), [claimRef, "spec.dataSource"]);
  });

  test("is the class that has the parameter, if a driver reads both classes as one", () => {
    const refused = (parameters: string, attributes: string): readonly unknown[] => {
      const verdict = judge(
        "aks",
        claimRef,
        `${storageClass("disk.csi.azure.com")}
parameters: {${parameters}}
---
apiVersion: storage.k8s.io/v1
kind: VolumeAttributesClass
metadata: {name: gold}
driverName: disk.csi.azure.com
parameters: {${attributes}}`,
        claim("storageClassName: fast, volumeAttributesClassName: gold"),
        pod(),
      );
      return places(verdict).slice(0, 2);
    };
    const known = 'DiskIOPSReadWrite: "500"';
    const ofAttributes = "VolumeAttributesClass//gold";
    assert.deepEqual(refused("", "iops: '500'"), [ofAttributes, "parameters[iops]"]);
    assert.deepEqual(refused("", "DiskIOPSReadWrite: 5k"), [
      ofAttributes,
      "parameters[DiskIOPSReadWrite]",
    ]);
    assert.deepEqual(refused("iops: '500'", known), ["StorageClass//fast", "parameters[iops]"]);
  });

  test("is the VolumeAttributesClass for a value that both classes have, as it takes precedence", () => {
    const refused = (parameters: string, attributes: string): readonly unknown[] => {
      const verdict = judge(
        "eks",
        claimRef,
        `${storageClass("ebs.csi.aws.com")}
parameters: {${parameters}}
---
apiVersion: storage.k8s.io/v1
kind: VolumeAttributesClass
metadata: {name: gold}
driverName: ebs.csi.aws.com
parameters: {${attributes}}`,
        claim("storageClassName: fast, volumeAttributesClassName: gold"),
        pod(),
      );
      return [...places(verdict), verdict.headline.replace(/^.*: /, "")];
    };
    const type = [
      "VolumeAttributesClass//gold",
      "parameters[type]",
      "correct parameter type of the VolumeAttributesClass (recreate the VolumeAttributesClass)",
      "parameter type of its VolumeAttributesClass is wrong",
    ];
    assert.deepEqual(refused("", "type: io3"), type);
    assert.deepEqual(refused("type: gp3", "type: io3"), type);
    assert.deepEqual(refused("type: io3", 'throughput: "200"').slice(0, 2), [
      "StorageClass//fast",
      "parameters[type]",
    ]);
    assert.deepEqual(refused("type: gp3", 'throughput: "1000"'), [
      "VolumeAttributesClass//gold",
      "parameters[throughput]",
      "set parameter throughput of the VolumeAttributesClass to at most 0.25 times iops, or raise iops (recreate the VolumeAttributesClass)",
      "parameter throughput of its VolumeAttributesClass is more than 0.25 times iops (3000 if absent)",
    ]);
  });

  test("is the VolumeAttributesClass's name if the claim's driver knows none", () => {
    const attributes = `
apiVersion: storage.k8s.io/v1
kind: VolumeAttributesClass
metadata: {name: gold}
driverName: efs.csi.aws.com
parameters: {iops: "4000"}`;
    const verdict = judge(
      "eks",
      claimRef,
      storageClass("efs.csi.aws.com"),
      attributes,
      claim("storageClassName: fast, volumeAttributesClassName: gold"),
      pod(),
    );
    assert.match(verdict.headline, /: it does not support VolumeAttributesClass$/);
    assert.deepEqual(places(verdict).slice(0, 2), [claimRef, "spec.volumeAttributesClassName"]);
    assert.equal(verdict.fixes[0]?.value, null);
  });

  test("names the missing Secret of the claim's class", () => {
    const verdict = judge(
      "eks",
      claimRef,
      `${storageClass("ebs.csi.aws.com")}
parameters: {csi.storage.k8s.io/provisioner-secret-name: creds, csi.storage.k8s.io/provisioner-secret-namespace: keys}`,
      claim("storageClassName: fast"),
      pod(),
    );
    assert.match(verdict.headline, /: Secret keys\/creds, which its class names, does not exist$/);
    assert.deepEqual(places(verdict), [
      "StorageClass//fast",
      "parameters[csi.storage.k8s.io/provisioner-secret-name]",
      'make Secret "creds" in namespace "keys", or correct the name (recreate the class)',
    ]);
  });

  test("is the class, not the claim, if it does not allow the chosen node", () => {
    const verdict = judge(
      "eks",
      claimRef,
      `${storageClass("ebs.csi.aws.com")}
allowedTopologies: [{matchLabelExpressions: [{key: kubernetes.io/hostname, values: [ip-10-0-1-1]}]}]`,
      claim("storageClassName: fast"),
      pod(),
    );
    assert.deepEqual(places(verdict).slice(0, 2), ["StorageClass//fast", "allowedTopologies"]);
  });

  test("of a pod that no node takes is the current one, not the one of the first attempt", () => {
    const verdict = judge(
      "eks",
      podRef,
      claim("storageClassName: fast"),
      storageClass("ebs.csi.aws.com").replace("WaitForFirstConsumer", "Immediate"),
      pod("nodeSelector: {disk: tape}"),
    );
    // Kubernetes keeps the first message of a series of events; the pod's condition has the current one.
    assert.equal(verdict.reason, "Unschedulable");
    assert.match(verdict.message ?? "", /3 node\(s\) didn't match Pod's node affinity/);
    assert.match(verdict.headline, /it asks for disk=tape$/);
    assert.deepEqual(places(verdict), [
      podRef,
      "spec.nodeSelector",
      "correct the selector, or label the nodes",
    ]);
  });

  test("is a mistyped provisioner, with the one that is meant", () => {
    const verdict = judge(
      "eks",
      claimRef,
      storageClass("ebs.csi.aws.co"),
      claim("storageClassName: fast"),
      pod(),
    );
    assert.deepEqual(verdict.fixes[0], {
      text: 'correct the provisioner to "ebs.csi.aws.com" (recreate the class)',
      at: { ref: "StorageClass//fast", field: "provisioner" },
      value: "ebs.csi.aws.com",
    });
  });

  test("names what belongs to another driver than the claim's class", () => {
    const attributes = `
apiVersion: storage.k8s.io/v1
kind: VolumeAttributesClass
metadata: {name: gold}
driverName: pd.csi.storage.gke.io
parameters: {iops: "4000"}`;
    const verdict = judge(
      "eks",
      claimRef,
      storageClass("ebs.csi.aws.com"),
      attributes,
      claim("storageClassName: fast, volumeAttributesClassName: gold"),
      pod(),
    );
    assert.match(verdict.headline, /: VolumeAttributesClass "gold" is for pd.csi.storage.gke.io$/);
    assert.deepEqual(places(verdict), [
      claimRef,
      "spec.volumeAttributesClassName",
      "use a VolumeAttributesClass of ebs.csi.aws.com",
    ]);
  });

  test("is the class if the provisioner cannot read its parameters", () => {
    const verdict = judge(
      "eks",
      claimRef,
      `${storageClass("ebs.csi.aws.com")}
parameters: {csi.storage.k8s.io/provisioner-secret-name: creds}`,
      claim("storageClassName: fast"),
      pod(),
    );
    assert.match(verdict.headline, /: the parameters of its class are wrong$/);
    assert.deepEqual(places(verdict), [
      "StorageClass//fast",
      "parameters",
      "correct the parameters (recreate the class)",
    ]);
  });

  test("is the class if its driver refuses parameters, and names them", () => {
    const blamed = (
      profile: string,
      provisioner: string,
      parameters: string,
    ): readonly string[] => {
      const of = storageClass(provisioner).replace("WaitForFirstConsumer", "Immediate");
      const spec = "storageClassName: fast";
      const given = `${of}\nparameters: {${parameters}}`;
      const verdict = judge(profile, claimRef, given, claim(spec));
      assert.equal(verdict.root?.ref, "StorageClass//fast");
      const fix = verdict.fixes[0]?.text.replace(" of the class (recreate the class)", "");
      return [verdict.root.field ?? "", fix ?? ""];
    };
    const cases = [
      ["generic", "nfs.csi.k8s.io", "share: /", "parameters", "set parameter server"],
      ["eks", "ebs.csi.aws.com", "typ: gp3", "parameters[typ]", "correct parameter typ"],
      ["eks", "ebs.csi.aws.com", "Type: gp9", "parameters[Type]", "correct parameter type"],
      [
        "generic",
        "driver.longhorn.io",
        'encrypted: "yes"',
        "parameters[encrypted]",
        "write parameter encrypted of the class as a truth value (recreate the class)",
      ],
      [
        "generic",
        "csi.vsphere.vmware.com",
        "diskformat: thin, datastore: ds1",
        "parameters[datastore]",
        "correct parameter datastore",
      ],
      // Azure Disk has one message for several parameters.
      [
        "aks",
        "disk.csi.azure.com",
        "LogicalSectorSize: 4k",
        "parameters[LogicalSectorSize]",
        "write parameter LogicalSectorSize of the class as a whole number (recreate the class)",
      ],
      [
        "eks",
        "ebs.csi.aws.com",
        'ext4BigAlloc: "true", csi.storage.k8s.io/fstype: xfs',
        "parameters[ext4BigAlloc]",
        "leave out ext4BigAlloc (recreate the class)",
      ],
      // Azure Blob's message names softdeleteblobs for this parameter too.
      [
        "aks",
        "blob.csi.azure.com",
        'softDeleteContainers: "400"',
        "parameters[softDeleteContainers]",
        "correct parameter softDeleteContainers",
      ],
      [
        "eks",
        "efs.csi.aws.com",
        'provisioningMode: efs-ap, fileSystemId: fs-1, gidRangeStart: "1"',
        "parameters",
        "set parameter gidRangeEnd",
      ],
    ] as const;
    for (const [profile, provisioner, parameters, ...expected] of cases)
      assert.deepEqual(blamed(profile, provisioner, parameters), expected);
  });

  test("is the claim's size, with the size to request in its own units", () => {
    const small = (provisioner: string, parameters: string, size: string): readonly unknown[] => {
      const of = storageClass(provisioner).replace("WaitForFirstConsumer", "Immediate");
      const ask = claim("storageClassName: fast", size);
      return places(judge(undefined, claimRef, ask, `${of}\nparameters: {${parameters}}`));
    };
    const field = "spec.resources.requests.storage";
    assert.deepEqual(small("driver.longhorn.io", "csi.storage.k8s.io/fstype: xfs", "100Mi"), [
      claimRef,
      field,
      "ask for at least 300Mi",
    ]);
    const hyperdisk = small("pd.csi.storage.gke.io", "type: hyperdisk-balanced", "1Gi");
    assert.deepEqual(hyperdisk, [claimRef, field, "ask for at least 4Gi"]);
    const cold = small("ebs.csi.aws.com", "type: sc1", "10Gi");
    assert.deepEqual(cold, [claimRef, field, "ask for at least 125Gi"]);
    const large = small("ebs.csi.aws.com", "type: gp2", "20Ti");
    assert.deepEqual(large, [claimRef, field, "ask for at most 16Ti"]);
    const uneven = small("csi.exoscale.com", "", "10G");
    assert.deepEqual(uneven, [claimRef, field, "ask for 10Gi"]);
    const ownWords = small("dobs.csi.digitalocean.com", "a: b", "20Ti");
    assert.deepEqual(ownWords, [claimRef, field, "ask for at most 16Ti"]);
  });

  test("of an empty read-only volume is its missing source, not the number of nodes", () => {
    const readers = claim("storageClassName: fast").replace("ReadWriteOnce", "ReadOnlyMany");
    const share = storageClass("cephfs.csi.ceph.com").replace("WaitForFirstConsumer", "Immediate");
    const verdict = judge(
      "generic",
      claimRef,
      readers,
      `${share}\nparameters: {clusterID: c, fsName: f}`,
    );
    assert.match(verdict.headline, /an empty volume cannot be ReadOnlyMany/);
    const [ref, field, fix] = places(verdict);
    assert.deepEqual([ref, field], [claimRef, "spec.accessModes[0]"]);
    assert.match(fix ?? "", /^fill it from a snapshot or claim/);
    const disks = storageClass("pd.csi.storage.gke.io").replace(
      "WaitForFirstConsumer",
      "Immediate",
    );
    const disk = judge("gke", claimRef, readers, `${disks}\nparameters: {type: pd-balanced}`);
    assert.deepEqual(places(disk).slice(0, 2), [claimRef, "spec.accessModes[0]"]);
  });

  test("is the VolumeAttributesClass, not the claim, for a parameter that the driver does not know", () => {
    const attributes = `
apiVersion: storage.k8s.io/v1
kind: VolumeAttributesClass
metadata: {name: quick}
driverName: pd.csi.storage.gke.io
parameters: {iops: "3000", provisioned-throughput: 250Mi}`;
    const verdict = judge(
      "gke",
      claimRef,
      claim("storageClassName: fast, volumeAttributesClassName: quick"),
      attributes,
      storageClass("pd.csi.storage.gke.io").replace("WaitForFirstConsumer", "Immediate"),
    );
    assert.match(verdict.headline, /does not know parameter provisioned-throughput/);
    assert.deepEqual(places(verdict), [
      "VolumeAttributesClass//quick",
      "parameters[provisioned-throughput]",
      "correct parameter provisioned-throughput (recreate the VolumeAttributesClass)",
    ]);
  });

  test("is a class that lacks the IOPS of a provisioned disk, or has them twice", () => {
    const disks = storageClass("ebs.csi.aws.com").replace("WaitForFirstConsumer", "Immediate");
    const of = (parameters: string): Verdict =>
      judge(
        "eks",
        claimRef,
        claim("storageClassName: fast"),
        `${disks}\nparameters: {${parameters}}`,
      );
    const none = of("type: io1");
    assert.match(none.headline, /parameter iops of its class is missing$/);
    assert.equal(places(none)[2], "set parameter iops of the class (recreate the class)");
    const both = of('type: io2, iops: "100", iopsPerGB: "50"');
    assert.match(both.headline, /its class has both iops and iopsPerGB$/);
    assert.deepEqual(places(both), [
      "StorageClass//fast",
      "parameters[iopsPerGB]",
      "leave out iops or iopsPerGB (recreate the class)",
    ]);
  });

  test("is a class that requests too little or too much speed, with a value that would do", () => {
    const disks = storageClass("ebs.csi.aws.com").replace("WaitForFirstConsumer", "Immediate");
    const of = (parameters: string): readonly (string | undefined)[] => {
      const class_ = `${disks}\nparameters: {${parameters}}`;
      const verdict = judge("eks", claimRef, claim("storageClassName: fast"), class_);
      const [, field, fix] = places(verdict);
      return [verdict.headline.replace(/^.*its volume: parameter /, ""), field, fix];
    };
    assert.deepEqual(of('throughput: "1000"'), [
      "throughput of its class is more than 0.25 times iops (3000 if absent)",
      "parameters[throughput]",
      "set parameter throughput of the class to at most 0.25 times iops, or raise iops (recreate the class)",
    ]);
    assert.deepEqual(of('iops: "10000", throughput: "2500"'), [
      "throughput of its class is more than 2000",
      "parameters[throughput]",
      "set parameter throughput of the class to at most 2000 (recreate the class)",
    ]);
    assert.deepEqual(of('type: io2, iopsPerGB: "9"'), [
      "iopsPerGB of its class, times its size in GiB, is less than 100",
      "parameters[iopsPerGB]",
      "raise parameter iopsPerGB of the class (recreate the class), or ask for more",
    ]);
    assert.deepEqual(of('type: io2, iops: "10"').slice(0, 2), [
      "iops of its class is not at least 100",
      "parameters[iops]",
    ]);
  });

  test("of a shared raw disk says how many nodes may share it, and where the class names its driver", () => {
    const shared = claim("storageClassName: fast, volumeMode: Block").replace(
      "ReadWriteOnce",
      "ReadWriteMany",
    );
    const bare = storageClass("disk.csi.azure.com").replace("WaitForFirstConsumer", "Immediate");
    const asks = "set parameter maxShares of the class to at least 2 (recreate the class)";
    const verdict = judge("aks", claimRef, shared, bare);
    assert.match(verdict.headline, /parameter maxShares of its class is not at least 2$/);
    assert.deepEqual(places(verdict), ["StorageClass//fast", "provisioner", asks]);
    const single = judge("aks", claimRef, shared, `${bare}\nparameters: {maxShares: "1"}`);
    assert.deepEqual(places(single), ["StorageClass//fast", "parameters[maxShares]", asks]);
  });

  const ephemeral = pod()
    .replace(
      "name: data, persistentVolumeClaim: {claimName: data}",
      "name: x, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}}}}",
    )
    .replace("name: data, mountPath", "name: x, mountPath");

  test("of a pod is that its ephemeral claim's name is taken, in the scheduler's words", () => {
    const verdict = judge(
      "eks",
      podRef,
      storageClass("ebs.csi.aws.com"),
      claim("storageClassName: fast").replace("{name: data}", "{name: app-x}"),
      ephemeral,
    );
    assert.equal(
      verdict.headline,
      "stays Pending: no node can take it: PVC default/app-x was not created for pod default/app (pod is not owner)",
    );
    assert.deepEqual(places(verdict), [
      podRef,
      "spec.volumes",
      "rename the pod, the volume or the other claim",
    ]);
  });

  test("of a pod says why the API server refuses its ephemeral claim, without advice to make that", () => {
    const quota = `apiVersion: v1
kind: ResourceQuota
metadata: {name: few}
spec: {hard: {persistentvolumeclaims: "0"}}`;
    const verdict = judge("eks", podRef, storageClass("ebs.csi.aws.com"), quota, ephemeral);
    assert.equal(verdict.headline, 'stays Pending: its claim "app-x" cannot be made');
    assert.equal(verdict.reason, "FailedBinding");
    assert.deepEqual(places(verdict), [
      "ResourceQuota/default/few",
      "spec.hard[persistentvolumeclaims]",
      'raise persistentvolumeclaims=0 in spec.hard of quota "few"',
    ]);
    const limits = `apiVersion: v1
kind: LimitRange
metadata: {name: small}
spec: {limits: [{type: PersistentVolumeClaim, max: {storage: 1Mi}}]}`;
    assert.deepEqual(
      places(judge("eks", podRef, storageClass("ebs.csi.aws.com"), limits, ephemeral)),
      [
        podRef,
        "spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources.requests.storage",
        "ask for 1Mi, the maximum that a LimitRange allows",
        "change the LimitRange",
      ],
    );
  });

  test("is a claim template of a size that a LimitRange forbids, with the size that it allows", () => {
    const limits = `apiVersion: v1
kind: LimitRange
metadata: {name: big}
spec: {limits: [{type: PersistentVolumeClaim, min: {storage: 20Gi}}]}`;
    const set = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  serviceName: web
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: a, image: a}]}}
  volumeClaimTemplates:
    - {metadata: {name: logs}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 20Gi}}}}
    - {metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}`;
    const ref = "StatefulSet/default/web";
    const verdict = judge("eks", ref, storageClass("ebs.csi.aws.com"), limits, set);
    const field = "spec.volumeClaimTemplates[1].spec.resources.requests.storage";
    assert.deepEqual(verdict.root, { ref, field });
    const text = "ask for 20Gi, the minimum that a LimitRange allows";
    assert.deepEqual(verdict.fixes[0], { text, at: { ref, field }, value: "20Gi" });
    const twice = set.replace("name: logs", "name: data");
    const second = judge("eks", ref, storageClass("ebs.csi.aws.com"), limits, twice);
    assert.deepEqual(second.root, { ref, field });
  });

  test("of a claim whose only pod names its node is the pod's nodeName", () => {
    const verdict = judge(
      "eks",
      claimRef,
      claim("storageClassName: fast"),
      storageClass("ebs.csi.aws.com"),
      pod("nodeName: ip-10-0-1-1"),
    );
    assert.equal(verdict.kind, "stuck");
    assert.deepEqual(places(verdict).slice(0, 2), [podRef, "spec.nodeName"]);
    assert.match(
      verdict.fixes[0]?.text ?? "",
      /spec.nodeSelector kubernetes.io\/hostname: ip-10-0-1-1/,
    );
  });

  test("of a pod that names its node is its claim's", () => {
    const verdict = judge(
      "eks",
      podRef,
      claim("storageClassName: fast"),
      storageClass("ebs.csi.aws.com"),
      pod("nodeName: ip-10-0-1-1"),
    );
    assert.deepEqual(places(verdict).slice(0, 2), [podRef, "spec.nodeName"]);
  });

  test("of a claim whose class cannot provision is the volume that would fit if it were larger", () => {
    const verdict = judge(
      "bare-metal",
      podRef,
      claim("storageClassName: fast"),
      storageClass("kubernetes.io/no-provisioner"),
      volume(`storageClassName: fast, ${onNode("metal-1")}`, "5Gi"),
      pod(),
    );
    assert.deepEqual(places(verdict), [
      claimRef,
      "spec.resources.requests.storage",
      'raise spec.capacity.storage of volume "pv" to 10Gi',
      'set spec.resources.requests.storage to 5Gi for volume "pv"',
      'create a volume of class "fast" that fits, on a node where the pod may run',
    ]);
  });

  test("of a pod is the field that keeps it away from its volume's nodes", () => {
    const verdict = judge(
      "bare-metal",
      podRef,
      claim("storageClassName: static"),
      volume(`storageClassName: static, ${onNode("metal-1")}`),
      pod("nodeSelector: {kubernetes.io/hostname: metal-2}"),
    );
    assert.match(
      verdict.headline,
      /^stays Pending: volume "pv" is reachable where kubernetes.io\/hostname in \(metal-1\), where the pod may not run: it asks for kubernetes.io\/hostname=metal-2$/,
    );
    assert.deepEqual(places(verdict).slice(0, 2), [podRef, "spec.nodeSelector"]);
  });

  test("of a pod has both the place of its claim's only volume and what keeps the pod away", () => {
    const late = storageClass("kubernetes.io/no-provisioner");
    const parts = [late, claim("storageClassName: fast")];
    const elsewhere = judge(
      "bare-metal",
      podRef,
      ...parts,
      volume(`storageClassName: fast, ${onNode("metal-1")}`),
      pod("nodeSelector: {kubernetes.io/hostname: metal-2}"),
    );
    assert.equal(
      elsewhere.headline,
      'stays Pending: volume "pv" fits claim "data", but is reachable where kubernetes.io/hostname in (metal-1), where the pod may not run: it asks for kubernetes.io/hostname=metal-2',
    );
    assert.deepEqual(places(elsewhere), [
      podRef,
      "spec.nodeSelector",
      "let the pod run where its volume is: kubernetes.io/hostname in (metal-1)",
    ]);
    const nowhere = judge(
      "kind",
      podRef,
      ...parts,
      volume(`storageClassName: fast, ${onNode("metal-9")}`),
      pod(),
    );
    assert.equal(
      nowhere.headline,
      'stays Pending: claim "data" gets no volume on any node: no node reaches "pv" (kubernetes.io/hostname in (metal-9)), which fits, and class "fast" provisions none',
    );
    assert.deepEqual(places(nowhere).slice(0, 3), [
      "PersistentVolume//pv",
      "spec.nodeAffinity",
      'set spec.nodeAffinity of volume "pv" to nodes that the cluster has',
    ]);
  });

  test("of a pod has both where its class makes volumes and what keeps the pod away", () => {
    const zone = "topology.kubernetes.io/zone";
    const verdict = judge(
      "eks",
      podRef,
      claim("storageClassName: fast"),
      `${storageClass("ebs.csi.aws.com")}
allowedTopologies: [{matchLabelExpressions: [{key: ${zone}, values: [us-east-1a]}]}]`,
      pod(`nodeSelector: {${zone}: us-east-1b}`),
    );
    assert.equal(
      verdict.headline,
      `stays Pending: class "fast" makes volumes where ${zone} in (us-east-1a), where the pod may not run: it asks for ${zone}=us-east-1b`,
    );
    assert.deepEqual(places(verdict).slice(0, 2), [podRef, "spec.nodeSelector"]);
  });

  test("is told by the node that reaches the volume, not by the first that refuses the pod", () => {
    const verdict = judge(
      "bare-metal",
      podRef,
      claim("storageClassName: static"),
      volume(`storageClassName: static, ${onNode("c")}`),
      pod(),
      node("a", "taints: [{key: gpu, effect: NoSchedule}]"),
      node("b", ""),
      node("c", "taints: [{key: old, effect: NoSchedule}]"),
    );
    assert.match(
      verdict.headline,
      /where the pod may not run: it does not tolerate old:NoSchedule$/,
    );
  });

  test("has in words what a pod's claims require of a node", () => {
    const wanted = (...manifests: readonly string[]): readonly string[] =>
      judge("bare-metal", podRef, pod(), node("b", ""), ...manifests).candidates.flatMap(
        ({ failed }) => failed.map((rule) => rule.wanted),
      );
    const bound = claim("storageClassName: static");
    assert.deepEqual(wanted(bound, volume(`storageClassName: static, ${onNode("c")}`)), [
      'a node that can reach volume "pv"',
    ]);
    const waiting = claim("storageClassName: fast");
    assert.deepEqual(wanted(waiting, storageClass("kubernetes.io/no-provisioner")), [
      'a volume for claim "data"',
    ]);
    assert.deepEqual(wanted(claim("storageClassName: absent")), ['claim "data" bound']);
  });

  test("has each node's own reason and name if these differ", () => {
    const verdict = judge(
      "bare-metal",
      podRef,
      `
apiVersion: v1
kind: Pod
metadata: {name: app}
spec:
  nodeSelector: {disk: ssd}
  containers: [{name: app, image: busybox}]`,
      node("a", "taints: [{key: gpu, effect: NoSchedule}]"),
      node("b", ""),
      node("c", "unschedulable: true"),
      node("d", ""),
    );
    assert.equal(
      verdict.headline,
      "stays Pending: no node can take it (a: it does not tolerate gpu:NoSchedule; b, d: it asks for disk=ssd; c: the node is cordoned)",
    );
    assert.deepEqual(places(verdict), [
      podRef,
      "spec",
      "add a toleration to the pod, or remove the taint",
      "kubectl uncordon the nodes",
      "correct the selector, or label the nodes",
    ]);
  });

  for (const [what, label, change] of [
    [
      "of too many like it is told how more may come",
      "zone: south",
      "make room in the domains with fewer pods, raise maxSkew, or set whenUnsatisfiable: ScheduleAnyway",
    ],
    [
      "on nodes without the label is told to label them",
      "disk: any",
      "label the nodes, or set whenUnsatisfiable: ScheduleAnyway",
    ],
  ] as const)
    test(`of a pod that its spread keeps from nodes ${what}`, () => {
      const verdict = judge(
        "generic",
        podRef,
        `
apiVersion: v1
kind: Pod
metadata: {name: other, labels: {app: web}}
spec:
  nodeName: south
  containers: [{name: app, image: busybox}]`,
        `
apiVersion: v1
kind: Pod
metadata: {name: app, labels: {app: web}}
spec:
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: zone
      whenUnsatisfiable: DoNotSchedule
      labelSelector: {matchLabels: {app: web}}
  containers: [{name: app, image: busybox}]`,
        node("south", "", label),
        node("north", "unschedulable: true", "zone: north"),
      );
      assert.deepEqual(places(verdict).slice(0, 3), [podRef, "spec", change]);
    });

  test("is the taint that keeps a pod from its volume, or from every node", () => {
    const tainted = `
apiVersion: v1
kind: Node
metadata: {name: db, labels: {kubernetes.io/hostname: db}}
spec: {taints: [{key: dedicated, value: db, effect: NoSchedule}]}`;
    const free = tainted.replaceAll("db, ", "free, ").replace("hostname: db", "hostname: free");
    const parts = [
      claim("storageClassName: static"),
      volume(`storageClassName: static, ${onNode("db")}`),
    ];
    const far = judge("bare-metal", podRef, ...parts, pod(), tainted, free.replace(/spec:.*/, ""));
    assert.match(
      far.headline,
      /where the pod may not run: it does not tolerate dedicated=db:NoSchedule$/,
    );
    assert.deepEqual(places(far), [
      podRef,
      "spec.tolerations",
      "tolerate dedicated=db:NoSchedule in spec.tolerations",
    ]);
    const everywhere = judge("bare-metal", podRef, ...parts, pod(), tainted);
    assert.equal(
      everywhere.headline,
      "stays Pending: no node can take it: it does not tolerate dedicated=db:NoSchedule",
    );
  });

  test("of a pod has the skew that its topology spread would have", () => {
    const spread = pod(
      "topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: a}}}]",
    ).replace("{name: app}", "{name: app, labels: {app: a}}");
    const others = ["one", "two"].map((name) =>
      pod("nodeName: a").replace("{name: app}", `{name: ${name}, labels: {app: a}}`),
    );
    const nodes = [node("a", ""), node("b", "unschedulable: true")];
    const placed = [claim("storageClassName: x"), volume(`storageClassName: x, ${onNode("a")}`)];
    assert.match(
      judge("bare-metal", podRef, ...nodes, ...placed, ...others, spread).headline,
      /its spread asks for a skew of at most 1 over kubernetes.io\/hostname, and would have a skew of 3;/,
    );
  });

  test("is the Immediate class if its volumes were made in different zones before the pod", () => {
    const immediate = storageClass("ebs.csi.aws.com").replace("WaitForFirstConsumer", "Immediate");
    const second = claim("storageClassName: fast").replace("{name: data}", "{name: logs}");
    const both = pod().replace(
      "claimName: data}}]",
      "claimName: data}}, {name: logs, persistentVolumeClaim: {claimName: logs}}]",
    );
    const verdict = judge("eks", podRef, immediate, claim("storageClassName: fast"), second, both);
    assert.match(
      verdict.headline,
      /^stays Pending: no node reaches both the volume of claim "logs" \(.*\) and the volume of claim "data" \(/,
    );
    assert.deepEqual(places(verdict).slice(0, 2), ["StorageClass//fast", "volumeBindingMode"]);
    assert.equal(verdict.fixes[0]?.value, "WaitForFirstConsumer");
  });

  test("is a class that makes volumes in no place of a node, with the value that no node has", () => {
    const limited = (mode: string, values: string) =>
      `${storageClass("ebs.csi.aws.com").replace("WaitForFirstConsumer", mode)}
allowedTopologies: [{matchLabelExpressions: [{key: topology.kubernetes.io/zone, values: [${values}]}]}]`;
    const nodes = ["us-east-1a", "us-east-1b", "us-east-1c"].map(
      (zone) => `
apiVersion: v1
kind: Node
metadata: { name: node-${zone}, labels: { topology.kubernetes.io/zone: ${zone} } }`,
    );
    const waiting = judge(
      "eks",
      podRef,
      ...nodes,
      claim("storageClassName: fast"),
      limited("WaitForFirstConsumer", "mars-1a"),
      pod(),
    );
    const change =
      'let allowedTopologies of class "fast" name a place that nodes have (recreate the class)';
    const value = "allowedTopologies[0].matchLabelExpressions[0].values[0]";
    assert.deepEqual(places(waiting).slice(0, 3), ["StorageClass//fast", value, change]);
    const hasty = judge(
      "eks",
      claimRef,
      ...nodes,
      claim("storageClassName: fast"),
      limited("Immediate", "mars-1a"),
    );
    assert.equal(
      hasty.headline,
      "stays Pending: ebs.csi.aws.com cannot provision its volume: its class allows volumes where no node is (mars-1a)",
    );
    assert.deepEqual(places(hasty), [
      "StorageClass//fast",
      value,
      change,
      ...["us-east-1a", "us-east-1b", "us-east-1c"].map(
        (zone) => `let class "fast" make volumes where topology.kubernetes.io/zone is ${zone}`,
      ),
    ]);
    const lost = judge(
      "eks",
      claimRef,
      ...nodes,
      ...nodes,
      claim("storageClassName: fast"),
      limited("Immediate", "mars-1a, mars-1b"),
    );
    assert.deepEqual(places(lost), ["StorageClass//fast", "allowedTopologies", change]);
  });

  test("of a claim is the storage with too little room, if the manifests say how much it has", () => {
    const capacity = `
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: lvm.example.com}
spec: {storageCapacity: true}
---
apiVersion: storage.k8s.io/v1
kind: CSIStorageCapacity
metadata: {name: room, namespace: kube-system}
storageClassName: fast
capacity: 5Gi
nodeTopology: {}`;
    const verdict = judge(
      "generic",
      podRef,
      storageClass("lvm.example.com"),
      capacity,
      claim("storageClassName: fast"),
      pod(),
    );
    assert.match(verdict.message ?? "", /node\(s\) did not have enough free storage/);
    assert.match(verdict.headline, /: class fast has room for at most 5Gi \(CSIStorageCapacity\)$/);
    const asks = "spec.resources.requests.storage";
    assert.deepEqual(places(verdict).slice(0, 2), [claimRef, asks]);
    assert.deepEqual(verdict.fixes, [
      { text: "ask for 5Gi at most", at: { ref: claimRef, field: asks }, value: "5Gi" },
      {
        text: "use a class whose storage has more room",
        at: { ref: claimRef, field: asks },
      },
    ]);
    const nowhere = judge(
      "generic",
      podRef,
      storageClass("lvm.example.com"),
      capacity.replace("nodeTopology: {}", "nodeTopology: {matchLabels: {rack: r9}}"),
      claim("storageClassName: fast"),
      pod(),
    );
    assert.match(nowhere.headline, /: no CSIStorageCapacity of class fast for the node$/);
    assert.deepEqual(places(nowhere).slice(0, 2), [claimRef, "spec.storageClassName"]);
    assert.match(nowhere.fixes[0]?.text ?? "", /publish its capacity there/);
  });

  test("of a pod has advice if one volume is where the storage of the other has no room", () => {
    const manifests = `
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: lvm.example.com}
spec: {storageCapacity: true}
---
apiVersion: v1
kind: Node
metadata: {name: near, labels: {kubernetes.io/hostname: near, rack: r1}}
---
apiVersion: v1
kind: Node
metadata: {name: far, labels: {kubernetes.io/hostname: far, rack: r2}}
---
apiVersion: storage.k8s.io/v1
kind: CSIStorageCapacity
metadata: {name: room, namespace: kube-system}
storageClassName: fast
capacity: 50Gi
nodeTopology: {matchLabels: {rack: r2}}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: here}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  local: {path: /mnt}
  claimRef: {namespace: default, name: old}
  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: rack, operator: In, values: [r1]}]}]}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: old}
spec: {accessModes: [ReadWriteOnce], storageClassName: "", volumeName: here, resources: {requests: {storage: 1Gi}}}`;
    const user = pod().replace(
      "volumes: [",
      "volumes: [{name: old, persistentVolumeClaim: {claimName: old}}, ",
    );
    const verdict = judge(
      "generic",
      podRef,
      storageClass("lvm.example.com"),
      manifests,
      claim("storageClassName: fast"),
      user,
    );
    assert.match(
      verdict.headline,
      /volume "here" is reachable where rack in \(r1\), where the pod may not run: no CSIStorageCapacity/,
    );
    assert.match(verdict.fixes[0]?.text ?? "", /publish its capacity there/);
  });

  test("of a pod is that no node may attach more volumes", () => {
    const limited = `
apiVersion: v1
kind: Node
metadata: {name: full, labels: {kubernetes.io/hostname: full, topology.kubernetes.io/zone: a}}
---
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: {name: full}
spec: {drivers: [{name: ebs.csi.aws.com, nodeID: full, topologyKeys: [topology.ebs.csi.aws.com/zone], allocatable: {count: 0}}]}`;
    const verdict = judge(
      "eks",
      podRef,
      limited,
      storageClass("ebs.csi.aws.com"),
      claim("storageClassName: fast"),
      pod(),
    );
    assert.equal(
      verdict.headline,
      "stays Pending: no node can take it: it needs 1 more volume of ebs.csi.aws.com, and a node may have none",
    );
    const two = pod().replace(/\]$/, ", {name: more, persistentVolumeClaim: {claimName: more}}]");
    const pair = judge(
      "eks",
      podRef,
      limited.replace("count: 0", "count: 1"),
      storageClass("ebs.csi.aws.com"),
      claim("storageClassName: fast"),
      claim("storageClassName: fast").replace("name: data", "name: more"),
      two,
    );
    assert.match(pair.headline, /2 more volumes of .*, and a node may have no more than 1$/);
    assert.deepEqual(
      pair.fixes.map(({ text }) => text),
      ["give the pod fewer volumes of ebs.csi.aws.com, or the cluster nodes that may have as many"],
    );
    const second = judge(
      "eks",
      "Pod/default/second",
      limited.replace("count: 0", "count: 1"),
      storageClass("ebs.csi.aws.com"),
      claim("storageClassName: fast"),
      pod(),
      claim("storageClassName: fast").replace("name: data", "name: more"),
      pod().replace("name: app", "name: second").replace("claimName: data", "claimName: more"),
    );
    assert.deepEqual(
      second.fixes.map(({ text }) => text),
      ["spread the pods over more nodes, or let them share volumes"],
    );
  });

  test("is a volume of the claim's class that is too small, rather than a class that is not needed", () => {
    const verdict = judge(
      "bare-metal",
      claimRef,
      claim("storageClassName: static"),
      volume(`storageClassName: static, ${onNode("metal-1")}`, "5Gi"),
    );
    assert.match(verdict.headline, /^stays Pending: no volume of class "static" fits/);
    assert.equal(verdict.fixes[0]?.text, 'raise spec.capacity.storage of volume "pv" to 10Gi');
  });

  test("is the state of a Released volume that would fit, for the volume and for the claim", () => {
    const released = `${volume(
      `storageClassName: static, persistentVolumeReclaimPolicy: Retain, claimRef: {namespace: default, name: data, uid: gone}, ${onNode("metal-1")}`,
    )}\nstatus: {phase: Released}`;
    const verdict = judge("bare-metal", claimRef, released, claim("storageClassName: static"));
    assert.deepEqual(places(verdict).slice(0, 2), ["PersistentVolume//pv", "spec.claimRef"]);
    assert.match(verdict.headline, /is Released and kept for an earlier claim of this name/);
  });

  test("of a pod is its inline disk if that is attached to another node", () => {
    const own = (name: string, on: string): string =>
      pod(`nodeName: ${on}`)
        .replace("{name: app}", `{name: ${name}}`)
        .replace(
          /volumes: .*/,
          "volumes: [{name: tmp, emptyDir: {}}, {name: data, awsElasticBlockStore: {volumeID: vol-1}}]",
        );
    const nodes = [node("n1", ""), node("n2", "")];
    const pods = [own("app", "n1"), own("rival", "n2")];
    const held = ["Pod/default/app", "Pod/default/rival"]
      .map((ref) => judge("eks", ref, ...nodes, ...pods))
      .find(({ message }) => message?.startsWith("Multi-Attach error") === true);
    assert.match(held?.message ?? "", /for volume "ebs\.csi\.aws\.com-vol-1" Volume is already/);
    assert.equal(held?.root?.field, "spec.volumes[1].awsElasticBlockStore");
  });

  test("is the list that has a Block volume among the mounts", () => {
    const verdict = judge(
      "eks",
      podRef,
      claim("storageClassName: fast, volumeMode: Block"),
      storageClass("ebs.csi.aws.com"),
      pod(),
    );
    assert.deepEqual(places(verdict), [
      podRef,
      "spec.containers[0].volumeMounts[0]",
      'list "data" in volumeDevices, or make its claim with volumeMode Filesystem',
    ]);
  });

  test("is a quota that stops a StatefulSet, with its numbers", () => {
    const quota = `
apiVersion: v1
kind: ResourceQuota
metadata: {name: compute}
spec: {hard: {requests.storage: 15Gi}}`;
    const set = `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 2
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: db, image: busybox, volumeMounts: [{name: data, mountPath: /d}]}]}
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 10Gi}}}`;
    const verdict = judge(
      "eks",
      "StatefulSet/default/db",
      quota,
      storageClass("ebs.csi.aws.com"),
      set,
    );
    assert.deepEqual(places(verdict), [
      "ResourceQuota/default/compute",
      "spec.hard[requests.storage]",
      'raise requests.storage=15Gi in spec.hard of quota "compute", or ask for 5Gi at most',
    ]);
  });

  test('class "" is told that the default class would be filled in without it', () => {
    const standard = storageClass("ebs.csi.aws.com").replace(
      "{name: fast}",
      '{name: fast, annotations: {storageclass.kubernetes.io/is-default-class: "true"}}',
    );
    const verdict = judge("eks", claimRef, standard, claim('storageClassName: ""'));
    assert.match(verdict.fixes[0]?.text ?? "", /^remove spec.storageClassName/);
  });
});

suite("the cause of a failed attach or mount", () => {
  const byHand = (
    driver: string,
    mode: string,
    attributes = "",
    profile = "eks",
    { of = podRef, handle = "v" } = {},
  ): Verdict => {
    const volume = `
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv}
spec:
  capacity: {storage: 10Gi}
  accessModes: [${mode}]
  claimRef: {namespace: default, name: data}
  csi: {driver: ${driver}, volumeHandle: ${handle}, volumeAttributes: {${attributes}}}`;
    const bound = claim('storageClassName: "", volumeName: pv').replace("ReadWriteOnce", mode);
    return judge(profile, of, volume, bound, pod());
  };

  test("is a bucket that is for one node, or that no attribute names", () => {
    const refused =
      /^MountVolume\.SetUp failed for volume "pv" : rpc error: code = InvalidArgument desc = /;
    for (const [mode, attributes, words] of [
      ["ReadWriteOnce", "bucketName: b", "Volume capability not supported"],
      ["ReadWriteMany", "bucket: b", "Bucket name not provided"],
    ] as const) {
      const { message = "" } = byHand("s3.csi.aws.com", mode, attributes);
      assert.match(message, refused);
      assert.equal(message.replace(refused, ""), words);
    }
    assert.equal(byHand("s3.csi.aws.com", "ReadWriteMany", "bucketName: b").kind, "healthy");
  });

  test("is a static disk for many nodes, or a share that is read-only", () => {
    assert.equal(
      byHand("ebs.csi.aws.com", "ReadWriteMany").message,
      'AttachVolume.Attach failed for volume "pv" : rpc error: code = InvalidArgument desc = Volume capability not supported',
    );
    assert.match(
      byHand("efs.csi.aws.com", "ReadOnlyMany").message ?? "",
      /desc = Volume capability not supported: invalid access mode: MULTI_NODE_READER_ONLY$/,
    );
  });

  test("is the attribute of the volume, wherever it was written", () => {
    const ways = [
      [byHand("efs.csi.aws.com", "ReadWriteMany"), "spec.csi.volumeHandle"],
      [
        byHand("efs.csi.aws.com", "ReadWriteMany", "subPath: /a"),
        "spec.csi.volumeAttributes[subPath]",
      ],
      [byHand("efs.csi.aws.com", "ReadWriteMany", 'path: ""'), "spec.csi.volumeAttributes[path]"],
      [byHand("nfs.csi.k8s.io", "ReadWriteMany", "server: s"), "spec.csi.volumeAttributes"],
      [byHand("rbd.csi.ceph.com", "ReadWriteOnce", 'staticVolume: "true"'), "spec.csi"],
      [byHand("pd.csi.storage.gke.io", "ReadWriteOnce", "", "gke"), "spec.csi.volumeHandle"],
    ] as const;
    for (const [{ kind, root }, field] of ways)
      assert.deepEqual([kind, root], ["fails", { ref: "PersistentVolume//pv", field }]);
    assert.equal(
      byHand("nfs.csi.k8s.io", "ReadWriteMany", "server: s").fixes[0]?.text,
      "set share in volumeAttributes (recreate the volume)",
    );
  });

  test("is the same field for the attachment, with what to write there", () => {
    const given = ["pd.csi.storage.gke.io", "ReadWriteOnce", "", "gke"] as const;
    const [ofPod, ofAttachment] = [byHand(...given), byHand(...given, { of: "VolumeAttachment/" })];
    assert.deepEqual(ofAttachment.root, ofPod.root);
    assert.deepEqual(ofAttachment.fixes, ofPod.fixes);
  });

  test("is the missing key for an encrypted Longhorn volume on its node, which the class names", () => {
    const secret = (use: string): string =>
      `, csi.storage.k8s.io/${use}-secret-name: key, csi.storage.k8s.io/${use}-secret-namespace: default`;
    const ofClass = (encrypted: string, more = ""): Verdict =>
      judge(
        "longhorn",
        podRef,
        `${storageClass("driver.longhorn.io")}
parameters: {encrypted: "${encrypted}"${more}}`,
        claim("storageClassName: fast"),
        pod(),
        "apiVersion: v1\nkind: Secret\nmetadata: {name: key}\nstringData: {CRYPTO_KEY_VALUE: x}",
      );
    const keyless = ofClass("true");
    assert.match(keyless.message ?? "", /desc = missing passphrase for encrypted volume /);
    assert.deepEqual(keyless.root, { ref: "StorageClass//fast", field: "parameters" });
    assert.equal(ofClass("false").kind, "healthy");
    assert.equal(ofClass("true", secret("node-stage")).kind, "healthy");
  });

  test("of EKS Auto Mode is none for a class that allows its nodes, and the provisioner of gp2", () => {
    const auto = `${storageClass("ebs.csi.eks.amazonaws.com")}
allowedTopologies: [{matchLabelExpressions: [{key: eks.amazonaws.com/compute-type, values: [auto]}]}]`;
    const fast = judge(undefined, podRef, auto, claim("storageClassName: fast"), pod());
    assert.equal(fast.kind, "healthy");
    const shipped = judge(undefined, claimRef, auto, claim("storageClassName: gp2"), pod());
    assert.match(
      shipped.headline,
      /nothing in this cluster runs the provisioner "ebs.csi.aws.com", which stands in for kubernetes.io\/aws-ebs$/,
    );
  });

  test("is none for either driver of EKS with Auto Mode beside other nodes", () => {
    const own = storageClass("ebs.csi.aws.com").replace("fast", "own");
    const auto = `${storageClass("ebs.csi.eks.amazonaws.com")}
allowedTopologies: [{matchLabelExpressions: [{key: eks.amazonaws.com/compute-type, values: [auto]}]}]
---${own}`;
    for (const name of ["fast", "own"])
      assert.equal(
        judge(undefined, podRef, auto, claim(`storageClassName: ${name}`), pod()).kind,
        "healthy",
        name,
      );
  });

  const disk = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/disks/d";

  test("is a cloud disk's incomplete id, or an access mode that it cannot have", () => {
    const azure = "disk.csi.azure.com";
    const google = "projects/p/zones/z/disks/d";
    for (const [verdict, words, field] of [
      [
        byHand(azure, "ReadWriteOnce", "", "aks"),
        "code = NotFound desc = Volume not found, failed with error: invalid URI: v",
        "spec.csi.volumeHandle",
      ],
      [
        byHand(azure, "ReadOnlyMany", "", "aks", { handle: disk }),
        "code = InvalidArgument desc = mountVolume is not supported for access mode: MULTI_NODE_READER_ONLY",
        "spec.accessModes",
      ],
      [
        byHand("pd.csi.storage.gke.io", "ReadWriteMany", "", "gke", { handle: google }),
        "code = InvalidArgument desc = VolumeCapabilities is invalid: specified multi writer with mount access type",
        "spec.accessModes",
      ],
    ] as const) {
      assert.equal(
        verdict.message,
        `AttachVolume.Attach failed for volume "pv" : rpc error: ${words}`,
      );
      assert.deepEqual(verdict.root, { ref: "PersistentVolume//pv", field });
    }
    assert.equal(byHand(azure, "ReadWriteOnce", "", "aks", { handle: disk }).kind, "healthy");
  });

  test("is an Ultra Disk's caching, which the class has to turn off", () => {
    const ofClass = (caching: string): Verdict =>
      judge(
        "aks",
        podRef,
        `${storageClass("disk.csi.azure.com")}
parameters: {skuName: UltraSSD_LRS${caching}}`,
        claim("storageClassName: fast"),
        pod(),
      );
    const silent = ofClass("");
    assert.match(silent.message ?? "", /not supported with caching type ReadOnly\./);
    assert.deepEqual(silent.root, { ref: "StorageClass//fast", field: "parameters" });
    const said = ofClass(", cachingmode: ReadWrite");
    assert.match(said.message ?? "", /not supported with caching type ReadWrite\./);
    assert.deepEqual(said.root, { ref: "StorageClass//fast", field: "parameters[cachingmode]" });
    assert.equal(
      said.fixes[0]?.text,
      "set cachingMode: None among the class's parameters (recreate class and claim)",
    );
    assert.equal(ofClass(", cachingMode: None").kind, "healthy");
    const [attributes, key] = ["spec.csi.volumeAttributes", "cachingMode"];
    for (const [caching, field] of [
      ["", attributes],
      [", cachingMode: ReadWrite", `${attributes}[${key}]`],
      // The driver's message is the same as without cachingMode.
      [", cachingMode: ReadOnly", `${attributes}[${key}]`],
    ] as const) {
      const given = `skuName: UltraSSD_LRS${caching}`;
      const ofVolume = byHand("disk.csi.azure.com", "ReadWriteOnce", given, "aks", {
        handle: disk,
      });
      assert.deepEqual(ofVolume.root, { ref: "PersistentVolume//pv", field });
      assert.equal(
        ofVolume.fixes[0]?.text,
        "set cachingMode: None in volumeAttributes (recreate the volume)",
      );
    }
  });

  test("is an inline volume of secrets that is not read-only", () => {
    const { message, root, fixes } = judge(
      undefined,
      podRef,
      `
apiVersion: v1
kind: Pod
metadata: {name: app}
spec:
  containers: [{name: app, image: busybox, volumeMounts: [{name: keys, mountPath: /keys}]}]
  volumes:
  - name: keys
    csi: {driver: secrets-store.csi.k8s.io, volumeAttributes: {secretProviderClass: keys}}`,
    );
    assert.match(message ?? "", /code = InvalidArgument desc = Readonly is not true in request$/);
    const at = { ref: podRef, field: "spec.volumes[0].csi.readOnly" };
    assert.deepEqual(root, at);
    assert.deepEqual(fixes, [{ text: "set readOnly: true", at, value: true }]);
  });

  test("is a class without the secrets of its driver, for the claim and for the pod", () => {
    const ofCeph = (more: string): string => `${storageClass("rook-ceph.rbd.csi.ceph.com")}
parameters: {clusterID: rook-ceph, pool: replicapool${more}}`;
    const secret = (use: string, name: string): string =>
      `, csi.storage.k8s.io/${use}-secret-name: ${name}, csi.storage.k8s.io/${use}-secret-namespace: rook-ceph`;
    const provisioner = secret("provisioner", "rook-csi-rbd-provisioner");
    const root = { ref: "StorageClass//fast", field: "parameters" };
    const unmade = judge("rook-ceph", claimRef, ofCeph(""), claim("storageClassName: fast"), pod());
    assert.deepEqual(unmade.root, root);
    assert.match(unmade.headline, /: its class names no secret for the driver$/);
    const unmounted = judge(
      "rook-ceph",
      podRef,
      ofCeph(provisioner),
      claim("storageClassName: fast"),
      pod(),
    );
    assert.match(unmounted.message ?? "", /desc = stage secrets cannot be nil or empty$/);
    assert.deepEqual(unmounted.root, root);
    const whole = ofCeph(provisioner + secret("node-stage", "rook-csi-rbd-node"));
    const runs = judge("rook-ceph", podRef, whole, claim("storageClassName: fast"), pod());
    assert.equal(runs.kind, "healthy");
  });
});

suite("the cause of a failure to make a volume", () => {
  const ofClass = (name: string, spec: string): Verdict => {
    const { requiredParameters = [], parameterValues = {} } = knownDriver(name) ?? {};
    const parameters = Object.fromEntries(
      requiredParameters.map((key) => [key, parameterValues[key]?.[0] ?? "x"]),
    );
    return judge(
      undefined,
      "PersistentVolumeClaim/default/data",
      `${storageClass(name).replace("WaitForFirstConsumer", "Immediate")}
parameters: ${JSON.stringify(parameters)}`,
      claim(`storageClassName: fast, ${spec}`),
    );
  };

  for (const { name, traits } of knownDrivers) {
    if (traits.hasController === false || traits.volumeModes?.includes("Block") !== false) continue;
    test(`of ${name} is the volumeMode of a Block claim`, () => {
      const { kind, root } = ofClass(name, "volumeMode: Block");
      assert.deepEqual([kind, root?.field], ["fails", "spec.volumeMode"]);
    });
  }

  test("is a mistyped provisioner, with no advice to install it or to use another class", () => {
    const { root, fixes } = judge(
      "eks",
      claimRef,
      storageClass("ebs.csi.aws.co"),
      claim("storageClassName: fast"),
      pod(),
    );
    assert.deepEqual(root, { ref: "StorageClass//fast", field: "provisioner" });
    assert.deepEqual(fixes, [
      {
        text: 'correct the provisioner to "ebs.csi.aws.com" (recreate the class)',
        at: root,
        value: "ebs.csi.aws.com",
      },
    ]);
  });

  test("is a driver that only mounts existing storage", () => {
    for (const [driver, way] of [
      ["secrets-store.csi.k8s.io", /^name "secrets-store.csi.k8s.io" in a volume of the pod/],
      ["s3.csi.aws.com", /^write a PersistentVolume of "s3.csi.aws.com" by hand/],
    ] as const) {
      const { kind, headline, root, fixes } = ofClass(driver, "");
      assert.equal(kind, "stuck");
      assert.match(headline, /: driver "\S+" makes no volumes$/);
      assert.deepEqual(root, { ref: "StorageClass//fast", field: "provisioner" });
      assert.match(fixes[0]?.text ?? "", way);
    }
  });
});
