import assert from "node:assert/strict";
import { check } from "../../../support/check.ts";
import { play } from "../../../support/play.ts";

suite("persistent volume binder", () => {
  test("binds the smallest volume that fits, writing the volume first", () => {
    check(
      `
      kind: PersistentVolume
      metadata: { name: large }                      #=> Available
      spec: { capacity: { storage: 10Gi } }
      ---
      kind: PersistentVolume
      metadata: { name: small }                      #=> Bound default/data
      spec: { capacity: { storage: 2Gi } }
      ---
      kind: PersistentVolumeClaim
      metadata: { name: data }                       #=> Bound small
      spec: { storageClassName: "" }
    `,
      {
        otherEnds: [
          {
            end: `
              PersistentVolume//large Bound default/data
              PersistentVolume//small Available
              PersistentVolumeClaim/default/data Bound large
            `,
            because:
              "a controller that comes back finds the claim while only the large volume is Available",
          },
        ],
      },
    )
      .writes(`
        persistentvolume-binder update PersistentVolume//large status
        persistentvolume-binder update PersistentVolume//small status
        persistentvolume-binder update PersistentVolume//small
        persistentvolume-binder update PersistentVolume//small status
        persistentvolume-binder update PersistentVolumeClaim/default/data
        persistentvolume-binder update PersistentVolumeClaim/default/data status
      `)
      .decision(
        "PersistentVolumeClaim/default/data",
        `
        Matched PersistentVolume//small
        PersistentVolume//large; smaller-volume-first: small with 2Gi / 10Gi
      `,
      );
  });

  test("a claim and a volume that name each other are bound before the pod that is created after them is scheduled", () => {
    const played = play(
      `
      kind: PersistentVolume
      metadata: { name: files }                      #=> Bound default/data
      spec:
        accessModes: [ReadWriteMany]
        claimRef: { namespace: default, name: data }
        nfs: { server: nas, path: /files }
      ---
      kind: PersistentVolumeClaim
      metadata: { name: data }                       #=> Bound files
      spec: { storageClassName: "", accessModes: [ReadWriteMany], volumeName: files }
      ---
      kind: Pod
      metadata: { name: app }                        #=> Running node-a
      spec:
        containers: [{ name: app, image: app, volumeMounts: [{ name: data, mountPath: /data }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `,
      { cluster: { nodes: [{ name: "node-a", zone: "zone-a" }] } },
    );
    assert.deepEqual(played.events("FailedScheduling"), []);
  });
});
