import assert from "node:assert/strict";
import {
  type ChainLink,
  chainStartsAt,
  restsOn,
  restsOnIt,
} from "../../../src/language-server/features/storage-chain.ts";
import type { WorkspaceObject } from "../../../src/language-server/workspace/workspace-object.ts";
import { atCursor } from "../../support/language-features.ts";

const files = (cursor: "pod" | "pod-volume" | "claim" | "volume"): string => {
  const mark = (place: string): string => (place === cursor ? "$0" : "");
  return `
    #- claimcheck.yaml
    profile: bare-metal
    #- app.yaml
    apiVersion: v1
    kind: PersistentVolumeClaim
    metadata: { name: d${mark("claim")}ata }
    spec: { storageClassName: manual, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    ---
    apiVersion: v1
    kind: Pod
    metadata: { name: w${mark("pod")}eb }
    spec:
      containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /x }] }]
      volumes: [{ name: v${mark("pod-volume")}, persistentVolumeClaim: { claimName: data } }]
    #- volumes.yaml
    apiVersion: storage.k8s.io/v1
    kind: StorageClass
    metadata: { name: manual }
    provisioner: kubernetes.io/no-provisioner
    ---
    apiVersion: v1
    kind: PersistentVolume
    metadata: { name: d${mark("volume")}isk }
    spec: { storageClassName: manual, capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /x } }
  `;
};

async function chain(
  cursor: Parameters<typeof files>[0],
  find: typeof restsOn,
): Promise<readonly string[]> {
  const { analysis, prediction, file, offset } = await atCursor(files(cursor), true);
  const [start] = chainStartsAt(analysis, file, offset);
  assert.ok(start !== undefined);
  const textOf = ({ file: { manifest } }: WorkspaceObject, { places }: ChainLink): string =>
    places.map((place) => manifest.text.slice(place.start, place.end)).join(" ");
  return find(analysis, prediction, start).map((link) => {
    const naming = find === restsOn ? start : link.entry;
    return `${link.entry.object.ref} by ${textOf(naming, link)}`;
  });
}

suite("storage chain", () => {
  test("a pod rests on its claim, the claim on class and predicted volume, the volume on the class", async () => {
    assert.deepEqual(await chain("pod", restsOn), ["PersistentVolumeClaim/default/data by data"]);
    assert.deepEqual(await chain("claim", restsOn), [
      "StorageClass//manual by manual",
      "PersistentVolume//disk by data",
    ]);
    assert.deepEqual(await chain("volume", restsOn), ["StorageClass//manual by manual"]);
  });

  test("a snapshot rests on its content, and what is restored on the snapshot", async () => {
    const snapshots = `
    apiVersion: snapshot.storage.k8s.io/v1
    kind: VolumeSnapshot
    metadata: { name: shot }
    spec: { source: { volumeSnapshotContentName: taken } }
    ---
    apiVersion: snapshot.storage.k8s.io/v1
    kind: VolumeSnapshotContent
    metadata: { name: ta$0ken }
    spec:
      volumeSnapshotRef: { name: shot, namespace: default }
      driver: ebs.csi.aws.com
      deletionPolicy: Retain
      source: { snapshotHandle: snap-1 }
    ---
    apiVersion: v1
    kind: PersistentVolumeClaim
    metadata: { name: restored }
    spec:
      dataSource: { apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: shot }
      accessModes: [ReadWriteOnce]
      resources: { requests: { storage: 1Gi } }`;
    const { analysis, prediction, file, offset } = await atCursor(snapshots, false);
    const [content] = chainStartsAt(analysis, file, offset);
    const restored = analysis.environment.objects.find(({ object }) => object.name === "restored");
    assert.ok(content !== undefined && restored !== undefined);
    const refs = (links: readonly ChainLink[]): readonly (string | undefined)[] =>
      links.map(({ entry }) => entry.object.ref);
    assert.deepEqual(refs(restsOn(analysis, prediction, content)), []);
    assert.deepEqual(refs(restsOnIt(analysis, prediction, content)), [
      "VolumeSnapshot/default/shot",
    ]);
    assert.deepEqual(refs(restsOn(analysis, prediction, restored)), [
      "VolumeSnapshot/default/shot",
    ]);
  });

  test("the chain starts at the claim if the cursor is on a volume of a pod", async () => {
    assert.deepEqual(await chain("pod-volume", restsOnIt), ["Pod/default/web by data"]);
  });

  test("the chain goes the other way, too", async () => {
    assert.deepEqual(await chain("volume", restsOnIt), [
      "PersistentVolumeClaim/default/data by data",
    ]);
    assert.deepEqual(await chain("claim", restsOnIt), ["Pod/default/web by data"]);
    assert.deepEqual(await chain("pod", restsOnIt), []);
  });
});
