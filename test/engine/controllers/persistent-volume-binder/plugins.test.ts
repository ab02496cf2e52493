/** What the controller manager's own plugins can and cannot do for claims and volumes, with their messages. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../../src/engine/api/meta.ts";
import {
  hostPathPlugin,
  nfsPlugin,
} from "../../../../src/engine/controllers/persistent-volume-binder/in-tree-plugins.ts";
import { persistentVolumeBinder } from "../../../../src/engine/controllers/persistent-volume-binder/persistent-volume-binder.ts";
import {
  type VolumePlugin,
  VolumePlugins,
} from "../../../../src/engine/controllers/persistent-volume-binder/volume-plugins.ts";
import { bare } from "../../../support/bare-objects.ts";
import { Scene } from "../../../support/component-scene.ts";
import { type MockAnswers, mockPlugin } from "./mock-plugin.ts";

const mock = "kubernetes.io/mock-volume";
const selectedNode = { "volume.kubernetes.io/selected-node": "gone" };

function claim(spec: object = {}, annotations: object = {}): KubeObject<"PersistentVolumeClaim"> {
  return bare("PersistentVolumeClaim", "data", {
    metadata: { annotations, finalizers: ["kubernetes.io/pvc-protection"] },
    spec: {
      storageClassName: "c",
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
      ...spec,
    },
    status: { phase: "Pending" },
  });
}

function storageClass(more: object = {}): KubeObject<"StorageClass"> {
  const found = { ...bare("StorageClass", "c"), provisioner: mock, volumeBindingMode: "Immediate" };
  return { ...found, ...more } as KubeObject<"StorageClass">;
}

/** A volume whose claim is gone. */
function released(
  parts: { spec?: object; annotations?: object } = {},
): KubeObject<"PersistentVolume"> {
  return bare("PersistentVolume", "pv", {
    metadata: { annotations: parts.annotations ?? {} },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      persistentVolumeReclaimPolicy: "Delete",
      claimRef: { namespace: "default", name: "gone", uid: "gone" },
      hostPath: { path: "/tmp/x" },
      ...parts.spec,
    },
    status: { phase: "Released" },
  });
}

interface Options {
  readonly plugins?: readonly VolumePlugin[];
  readonly dynamicProvisioning?: boolean;
}

function sceneOf(objects: readonly KubeObject[], options: Options = {}): Scene {
  const { plugins = [hostPathPlugin, nfsPlugin], dynamicProvisioning = true } = options;
  const binder = persistentVolumeBinder({
    plugins: new VolumePlugins(plugins),
    migratedDriver: () => undefined,
    dynamicProvisioning,
  });
  return new Scene([binder], objects).run(1000);
}

const withMock = (answers: MockAnswers): Options => ({ plugins: [mockPlugin(answers)] });
const told = (scene: Scene): readonly string[] =>
  scene.events.map((line) => line.replace(/^(×\d+ )?\S+ /, ""));

suite("provisioning by the controller manager", () => {
  const made = { provision: [""], endless: true };
  const failure = (text: string): readonly string[] => [`Warning ProvisioningFailed ${text}`];

  test("creates a volume with the class's reclaim policy, and a finalizer if that is Delete", () => {
    const volumeOf = (reclaimPolicy: string | undefined) =>
      sceneOf([claim(), storageClass({ reclaimPolicy })], withMock(made)).get(
        "PersistentVolume",
        "",
        "pvc-data",
      );
    const kept = volumeOf("Retain");
    assert.equal(kept?.spec.persistentVolumeReclaimPolicy, "Retain");
    assert.deepEqual(kept.metadata.finalizers, ["kubernetes.io/pv-protection"]);
    assert.deepEqual(kept.metadata.annotations, {
      "pv.kubernetes.io/bound-by-controller": "yes",
      "pv.kubernetes.io/provisioned-by": mock,
    });
    const deleted = volumeOf(undefined);
    assert.equal(deleted?.spec.persistentVolumeReclaimPolicy, "Delete");
    assert.deepEqual(deleted.metadata.finalizers, [
      "kubernetes.io/pv-controller",
      "kubernetes.io/pv-protection",
    ]);
  });

  test("is not tried if it is switched off", () => {
    const scene = sceneOf([claim(), storageClass()], {
      ...withMock(made),
      dynamicProvisioning: false,
    });
    assert.deepEqual([scene.events, scene.writes], [[], []]);
  });

  test("supports no data source", () => {
    const dataSource = { kind: "PersistentVolumeClaim", name: "src" };
    assert.deepEqual(
      told(sceneOf([claim({ dataSource }), storageClass()], withMock(made))),
      failure(
        `plugin "${mock}" is not a CSI plugin. Only CSI plugin can provision a claim with a datasource`,
      ),
    );
  });

  test("requires the selected node to exist", () => {
    assert.deepEqual(
      told(sceneOf([claim({}, selectedNode), storageClass()], withMock(made))),
      failure('Failed to get target node: node "gone" not found'),
    );
  });

  test("saving the volume is retried every ten seconds, and given up after five attempts", () => {
    const creates = (failures: number): { readonly scene: Scene; readonly at: number[] } => {
      const scene = sceneOf([], withMock({ provision: [""], remove: [""] }));
      const { api, loop } = scene.runtime;
      const at: number[] = [];
      const create = api.create.bind(api);
      api.create = (input) => {
        if ((input as KubeObject).kind !== "PersistentVolume") return create(input);
        at.push(loop.now);
        if (at.length > failures) return create(input);
        return { ok: false, error: { code: 500, reason: "InternalError", message: "no room" } };
      };
      for (const object of [storageClass(), claim()]) api.restore(object);
      scene.run(60_000);
      return { scene, at };
    };
    const twice = creates(1);
    const [first = 0, second = 0, ...more] = twice.at;
    assert.deepEqual([Math.floor((second - first) / 1000), more], [10, []]);
    assert.ok(told(twice.scene).some((text) => text.startsWith("Normal ProvisioningSucceeded")));
    const never = creates(5);
    assert.equal(never.at.length, 5);
    assert.deepEqual(told(never.scene).slice(0, 1), [
      "Warning ProvisioningFailed Error creating provisioned PV object for claim default/data: no room. Deleting the volume.",
    ]);
  });

  test("removes the selected node when it fails, so that the scheduler chooses again", () => {
    const node = bare("Node", "gone");
    const failing = withMock({ provision: ["no room"], endless: true });
    const scene = sceneOf([claim({}, selectedNode), storageClass(), node], failing);
    assert.deepEqual(
      told(scene),
      failure('Failed to provision volume with StorageClass "c": no room'),
    );
    const { annotations } = scene.get("PersistentVolumeClaim", "default", "data")?.metadata ?? {};
    assert.equal(annotations?.["volume.kubernetes.io/selected-node"], undefined);
  });

  test("host-path volumes are not provisioned, and nfs has no provisioner", () => {
    const by = (provisioner: string): readonly string[] =>
      told(sceneOf([claim(), storageClass({ provisioner })]));
    assert.deepEqual(
      by("kubernetes.io/host-path"),
      failure(
        'Failed to create provisioner: provisioning in volume plugin "kubernetes.io/host-path" is disabled',
      ),
    );
    assert.deepEqual(by("kubernetes.io/nfs"), failure("no provisionable volume plugin matched"));
    assert.deepEqual(
      by("kubernetes.io/none"),
      failure("no volume plugin matched name: kubernetes.io/none"),
    );
  });

  test("mount options need a plugin that supports them", () => {
    assert.deepEqual(
      told(sceneOf([claim(), storageClass({ mountOptions: ["ro", "hard"] })], withMock(made))),
      failure(
        'Mount options are not supported by the provisioner but StorageClass "c" has mount options [ro hard]',
      ),
    );
  });
});

suite("reclaiming by the controller manager", () => {
  const madeBy = (plugin: string): object => ({ "pv.kubernetes.io/provisioned-by": plugin });
  const statusOf = (scene: Scene) => {
    const { phase, message } = scene.get("PersistentVolume", "", "pv")?.status ?? {};
    return [phase, message];
  };

  test("a volume is deleted by the plugin that provisioned it, or else by the one that supports its source", () => {
    const nfs = { hostPath: undefined, nfs: { server: "nas", path: "/" } };
    const scene = sceneOf([released({ spec: nfs })]);
    const text =
      'error getting deleter volume plugin for volume "pv": no deletable volume plugin matched';
    assert.deepEqual(statusOf(scene), ["Failed", text]);
    assert.deepEqual(told(scene), [`Warning VolumeFailedDelete ${text}`]);
    const rbd = { hostPath: undefined, rbd: { monitors: ["m"], image: "i" } };
    assert.deepEqual(statusOf(sceneOf([released({ spec: rbd })])), [
      "Failed",
      'error getting deleter volume plugin for volume "pv": no volume plugin matched',
    ]);
    assert.deepEqual(statusOf(sceneOf([released({ annotations: madeBy("kubernetes.io/nfs") })])), [
      "Failed",
      "no deletable volume plugin matched",
    ]);
    assert.deepEqual(statusOf(sceneOf([released({ annotations: madeBy("kubernetes.io/none") })])), [
      "Failed",
      "no volume plugin matched name: kubernetes.io/none",
    ]);
    assert.equal(sceneOf([released()]).get("PersistentVolume", "", "pv"), undefined);
  });

  test("volumes of CSI drivers, external provisioners and migrated plugins are left to those", () => {
    const csi = { hostPath: undefined, csi: { driver: "d.csi", volumeHandle: "h" } };
    const migrated = { "pv.kubernetes.io/migrated-to": "d.csi" };
    for (const parts of [
      { spec: csi },
      { annotations: madeBy("other") },
      { annotations: migrated },
    ]) {
      const scene = sceneOf([released(parts)]);
      assert.deepEqual([statusOf(scene), scene.events], [["Released", undefined], []]);
    }
  });

  test("a volume that is still in use gets an event, and its deletion is retried", () => {
    let isInUse = true;
    const inUse: VolumePlugin = {
      ...hostPathPlugin,
      newDeleter: () => ({
        ok: true,
        remove: function* () {
          return isInUse ? { ok: false, error: "busy", inUse: true } : { ok: true };
        },
      }),
    };
    const scene = sceneOf([released()], { plugins: [inUse] });
    assert.deepEqual(told(scene), ["Normal VolumeDelete busy"]);
    assert.deepEqual(statusOf(scene), ["Released", undefined]);
    isInUse = false;
    assert.equal(scene.run(16_000).get("PersistentVolume", "", "pv"), undefined);
  });

  test("a volume that cannot be recycled is marked Failed", () => {
    const csi = { hostPath: undefined, csi: { driver: "d.csi", volumeHandle: "h" } };
    const recycle = { persistentVolumeReclaimPolicy: "Recycle" };
    assert.deepEqual(statusOf(sceneOf([released({ spec: { ...csi, ...recycle } })])), [
      "Failed",
      "No recycler plugin found for the volume!",
    ]);
  });

  test("an unknown reclaim policy marks the volume Failed", () => {
    const scene = sceneOf([released({ spec: { persistentVolumeReclaimPolicy: "Shred" } })]);
    const text = "Volume has unrecognized PersistentVolumeReclaimPolicy";
    assert.deepEqual(statusOf(scene), ["Failed", text]);
    assert.deepEqual(told(scene), [`Warning VolumeUnknownReclaimPolicy ${text}`]);
  });

  test("a Failed volume gets one event, and keeps the message of its first failure", () => {
    const scene = sceneOf([released()], withMock({ remove: ["first", "second"] }));
    scene.run(60_000);
    assert.deepEqual(statusOf(scene), ["Failed", "first"]);
    assert.deepEqual(scene.events, ["PersistentVolume//pv Warning VolumeFailedDelete first"]);
  });

  test("a volume that was not dynamically provisioned is unbound if its claim has another one", () => {
    const ref = { namespace: "default", name: "data", uid: "data" };
    const other = claim({ volumeName: "other" }, { "pv.kubernetes.io/bind-completed": "yes" });
    const of = (annotations: object, policy: string) =>
      sceneOf([
        other,
        released({ annotations, spec: { claimRef: ref, persistentVolumeReclaimPolicy: policy } }),
      ]).get("PersistentVolume", "", "pv");
    const byController = { "pv.kubernetes.io/bound-by-controller": "yes" };
    assert.equal(of(byController, "Delete")?.spec.claimRef, undefined);
    assert.deepEqual(of({}, "Delete")?.spec.claimRef, { namespace: "default", name: "data" });
    assert.equal(of(madeBy("kubernetes.io/host-path"), "Delete"), undefined);
    assert.equal(
      of({ ...madeBy("kubernetes.io/host-path"), ...byController }, "Retain")?.spec.claimRef,
      undefined,
    );
  });
});

suite("a claim's status", () => {
  const ref = { namespace: "default", name: "data", uid: "data" };
  const bound = {
    "pv.kubernetes.io/bind-completed": "yes",
    "pv.kubernetes.io/bound-by-controller": "yes",
  };
  const statusWith = (spec: object, status: object, annotations: object = {}) => {
    const pv = released({ spec: { claimRef: ref, ...spec }, annotations });
    const given = { ...claim({ volumeName: "pv" }, bound), status };
    return sceneOf([given as KubeObject, { ...pv, status: { phase: "Bound" } } as KubeObject]).get(
      "PersistentVolumeClaim",
      "default",
      "data",
    )?.status;
  };

  test("takes access modes and size from the volume, but keeps the notation of an equal size", () => {
    const volume = { accessModes: ["ReadWriteMany"], capacity: { storage: "2Gi" } };
    const pending = { phase: "Pending" };
    assert.deepEqual(statusWith(volume, pending), {
      phase: "Bound",
      accessModes: ["ReadWriteMany"],
      capacity: { storage: "2Gi" },
    });
    assert.deepEqual(
      statusWith(volume, { ...pending, capacity: { storage: "2048Mi" } })?.capacity,
      { storage: "2048Mi" },
    );
    assert.deepEqual(
      statusWith(volume, { phase: "Bound", capacity: { storage: "1Gi" } })?.capacity,
      { storage: "1Gi" },
    );
    const before = { "volume.alpha.kubernetes.io/pre-resize-capacity": "1Gi" };
    assert.deepEqual(statusWith(volume, pending, before)?.capacity, { storage: "1Gi" });
  });

  test("takes over the attributes class when the claim is bound first, not after it was Lost", () => {
    const volume = { volumeAttributesClassName: "gold" };
    assert.equal(
      statusWith(volume, { phase: "Pending" })?.currentVolumeAttributesClassName,
      "gold",
    );
    const found = statusWith(volume, { phase: "Lost" });
    assert.equal(found?.phase, "Bound");
    assert.equal(found?.currentVolumeAttributesClassName, undefined);
  });

  test("cannot be taken from a volume without a size", () => {
    assert.deepEqual(statusWith({ capacity: {} }, { phase: "Pending" }), { phase: "Pending" });
  });
});
