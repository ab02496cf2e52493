import assert from "node:assert/strict";
import { meantDriver } from "../../../src/engine/csi/catalogue/mistyped-driver.ts";
import { nodeAffinityText } from "../../../src/engine/matching/node-affinity.ts";
import { assumeCluster, profileNames } from "../../../src/engine/profiles/assume-cluster.ts";
import type { Manifest } from "../../../src/engine/scenario.ts";
import { assumedRun } from "../../support/assumed-run.ts";

function storageClass(provisioner: string, name = "fast"): Manifest {
  return { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata: { name }, provisioner };
}

suite("assumed cluster", () => {
  test("is generic without a hint: three zones with a node in each", () => {
    const { cluster, from } = assumeCluster([]);
    assert.equal(cluster.name, "generic");
    assert.equal(from, "default");
    assert.deepEqual(
      cluster.nodes.map((node) => node.zone),
      ["zone-a", "zone-b", "zone-c"],
    );
  });

  test("is guessed from the drivers that classes, volumes and pods name", () => {
    const volume = {
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: "pv" },
      spec: { csi: { driver: "nasplugin.csi.alibabacloud.com", volumeHandle: "v" } },
    };
    assert.equal(assumeCluster([volume]).cluster.name, "ack");
    assert.equal(assumeCluster([storageClass("pd.csi.storage.gke.io")]).cluster.name, "gke");
    const guess = assumeCluster([storageClass("ebs.csi.aws.com")]);
    assert.deepEqual([guess.cluster.name, guess.from], ["eks", "guess"]);
  });

  test("has the drivers and classes that the pods of a CronJob use", () => {
    const spec = {
      volumes: [
        { name: "keys", csi: { driver: "secrets-store.csi.k8s.io" } },
        {
          name: "own",
          ephemeral: { volumeClaimTemplate: { spec: { storageClassName: "premium-rwo" } } },
        },
      ],
    };
    const jobTemplate = { spec: { template: { spec } } };
    const { cluster, assumedDrivers } = assumeCluster([
      { apiVersion: "batch/v1", kind: "CronJob", metadata: { name: "x" }, spec: { jobTemplate } },
    ]);
    assert.deepEqual(assumedDrivers, ["secrets-store.csi.k8s.io"]);
    assert.equal(cluster.name, "gke");
  });

  test("is guessed from a class that claims request, if no driver is named and only one distribution ships it", () => {
    const claim = (storageClassName: string): Manifest => ({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "data" },
      spec: { storageClassName },
    });
    const set = {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: { name: "db" },
      spec: { volumeClaimTemplates: [claim("standard-rwo")] },
    };
    const volume = {
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: "disk" },
      spec: { storageClassName: "longhorn" },
    };
    const guessed = (...objects: readonly Manifest[]): string =>
      assumeCluster(objects).cluster.name;
    assert.equal(guessed(claim("longhorn")), "longhorn");
    assert.equal(assumeCluster([claim("longhorn")]).from, "guess");
    assert.equal(guessed(set), "gke");
    assert.equal(guessed(claim("longhorn"), storageClass("ebs.csi.aws.com")), "eks");
    // Several distributions or none ship these; below, the files have the class themselves.
    for (const name of ["standard", "default", "fast"])
      assert.equal(guessed(claim(name)), "generic");
    assert.equal(guessed(claim("longhorn"), volume), "generic");
    assert.equal(guessed(claim("gp2"), storageClass("csi.example.com", "gp2")), "generic");
  });

  suite("without a Node in the manifests", () => {
    const volumeOn = (...expressions: readonly (readonly [string, ...string[]])[]): Manifest => ({
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: expressions.join() },
      spec: {
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              {
                matchExpressions: expressions.map(([key, ...values]) => ({
                  key,
                  operator: "In",
                  values,
                })),
              },
            ],
          },
        },
      },
    });
    const host = "kubernetes.io/hostname";
    const namesOf = (objects: readonly Manifest[], profile?: string): string =>
      assumeCluster(objects, profile)
        .cluster.nodes.map(({ name }) => name)
        .join(" ");

    test("the hosts that volumes name replace nodes with invented names", () => {
      assert.equal(namesOf([volumeOn([host, "store-1"])]), "store-1 node-2 node-3");
      assert.equal(namesOf([volumeOn([host, "node-1"])]), "node-1 node-2 node-3");
      assert.equal(namesOf([volumeOn([host, "a", "b"]), volumeOn([host, "node-2"])]), "a node-2 b");
      assert.deepEqual(assumeCluster([volumeOn([host, "store-1"])]).assumedNodes, ["store-1"]);
    });

    test("so do the hosts in a class's allowedTopologies, but not invalid names", () => {
      const terms = [{ matchLabelExpressions: [{ key: host, values: ["store-1"] }] }];
      const local = { ...storageClass("local.csi.openebs.io"), allowedTopologies: terms };
      assert.equal(namesOf([local]), "store-1 node-2 node-3");
      assert.equal(namesOf([volumeOn([host, "$(hostname)"])]), "node-1 node-2 node-3");
    });

    test("there are as many nodes as volumes name", () => {
      const five = ["a", "b", "c", "d", "e"].map((name) => volumeOn([host, name]));
      assert.equal(namesOf(five), "a b c d e");
      const zones = assumeCluster(five).cluster.nodes.map(({ zone }) => zone);
      assert.deepEqual(zones, ["zone-a", "zone-b", "zone-c", "zone-a", "zone-b"]);
    });

    test("nodes also have the other labels that their volumes require", () => {
      const zone = "topology.kubernetes.io/zone";
      const volume = volumeOn([host, "store-1"], ["disk", "nvme"], [zone, "here"]);
      const { cluster } = assumeCluster([volume]);
      assert.equal(cluster.nodes[0]?.zone, "here");
      assert.deepEqual(cluster.nodes[0]?.labels, { [zone]: "here", disk: "nvme" });
    });

    suite("but with named zones", () => {
      const [zone, region] = ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"];
      const placesOf = (profile: string, ...objects: readonly Manifest[]): readonly string[] =>
        assumeCluster(objects, profile).cluster.nodes.map(
          (node) => `${node.name} ${node.labels?.[region] ?? ""} ${node.zone ?? ""}`,
        );
      const podIn = (spec: object): Manifest => ({
        kind: "Deployment",
        spec: { template: { spec } },
      });
      const classIn = (key: string, ...values: readonly string[]): Manifest => ({
        ...storageClass("ebs.csi.aws.com"),
        allowedTopologies: [{ matchLabelExpressions: [{ key, values }] }],
      });

      test("the nodes are in these zones, and all of them in that region", () => {
        const moved = [
          "1 eu-west-1 eu-west-1a",
          "2 eu-west-1 eu-west-1b",
          "3 eu-west-1 eu-west-1c",
        ];
        const nodes = moved.map((place) => `ip-10-0-1-${place}`);
        assert.deepEqual(placesOf("eks", podIn({ nodeSelector: { [zone]: "eu-west-1b" } })), nodes);
        assert.deepEqual(
          placesOf("eks", podIn({ nodeSelector: { [region]: "eu-west-1" } })),
          nodes,
        );
        assert.deepEqual(
          placesOf("eks", classIn("topology.ebs.csi.aws.com/zone", "eu-west-1a")),
          nodes,
        );
        assert.deepEqual(placesOf("eks", volumeOn([zone, "eu-west-1c"])), nodes);
        const inTree = {
          ...storageClass("kubernetes.io/aws-ebs"),
          parameters: { zones: "eu-west-1b" },
        };
        assert.deepEqual(placesOf("eks", inTree), nodes);
        const preference = {
          matchExpressions: [{ key: zone, operator: "In", values: ["westeurope-2"] }],
        };
        const preferred = [{ weight: 1, preference }];
        const nodeAffinity = { preferredDuringSchedulingIgnoredDuringExecution: preferred };
        assert.deepEqual(placesOf("aks", podIn({ affinity: { nodeAffinity } })), [
          "aks-nodepool1-1 westeurope westeurope-1",
          "aks-nodepool1-2 westeurope westeurope-2",
          "aks-nodepool1-3 westeurope westeurope-3",
        ]);
        assert.deepEqual(assumeCluster([volumeOn([zone, "eu-west-1c"])], "eks").assumedZones, [
          "eu-west-1c",
        ]);
        assert.deepEqual(assumeCluster([volumeOn([zone, "us-east-1c"])], "eks").assumedZones, []);
      });

      test("these replace zones that are not named, and further ones get additional nodes", () => {
        assert.deepEqual(placesOf("generic", volumeOn([zone, "dc1", "zone-a"])), [
          "node-1  zone-a",
          "node-2  dc1",
          "node-3  zone-c",
        ]);
        const five = classIn(
          zone,
          "us-east-1a",
          "us-east-1b",
          "us-east-1d",
          "us-east-1e",
          "us-east-1f",
        );
        assert.deepEqual(
          placesOf("eks", five)
            .map((place) => place.split(" "))
            .map(([name, , last]) => `${name} ${last}`),
          [
            "ip-10-0-1-1 us-east-1a",
            "ip-10-0-1-2 us-east-1b",
            "ip-10-0-1-3 us-east-1d",
            "ip-10-0-1-4 us-east-1e",
            "ip-10-0-1-5 us-east-1f",
          ],
        );
      });

      test("each of several regions has a node", () => {
        const both = [
          podIn({ nodeSelector: { [region]: "eu-west-1" } }),
          podIn({ nodeSelector: { [region]: "eu-north-1" } }),
        ];
        assert.deepEqual(placesOf("eks", ...both), [
          "ip-10-0-1-1 eu-north-1 eu-north-1a",
          "ip-10-0-1-2 eu-west-1 eu-west-1b",
          "ip-10-0-1-3 eu-west-1 eu-west-1c",
        ]);
      });

      test("a cluster without zones, or with the files' own nodes, does not change", () => {
        const asked = podIn({ nodeSelector: { [zone]: "eu-west-1b" } });
        assert.deepEqual(placesOf("kind", asked), ["kind-control-plane  "]);
        const own = { kind: "Node", metadata: { name: "own" } };
        assert.deepEqual(placesOf("eks", asked, own), ["own  "]);
      });

      test("an invalid name of a zone is ignored", () => {
        for (const given of ["{{ .zone }}", "", 1, null, ["a"]])
          assert.equal(
            placesOf("generic", podIn({ nodeSelector: { [zone]: given } }))[0],
            "node-1  zone-a",
          );
        assert.equal(
          placesOf("generic", { kind: "Pod", spec: "?" }, volumeOn())[0],
          "node-1  zone-a",
        );
      });
    });

    test("nodes of kind and minikube keep their names, which are the same everywhere", () => {
      assert.equal(namesOf([volumeOn([host, "store-1"])], "kind"), "kind-control-plane");
      assert.equal(namesOf([volumeOn([host, "store-1"])], "minikube"), "minikube");
      assert.equal(namesOf([volumeOn([host, "store-1"])], "k3s").split(" ")[0], "store-1");
    });

    test("a Node in the manifests is the only one", () => {
      const node = { apiVersion: "v1", kind: "Node", metadata: { name: "own" } };
      assert.equal(namesOf([volumeOn([host, "store-1"]), node]), "own");
    });
  });

  test("treats an in-tree name as the CSI driver that replaced it", () => {
    assert.equal(assumeCluster([storageClass("kubernetes.io/azure-disk")]).cluster.name, "aks");
  });

  test("is EKS Auto Mode if its driver is used, and EKS if another AWS driver or the class of both is", () => {
    const nameOf = (...manifests: readonly Manifest[]): string =>
      assumeCluster(manifests).cluster.name;
    const auto = storageClass("ebs.csi.eks.amazonaws.com");
    const efs = storageClass("efs.csi.aws.com");
    assert.equal(nameOf(auto), "eks-auto");
    assert.equal(nameOf(auto, efs), "eks-auto");
    assert.equal(nameOf(efs), "eks");
    assert.equal(nameOf(storageClass("ebs.csi.aws.com")), "eks");
    const claim = {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "data" },
      spec: { storageClassName: "gp2" },
    };
    assert.equal(nameOf(claim), "eks");
  });

  test("has both nodes of EKS Auto Mode and others if both drivers are used, each with its own driver", () => {
    const auto = storageClass("ebs.csi.eks.amazonaws.com");
    const others = [storageClass("ebs.csi.aws.com"), storageClass("csi.example.com")];
    const { cluster, title } = assumeCluster([auto, ...others]);
    assert.equal(cluster.name, "eks");
    assert.match(title, /^Amazon EKS with Auto Mode/);
    const told = cluster.nodes.map(({ labels, nodePlugins }) => [
      labels?.["eks.amazonaws.com/compute-type"],
      ...Object.keys(nodePlugins ?? {}),
    ]);
    const own = [undefined, "ebs.csi.aws.com", "efs.csi.aws.com", "csi.example.com"];
    const ofAuto = ["auto", "efs.csi.aws.com", "ebs.csi.eks.amazonaws.com", "csi.example.com"];
    assert.deepEqual(told, [own, own, own, ofAuto, ofAuto, ofAuto]);
    assert.equal(assumeCluster([auto, ...others], "eks").cluster.nodes.length, 3);
    const topology = {
      matchLabelExpressions: [{ key: "topology.kubernetes.io/zone", values: ["eu-west-1b"] }],
    };
    const inZone = { ...auto, allowedTopologies: [topology] };
    const { nodes } = assumeCluster([inZone, ...others]).cluster;
    assert.equal(nodes.filter(({ zone }) => zone === "eu-west-1b").length, 2);
  });

  test("is the named one, whatever the manifests use", () => {
    const { cluster, from } = assumeCluster([storageClass("ebs.csi.aws.com")], "kind");
    assert.deepEqual([cluster.name, from], ["kind", "named"]);
    assert.ok(
      !cluster.drivers.some((driver) => driver.name === "ebs.csi.aws.com"),
      "EBS is not on kind",
    );
  });

  test("may have other drivers that do not depend on a cloud", () => {
    for (const [profile, driver] of [
      ["k3s", "driver.longhorn.io"],
      ["bare-metal", "rook-ceph.rbd.csi.ceph.com"],
      ["eks", "rancher.io/local-path"],
    ] as const) {
      const { cluster, assumedDrivers } = assumeCluster([storageClass(driver)], profile);
      assert.deepEqual(assumedDrivers, [driver]);
      const installed = [...cluster.drivers, ...(cluster.pathProvisioners ?? [])];
      assert.ok(installed.some(({ name }) => name === driver));
    }
    assert.deepEqual(
      assumeCluster([storageClass("pd.csi.storage.gke.io")], "k3s").assumedDrivers,
      [],
    );
  });

  test("assumes that a driver is installed if nothing speaks against it, and says so", () => {
    const { cluster, assumedDrivers } = assumeCluster([storageClass("csi.example.com")]);
    assert.deepEqual(assumedDrivers, ["csi.example.com"]);
    assert.ok(cluster.drivers.some((driver) => driver.name === "csi.example.com"));
  });

  test("does not assume a driver whose name looks mistyped", () => {
    for (const name of [
      "ebs.csi.aws.co",
      "ebs.cis.aws.com",
      "ebs-csi.aws.com",
      "EBS.csi.aws.com",
      "disk.csi.azurre.com",
      "rancher.io/localpath",
      "ebs.csi.aws.amazon.com",
      "pd.csi.gke.io",
    ]) {
      const { cluster, assumedDrivers } = assumeCluster([storageClass(name)]);
      assert.deepEqual(assumedDrivers, [], name);
      assert.ok(!cluster.drivers.some((driver) => driver.name === name), name);
    }
    for (const name of [
      "efs2.csi.aws.com",
      "ebs.csi.example.com",
      "ebs.csi.mks.example.com",
      "csi.vmware.com",
      "com.tencent.cloud.csi.cfs",
      "com.tencent.cloud.csi.tcfs",
    ])
      assert.deepEqual(assumeCluster([storageClass(name)]).assumedDrivers, [name]);
  });

  test("accepts a name that looks mistyped if a pod of the workspace gets it as an argument", () => {
    const provisioner = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "provisioner" },
      spec: { template: { spec: { containers: [{ args: ["--driver-name=nfs.csi.k8.io"] }] } } },
    };
    const { assumedDrivers } = assumeCluster([provisioner, storageClass("nfs.csi.k8.io")]);
    assert.deepEqual(assumedDrivers, ["nfs.csi.k8.io"]);
  });

  test("assumes that a driver without a description can do everything, whoever installs it", () => {
    const driver = { kind: "CSIDriver", metadata: { name: "csi.example.com" }, spec: {} };
    const used = storageClass("csi.example.com");
    for (const objects of [[used], [driver, used]]) {
      const found = assumeCluster(objects).cluster.drivers.find(
        (d) => d.name === "csi.example.com",
      );
      assert.deepEqual([found?.snapshots, found?.clone, found?.modify], [true, true, true]);
      assert.equal(found?.modifyParameters, "any");
    }
  });

  test("does not list a driver as assumed if the workspace installs it", () => {
    const driver = {
      apiVersion: "storage.k8s.io/v1",
      kind: "CSIDriver",
      metadata: { name: "csi.example.com" },
      spec: {},
    };
    const { cluster, assumedDrivers } = assumeCluster([driver, storageClass("csi.example.com")]);
    assert.deepEqual(assumedDrivers, []);
    assert.ok(cluster.drivers.some((d) => d.name === "csi.example.com"));
  });

  test("has the workspace's nodes if there are any, and its class instead of one of the same name", () => {
    const node = {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "mine", labels: { "topology.kubernetes.io/zone": "z" } },
      spec: { taints: [{ key: "k", effect: "NoSchedule" }] },
    };
    const { cluster } = assumeCluster(
      [node, storageClass("pd.csi.storage.gke.io", "standard-rwo")],
      "gke",
    );
    assert.deepEqual(cluster.nodes, [
      {
        name: "mine",
        labels: { "topology.kubernetes.io/zone": "z" },
        zone: "z",
        taints: [{ key: "k", effect: "NoSchedule" }],
      },
    ]);
    assert.ok(
      !cluster.manifests.some((m) => (m["metadata"] as { name: string }).name === "standard-rwo"),
    );
  });

  suite("Secrets that a class names for its driver", () => {
    const classOf = (provisioner: string, name: string, namespace = "rook-ceph"): Manifest => ({
      ...storageClass(provisioner),
      parameters: {
        "csi.storage.k8s.io/provisioner-secret-name": name,
        "csi.storage.k8s.io/provisioner-secret-namespace": namespace,
      },
    });
    const rook = classOf("rook-ceph.rbd.csi.ceph.com", "rook-csi-rbd-provisioner");
    const added = (...objects: readonly Manifest[]): readonly string[] =>
      addedTo("generic", objects);
    const addedTo = (profile: string, objects: readonly Manifest[] = []): readonly string[] =>
      assumeCluster(objects, profile).cluster.manifests.flatMap(({ kind, metadata }) => {
        const { namespace = "", name } = metadata as { namespace?: string; name: string };
        return kind === "StorageClass" ? [] : [`${kind} ${namespace}/${name}`];
      });

    test("exist with their namespace if the driver's operator creates them", () => {
      const ofRook = ["Namespace /rook-ceph", "Secret rook-ceph/rook-csi-rbd-provisioner"];
      assert.deepEqual(added(rook), ofRook);
      const snapshots: Manifest = {
        kind: "VolumeSnapshotClass",
        driver: "rook-ceph.cephfs.csi.ceph.com",
        parameters: {
          "csi.storage.k8s.io/snapshotter-secret-name": "rook-csi-cephfs-provisioner",
          "csi.storage.k8s.io/snapshotter-secret-namespace": "rook-ceph",
        },
      };
      assert.deepEqual(added(rook, snapshots), [
        ...ofRook,
        "Secret rook-ceph/rook-csi-cephfs-provisioner",
      ]);
      const secretRef = { name: "rook-csi-rbd-node", namespace: "storage" };
      const volume = {
        kind: "PersistentVolume",
        spec: { csi: { driver: "rook-ceph.rbd.csi.ceph.com", nodeStageSecretRef: secretRef } },
      };
      assert.deepEqual(added(volume), ["Namespace /storage", "Secret storage/rook-csi-rbd-node"]);
      assert.deepEqual(added(classOf("pxd.portworx.com", "px-user-token", "portworx")), [
        "Namespace /portworx",
        "Secret portworx/px-user-token",
      ]);
    });

    test("exist for the classes that the distribution ships", () => {
      assert.deepEqual(addedTo("rook-ceph"), [
        "Namespace /rook-ceph",
        "Secret rook-ceph/rook-csi-rbd-provisioner",
        "Secret rook-ceph/rook-csi-rbd-node",
        "Secret rook-ceph/rook-csi-cephfs-provisioner",
        "Secret rook-ceph/rook-csi-cephfs-node",
      ]);
    });

    test("are not added if a file has them or the user has to create them", () => {
      const metadata = { name: "rook-csi-rbd-provisioner", namespace: "rook-ceph" };
      assert.deepEqual(added(rook, { kind: "Secret", metadata }), []);
      assert.deepEqual(added(classOf("rook-ceph.rbd.csi.ceph.com", "rook-csi-rbd-prov")), []);
      // Ceph's own driver name: no operator has installed it.
      assert.deepEqual(added(classOf("rbd.csi.ceph.com", "rook-csi-rbd-provisioner")), []);
      assert.deepEqual(added(classOf("driver.longhorn.io", "longhorn-crypto")), []);
      assert.deepEqual(
        added(classOf("pxd.portworx.com", "px-user-token", "$" + "{pvc.namespace}")),
        [],
      );
    });

    test("exist in an imported cluster, unless Secrets were saved", () => {
      const secrets = (...saved: readonly Manifest[]): readonly Manifest[] => {
        const objects = [classOf("smb.csi.k8s.io", "smb-creds", "default"), ...saved];
        const { cluster } = assumeCluster([], undefined, { objects, isPartial: false });
        return cluster.manifests.filter(({ kind }) => kind === "Secret");
      };
      const metadata = { name: "smb-creds", namespace: "default" };
      assert.deepEqual(secrets(), [{ apiVersion: "v1", kind: "Secret", metadata }]);
      const other = { apiVersion: "v1", kind: "Secret", metadata: { name: "other" } };
      assert.deepEqual(secrets(other), []);
    });
  });

  test("has local-path and similar provisioners, which are not CSI drivers", () => {
    const { cluster } = assumeCluster([], "kind");
    assert.deepEqual(cluster.drivers, []);
    assert.deepEqual(cluster.pathProvisioners, [
      { name: "rancher.io/local-path", type: "local-path", path: "/var/local-path-provisioner" },
    ]);
    const [k3s] = assumeCluster([], "k3s").cluster.pathProvisioners ?? [];
    assert.equal(k3s?.path, "/var/lib/rancher/k3s/storage");
    const [elsewhere] =
      assumeCluster([storageClass("rancher.io/local-path")], "generic").cluster.pathProvisioners ??
      [];
    assert.equal(elsewhere?.path, undefined);
  });

  test("has no provisioner for a name that means that there is none", () => {
    for (const name of ["no-provisioner", "k8s.io/no-provisioner", "manual", "none"])
      assert.deepEqual(assumeCluster([storageClass(name)]).assumedDrivers, []);
    assert.equal(meantDriver("k8s.io/no-provisioner"), "kubernetes.io/no-provisioner");
    assert.equal(meantDriver("kubernetes.io/no-provisioner"), undefined);
    assert.equal(meantDriver("manual"), undefined);
  });

  test("gives a node whose manifest names only a zone the cloud's region, as volumes of in-tree classes want it", () => {
    for (const [profile, zone, region] of [
      ["eks", "us-west-2b", "us-west-2"],
      ["gke", "europe-west1-c", "europe-west1"],
      ["generic", "us-west-2b", undefined],
    ] as const) {
      const node = {
        kind: "Node",
        metadata: { name: "n", labels: { "topology.kubernetes.io/zone": zone } },
      };
      const { cluster } = assumeCluster([node], profile);
      assert.equal(cluster.nodes[0]?.labels?.["topology.kubernetes.io/region"], region);
    }
    const simulation = assumedRun(
      `apiVersion: v1
kind: Node
metadata: {name: n, labels: {topology.kubernetes.io/zone: us-west-2b}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {storageClassName: gp2, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers: [{name: web, image: nginx, volumeMounts: [{name: data, mountPath: /d}]}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
`,
      "eks",
    );
    simulation.run();
    assert.equal(simulation.runtime.api.store.list("Pod")[0]?.status?.phase, "Running");
  });

  test("is Docker Desktop or MicroK8s if their provisioner or their class is used", () => {
    const claimOf = (storageClassName: string): Manifest => ({
      kind: "PersistentVolumeClaim",
      metadata: { name: "data" },
      spec: { storageClassName },
    });
    for (const [name, type, profile] of [
      ["docker.io/hostpath", "docker-hostpath", "docker-desktop"],
      ["microk8s.io/hostpath", "microk8s-hostpath", "microk8s"],
    ] as const) {
      const { cluster } = assumeCluster([storageClass(name)]);
      assert.equal(cluster.name, profile);
      assert.deepEqual(cluster.pathProvisioners, [{ name, type }]);
    }
    assert.equal(assumeCluster([claimOf("hostpath")]).cluster.name, "docker-desktop");
    assert.equal(assumeCluster([claimOf("microk8s-hostpath")]).cluster.name, "microk8s");
  });

  test("is a smaller cloud if its driver or one of its classes is used", () => {
    const claimOf = (storageClassName: string): Manifest => ({
      kind: "PersistentVolumeClaim",
      metadata: { name: "data" },
      spec: { storageClassName },
    });
    for (const [driver, className, profile] of [
      ["dobs.csi.digitalocean.com", "do-block-storage-xfs-retain", "doks"],
      ["linodebs.csi.linode.com", "linode-block-storage", "lke"],
      ["csi.hetzner.cloud", "hcloud-volumes", "hetzner"],
      ["fss.csi.oraclecloud.com", "oci-bv", "oke"],
      ["oracle.com/oci", "oci", "oke"],
    ] as const) {
      assert.equal(assumeCluster([storageClass(driver)]).cluster.name, profile);
      assert.equal(assumeCluster([claimOf(className)]).cluster.name, profile);
    }
    // People run distributions of all kinds on Hetzner's machines.
    const { assumedDrivers } = assumeCluster([storageClass("csi.hetzner.cloud")], "k3s");
    assert.deepEqual(assumedDrivers, ["csi.hetzner.cloud"]);
  });

  test("has a default class on each smaller cloud, whose volumes are reachable where their pods run", () => {
    for (const [profile, key, segment] of [
      ["doks", "region", "nyc1"],
      ["lke", "topology.linode.com/region", "us-east"],
      ["hetzner", "csi.hetzner.cloud/location", "fsn1"],
      ["oke", "topology.kubernetes.io/zone", "UK-LONDON-1-AD-1"],
    ] as const) {
      const simulation = assumedRun(
        `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 60Gi}}}
---
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers: [{name: web, image: nginx, volumeMounts: [{name: data, mountPath: /d}]}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
`,
        profile,
      );
      simulation.run();
      const { store } = simulation.runtime.api;
      assert.equal(store.list("Pod")[0]?.status?.phase, "Running", profile);
      const [volume] = store.list("PersistentVolume");
      const terms = volume?.spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
      const values = terms.flatMap(({ matchExpressions = [] }) =>
        matchExpressions.filter((one) => one.key === key).flatMap((one) => one.values ?? []),
      );
      assert.deepEqual([...new Set(values)], [segment], profile);
    }
  });

  test("has Ceph's former provisioners, which are no CSI drivers, if they are used", () => {
    for (const [name, type] of [
      ["ceph.com/rbd", "ceph-rbd"],
      ["ceph.com/cephfs", "ceph-fs"],
    ] as const)
      assert.deepEqual(assumeCluster([storageClass(name)]).cluster.pathProvisioners, [
        { name, type },
      ]);
  });

  const provisionersOf = (...objects: readonly Manifest[]): readonly unknown[] =>
    (assumeCluster(objects).cluster.pathProvisioners ?? []).map(({ name, type }) => [name, type]);

  test("has provisioners of FlexVolumes and iSCSI disks as such, and knows nothing of others with a slash", () => {
    for (const [name, type] of [
      ["oracle.com/oci", "flex-volume"],
      ["ceph.rook.io/block", "flex-volume"],
      ["flexvolume-huawei.com/fuxivol", "flex-volume"],
      ["alicloud/disk", "flex-volume"],
      ["ibm.io/ibmc-block", "flex-volume"],
      ["ibm.io/ibmc-file", "nfs-subdir"],
      ["openebs.io/provisioner-iscsi", "iscsi"],
      ["gluster.org/glusterblock", "iscsi"],
      ["gluster.org/glusterblock-infra-storage", "iscsi"],
      ["gluster.org/glusterfile", "gluster-fs"],
      ["cloud.tencent.com/qcloud-cbs", "unknown"],
      ["example.com/shares", "unknown"],
    ] as const)
      assert.deepEqual(provisionersOf(storageClass(name)), [[name, type]]);
  });

  test("takes a provisioner for what the volumes are that it has made", () => {
    const made = (source: Manifest): Manifest => ({
      kind: "PersistentVolume",
      metadata: { annotations: { "pv.kubernetes.io/provisioned-by": "example.com/shares" } },
      spec: source,
    });
    for (const [source, type] of [
      ["nfs", "nfs-subdir"],
      ["local", "local-path"],
      ["iscsi", "iscsi"],
      ["flexVolume", "flex-volume"],
      ["glusterfs", "gluster-fs"],
    ] as const)
      assert.deepEqual(provisionersOf(storageClass("example.com/shares"), made({ [source]: {} })), [
        ["example.com/shares", type],
      ]);
  });

  test("takes a provisioner for an NFS one if its chart, its pod or a word in its name says so", () => {
    for (const name of [
      "fuseim.pri/ifs",
      "cluster.local/shared-nfs-subdir-external-provisioner",
      "example.com/nfs",
      "example.com/aws-efs",
      "shared_nfs",
      "nfs-client",
      "aws-efs",
    ]) {
      const { cluster } = assumeCluster([storageClass(name)]);
      assert.deepEqual(provisionersOf(storageClass(name)), [[name, "nfs-subdir"]]);
      assert.ok(cluster.drivers.every((driver) => driver.name !== name));
    }
    const pod = (container: Manifest): Manifest => ({
      kind: "Deployment",
      spec: { template: { spec: { containers: [container] } } },
    });
    const image = "registry.example.com/mirror/nfs-subdir-external-provisioner:v4.0.2";
    const env = [{ name: "PROVISIONER_NAME", value: "shares" }];
    const shares = storageClass("shares");
    assert.deepEqual(provisionersOf(shares, pod({ image, env })), [["shares", "nfs-subdir"]]);
    assert.deepEqual(
      provisionersOf(shares, pod({ image: "nfs-provisioner", args: ["-provisioner=shares"] })),
      [["shares", "nfs-subdir"]],
    );
    assert.deepEqual(provisionersOf(shares, pod({ image: "shop", env })), []);
    for (const name of ["rook-ceph.ceph.rook.io/bucket", "nfs.example.com", "my-nfs-csi", "qcbs"])
      assert.deepEqual(provisionersOf(storageClass(name)), []);
  });

  test("has the Fibre Channel disks of volumes on its nodes", () => {
    const disk = (fc: object): object => ({ kind: "PersistentVolume", spec: { fc } });
    const { cluster } = assumeCluster([
      disk({ targetWWNs: ["50060e80", "50060e81"], lun: 2 }),
      disk({ wwids: ["3600508b"] }),
      disk({ targetWWNs: "50060e80", wwids: [7] }),
    ] as Manifest[]);
    assert.deepEqual(cluster.nodes[0]?.hostPaths, {
      "/dev/disk/by-path/fc-0x50060e80-lun-2": "blockDevice",
      "/dev/disk/by-path/fc-0x50060e81-lun-2": "blockDevice",
      "/dev/disk/by-id/scsi-3600508b": "blockDevice",
    });
  });

  test("has the paths of local volumes and of typed hostPaths on its nodes", () => {
    const volume = {
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: "pv" },
      spec: { local: { path: "/mnt/ssd" } },
    };
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "pod" },
      spec: {
        volumes: [
          { name: "a", hostPath: { path: "/run/app.sock", type: "Socket" } },
          { name: "b", hostPath: { path: "/var/made", type: "DirectoryOrCreate" } },
        ],
      },
    };
    const { cluster } = assumeCluster([volume, pod]);
    assert.deepEqual(cluster.nodes[0]?.hostPaths, {
      "/mnt/ssd": "directory",
      "/run/app.sock": "socket",
    });
  });

  test("takes allocatable resources and cordons from the manifests' Nodes", () => {
    const node = {
      kind: "Node",
      metadata: { name: "one" },
      spec: { unschedulable: true },
      status: { capacity: { cpu: "8", pods: "64" }, allocatable: { cpu: "7600m" } },
    };
    assert.deepEqual(assumeCluster([node]).cluster.nodes, [
      { name: "one", labels: {}, isCordoned: true, capacity: { cpu: "7600m", pods: "64" } },
    ]);
  });

  test("takes drivers, attach limits and topology from the manifests' CSINodes", () => {
    const listed = [
      { name: "disks.example.com", topologyKeys: ["example.com/rack"], allocatable: { count: 4 } },
    ];
    const { cluster } = assumeCluster([
      { kind: "Node", metadata: { name: "one", labels: { "example.com/rack": "r1" } } },
      { kind: "CSINode", metadata: { name: "one" }, spec: { drivers: listed } },
    ]);
    assert.deepEqual(cluster.nodes[0]?.attachLimits, { "disks.example.com": 4 });
    const driver = cluster.drivers.find(({ name }) => name === "disks.example.com");
    assert.equal(driver?.topologyKey, "example.com/rack");
  });

  test("has only the node plugins that a manifest's CSINode lists, and all of them on other nodes", () => {
    const node = (name: string): Manifest => ({ kind: "Node", metadata: { name } });
    const { cluster } = assumeCluster([
      node("one"),
      node("two"),
      { kind: "CSIDriver", metadata: { name: "disks.example.com" } },
      {
        kind: "CSINode",
        metadata: { name: "one" },
        spec: { drivers: [{ name: "files.example.com" }] },
      },
    ]);
    assert.deepEqual(
      cluster.nodes.map(({ nodePlugins }) => nodePlugins),
      [{ "files.example.com": { nodeId: "one" } }, undefined],
    );
  });

  test("AKS's own classes create disks in all of the cluster's zones", () => {
    for (const name of ["default", "managed-csi", "managed-csi-premium"]) {
      const claimed = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {storageClassName: ${name}, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: v1
kind: Pod
metadata: {name: app}
spec:
  containers: [{name: app, image: busybox, volumeMounts: [{name: data, mountPath: /data}]}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]`;
      const trace = assumedRun(claimed, "aks").run();
      const volumes = [...trace.stateAt(trace.entries.length - 1)].flatMap(([, object]) =>
        object.kind === "PersistentVolume" ? [nodeAffinityText(object)] : [],
      );
      const zones = ["eastus-1", "eastus-2", "eastus-3"].map(
        (zone) => `topology.disk.csi.azure.com/zone in (${zone})`,
      );
      assert.deepEqual(volumes, [zones.join(" or ")]);
    }
  });

  test("is GKE for each class of its Filestore driver", () => {
    for (const name of ["zonal-rwx", "enterprise-rwx", "enterprise-multishare-rwx"]) {
      const claim = {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: { name: "data" },
        spec: { storageClassName: name },
      };
      assert.equal(assumeCluster([claim]).cluster.name, "gke");
    }
  });

  test("survives manifests of any shape", () => {
    for (const odd of [
      {},
      { kind: "Node" },
      { kind: "Pod", spec: null },
      { kind: "PersistentVolume", spec: { csi: 3 } },
      { kind: "StorageClass", provisioner: [] },
      { kind: "CSINode", spec: { drivers: [3, { name: [] }, { topologyKeys: "x" }] } },
    ]) {
      assert.equal(assumeCluster([odd]).cluster.name, "generic");
    }
  });

  test("has the profiles that the documentation names", () => {
    assert.deepEqual([...profileNames].sort(), [
      "ack",
      "aks",
      "bare-metal",
      "docker-desktop",
      "doks",
      "eks",
      "eks-auto",
      "generic",
      "gke",
      "hetzner",
      "k3s",
      "kind",
      "lke",
      "longhorn",
      "microk8s",
      "minikube",
      "oke",
      "rook-ceph",
    ]);
  });
});
