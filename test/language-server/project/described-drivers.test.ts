import assert from "node:assert/strict";
import {
  checkDiagnostics,
  checkHover,
  checkPredicted,
  loadFixture,
} from "../../support/language-features.ts";
import { readFixture } from "../../support/markers.ts";

/** The advice for a claim that several nodes want to write to, where three classes exist. */
async function advised(drivers: string, className: string): Promise<readonly string[]> {
  const classes = ["disks", "files", "unsaid"].map(
    (name) => `---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: ${name} }
provisioner: ${name}.example.com
`,
  );
  const claim = `---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: shared }
spec: { storageClassName: ${className}, accessModes: [ReadWriteMany], resources: { requests: { storage: 1Gi } } }
`;
  const text = `#- claimcheck.yaml\n${drivers}#- all.yaml\n${classes.join("")}${claim}`;
  const service = await loadFixture(readFixture(text), true);
  const [environment] = service.environments();
  assert.ok(environment !== undefined);
  const verdict = service
    .prediction(environment)
    ?.verdictOf.get("PersistentVolumeClaim/default/shared");
  return verdict?.fixes.flatMap(({ text: fix }) => (fix.startsWith("set ") ? [fix] : [])) ?? [];
}

const own = `
      #- claimcheck.yaml
      drivers:
        - name: disks.example.com
          attachRequired: true
          accessModes: [ReadWriteOnce]
          volumeModes: [Filesystem]
          topologyKeys: [topology.example.com/rack]
          expansion: none
          clones: false
          maxSize: 1Ti
          parameters: [tier]
`;

suite("drivers that claimcheck.yaml describes", () => {
  test("refuse what they do not support, at the field that asks for it", () =>
    checkPredicted(`${own}
      #- claims.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: own }
      provisioner: disks.example.com
      volumeBindingMode: Immediate
      #                  ^^^^^^^^^ class-immediate-topology-driver
      allowVolumeExpansion: true
      #                     ^^^^ class-expansion-driver: Driver “disks.example.com” cannot expand volumes
      parameters:
        teir: gold
      # ^^^^ class-unknown-parameter: Driver “disks.example.com” does not know parameter “teir”; did you mean “tier”?
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: shared }
      spec: { storageClassName: own, accessModes: [ReadWriteMany], resources: { requests: { storage: 1Gi } } }
      #                                            ^^^^^^^^^^^^^ rwx-block-disk: “disks.example.com” provides single-node disks
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: raw }
      spec: { storageClassName: own, volumeMode: Block, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      #                                                               ^^^^^^^^^^^^^ access-mode-unsupported: Driver “disks.example.com” does not provision Block volumes
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: large }
      spec: { storageClassName: own, accessModes: [ReadWriteOnce], resources: { requests: { storage: 2Ti } } }
      #                                                                                              ^^^ claim-stays-pending: Claim large stays Pending: disks.example.com cannot provision its volume: it makes no such volumes above 1Ti
    `));

  test("are installed even if the project file names a profile with other drivers", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: gke
      drivers: [{ name: disks.example.com }]
      #- claim.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: own }
      provisioner: disks.example.com
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      #                 ^^^^ pvc-unused
      spec: { storageClassName: own, accessModes: [ReadWriteMany], resources: { requests: { storage: 1Gi } } }
    `));

  test("override the catalogue", () =>
    checkPredicted(`
      #- claimcheck.yaml
      drivers:
        - { name: ebs.csi.aws.com, accessModes: [ReadWriteOnce, ReadWriteMany], maxSize: 10Gi }
      #- claims.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: disks }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: Immediate
      #                  ^^^^^^^^^ class-immediate-topology-driver
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: shared }
      #                 ^^^^^^ pvc-unused
      spec: { storageClassName: disks, accessModes: [ReadWriteMany], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: large }
      spec: { storageClassName: disks, accessModes: [ReadWriteOnce], resources: { requests: { storage: 20Gi } } }
      #                                                                                                ^^^^ claim-stays-pending
    `));

  test("keep the catalogue's other properties if only parameters are described", () =>
    checkPredicted(`
      #- claimcheck.yaml
      drivers: [{ name: ebs.csi.aws.com, parameters: [type, tier] }]
      #- claims.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: disks }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: WaitForFirstConsumer
      parameters: { type: gp3, tier: gold }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: disks, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: shared }
      spec: { storageClassName: disks, accessModes: [ReadWriteMany], resources: { requests: { storage: 1Gi } } }
      #                                              ^^^^^^^^^^^^^ rwx-block-disk
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: app }
      spec:
        containers: [{ name: app, image: busybox, volumeMounts: [{ name: data, mountPath: /data }, { name: own, mountPath: /own }] }]
        volumes:
          - { name: data, persistentVolumeClaim: { claimName: data } }
          - { name: own, csi: { driver: ebs.csi.aws.com } }
      #                                 ^^^^^^^^^^^^^^^ csi-ephemeral-undeclared
    `));

  test("decide which class is suggested instead of another", async () => {
    const described = `profile: generic
drivers:
  - { name: disks.example.com, accessModes: [ReadWriteOnce] }
  - { name: files.example.com, accessModes: [ReadWriteOnce, ReadWriteMany] }
`;
    const to = (name: string): string => `set spec.storageClassName to "${name}"`;
    assert.deepEqual(await advised(described, "gone"), [to("files"), to("unsaid")]);
    assert.deepEqual(await advised(described, "disks"), [to("files")]);
    const nobodySays = "profile: generic\n";
    assert.deepEqual(await advised(nobodySays, "gone"), [to("disks"), to("files"), to("unsaid")]);
  });

  test("yield to the workspace's CSIDriver", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      drivers: [{ name: files.example.com, volumeLifecycleModes: [Persistent] }]
      #- pod.yaml
      apiVersion: storage.k8s.io/v1
      kind: CSIDriver
      metadata: { name: files.example.com }
      spec: { volumeLifecycleModes: [Ephemeral] }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /d }] }]
        volumes: [{ name: v, csi: { driver: files.example.com } }]
    `));

  test("run with the described external-provisioner, or with the usual one", async () => {
    const told = async (driver: string): Promise<string | undefined> => {
      const text = `#- claimcheck.yaml
drivers: [{ ${driver}, maxSize: 1Gi }]
#- all.yaml
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: own }
provisioner: ${/(?<=name: )[\w.]+/.exec(driver)?.[0]}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: large }
spec: { storageClassName: own, accessModes: [ReadWriteOnce], resources: { requests: { storage: 2Gi } } }
`;
      const service = await loadFixture(readFixture(text), true);
      const [environment] = service.environments();
      const prediction = environment && service.prediction(environment);
      return prediction?.verdictOf.get("PersistentVolumeClaim/default/large")?.message;
    };
    const ofClass = /^failed to provision volume with StorageClass "own": rpc error: /;
    const alone = /^rpc error: /;
    const disks = "name: disks.example.com";
    assert.match((await told(disks)) ?? "", alone);
    assert.match((await told(`${disks}, externalProvisioner: v5.3.0`)) ?? "", ofClass);
    assert.match((await told(`${disks}, externalProvisioner: 6`)) ?? "", alone);
    const ceph = "name: rbd.csi.ceph.com";
    const infeasible =
      /^Volume provisioning failed with infeasible error\. Retries will be delayed\. /;
    assert.match((await told(ceph)) ?? "", infeasible);
    assert.match((await told(`${ceph}, externalProvisioner: v5.3`)) ?? "", ofClass);
  });

  test("may expand volumes on nodes only", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      drivers:
        - { name: disks.example.com, expansion: onNode }
        - { name: files.example.com, expansion: none }
      #- classes.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: disks }
      provisioner: disks.example.com
      allowVolumeExpansion: true
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: files }
      provisioner: files.example.com
      allowVolumeExpansion: true
      #                     ^^^^ class-expansion-driver
    `));

  test("accept no inline volumes unless described so", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      drivers: [{ name: files.example.com, volumeLifecycleModes: [Persistent] }]
      #- pod.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /d }] }]
        volumes: [{ name: v, csi: { driver: files.example.com } }]
      #                                     ^^^^^^^^^^^^^^^^^ csi-ephemeral-undeclared
    `));

  test("may have names that would be markup, which is shown literally", () =>
    checkHover(
      `
      #- claimcheck.yaml
      drivers: [{ name: "![x](http://example.com)", parameters: [tier] }]
      #- class.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: own }
      provisioner: "![x](http://example.com)"
      parameters: { ti$0er: gold }
    `,
      ["`tier`: a parameter of !\\[x\\](http://example.com)."],
    ));

  test("document the parameters of their classes", () =>
    checkHover(
      `${own}
      #- class.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: own }
      provisioner: disks.example.com
      parameters: { ti$0er: gold }
    `,
      ["`tier`: a parameter of disks.example.com."],
    ));
});
