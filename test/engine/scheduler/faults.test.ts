/** The scheduler in a whole cluster, with a crash after every write and a conflict at every write. */
import { driverProfile } from "../../../src/engine/csi/driver-profile.ts";
import { check } from "../../support/check.ts";

const nodes = ["a", "b"].map((zone) => ({ name: `node-${zone}`, zone: `zone-${zone}` }));

suite("a scheduler that crashes or gets conflicts", function () {
  // Each case runs some forty times.
  this.timeout(20_000);

  test("binds a static volume where the pod runs", () => {
    check(
      `
      kind: StorageClass
      metadata: { name: local }
      apiVersion: storage.k8s.io/v1
      provisioner: kubernetes.io/no-provisioner
      volumeBindingMode: WaitForFirstConsumer
      ---
      kind: PersistentVolume
      metadata: { name: disk }            #=> Bound default/data
      spec:
        storageClassName: local
        local: { path: /mnt }
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: kubernetes.io/hostname, operator: In, values: [node-b] }] }] } }
      ---
      kind: PersistentVolumeClaim
      metadata: { name: data }            #=> Bound disk
      spec: { storageClassName: local }
      ---
      kind: Pod
      metadata: { name: web }             #=> Running node-b
      spec:
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
      `,
      { cluster: { nodes } },
    );
  });

  test("gets a volume provisioned for the node that it chose", () => {
    check(
      `
      kind: StorageClass
      metadata: { name: block }
      apiVersion: storage.k8s.io/v1
      provisioner: block.csi.test
      volumeBindingMode: WaitForFirstConsumer
      ---
      kind: PersistentVolumeClaim
      metadata: { name: data }            #=> Bound pvc-<uid PersistentVolumeClaim/default/data>
      spec: { storageClassName: block }
      ---
      kind: Pod
      metadata: { name: web }             #=> Running node-b
      spec:
        nodeSelector: { topology.kubernetes.io/zone: zone-b }
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
      `,
      {
        cluster: {
          nodes,
          drivers: [
            driverProfile({ name: "block.csi.test", topologyKey: "topology.block.csi.test/zone" }),
          ],
        },
      },
    );
  });

  test("makes room for the more important pod", () => {
    check(
      `
      kind: PriorityClass
      metadata: { name: urgent }
      apiVersion: scheduling.k8s.io/v1
      value: 1000
      ---
      kind: Pod
      metadata: { name: low }             #=> gone
      spec: { terminationGracePeriodSeconds: 1 }
      ---
      kind: Pod
      metadata: { name: high }            #=> Running node-a
      spec: { priorityClassName: urgent }
      `,
      {
        cluster: { nodes: [{ name: "node-a", capacity: { pods: "1" } }] },
        otherEnds: [
          {
            end: "Pod/default/low Pending\nPod/default/high Running node-a",
            because:
              "the less important pod's binding failed, and the other came before its next try",
          },
        ],
      },
    );
  });
});
