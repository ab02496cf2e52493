import {
  checkDiagnostics,
  checkPredicted,
  checkReferences,
} from "../../support/language-features.ts";

const disks = `
      #- claimcheck.yaml
      profile: bare-metal
      #- class.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fast-ssd }
      provisioner: driver.longhorn.io
      #- operators.yaml`;

suite("operators' objects, which create claims that are in no file", () => {
  test("are reported if their storageClassName is missing or misspelled", () =>
    checkDiagnostics(`${disks}
      apiVersion: elasticsearch.k8s.elastic.co/v1
      kind: Elasticsearch
      metadata: { name: search }
      spec:
        nodeSets:
          - name: hot
            volumeClaimTemplates:
              - metadata: { name: elasticsearch-data }
                spec: { storageClassName: fast-sdd }
      #                                   ^^^^^^^^ pvc-class-typo
      ---
      apiVersion: monitoring.coreos.com/v1
      kind: Prometheus
      metadata: { name: metrics }
      spec: { storage: { volumeClaimTemplate: { spec: { storageClassName: archive } } } }
      #                                                                   ^^^^^^^ pvc-class-missing
    `));

  test("name no class by a dash, in a status, or in an object for another cluster", () =>
    checkDiagnostics(`${disks}
      apiVersion: databases.example.com/v1
      kind: Database
      metadata: { name: orders }
      spec: { storageClassName: "-" }
      status: { storageClassName: gone }
      ---
      apiVersion: kubernetes.crossplane.io/v1alpha2
      kind: Object
      metadata: { name: remote }
      spec:
        forProvider:
          manifest: { apiVersion: v1, kind: PersistentVolumeClaim, spec: { storageClassName: theirs } }
    `));

  test("may use the volumes of the class that they name, and of no other", () =>
    checkPredicted(`${disks}
      apiVersion: cdi.kubevirt.io/v1beta1
      kind: DataVolume
      metadata: { name: image }
      spec: { source: { blank: {} }, pvc: { storageClassName: local, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } }
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: local }
      provisioner: kubernetes.io/no-provisioner
      volumeBindingMode: WaitForFirstConsumer
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec: { storageClassName: local, capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s.example.com, path: /a } }
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: other }
      #                 ^^^^^ pv-unclaimed
      spec: { storageClassName: manual, capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s.example.com, path: /b } }
    `));

  test("are among the references of a class", () =>
    checkReferences(
      `${disks}
      apiVersion: databases.example.com/v1
      kind: Database
      metadata: { name: orders }
      spec: { storage: { storageClassName: fast$0-ssd } }
    `,
      ["class.yaml:3: fast-ssd", "operators.yaml:4: fast-ssd"],
    ));
});
