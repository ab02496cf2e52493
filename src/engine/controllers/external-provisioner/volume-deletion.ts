/**
 * Deletes the storage of released volumes and guards it with a finalizer until then.
 * Upstream: sig-storage-lib-external-provisioner v13 controller/controller.go syncVolume, handleProtectionFinalizer,
 * shouldDelete, deleteVolumeOperation; external-provisioner v6.3 pkg/controller/controller.go Delete, handleSecretsForDeletion,
 * canDeleteVolume.
 */
import { refOf } from "../../api/meta.ts";
import { effectiveClassName } from "../../api/storage-class-name.ts";
import type { PersistentVolume, SecretReference } from "../../api/types.ts";
import type { Checked } from "../../csi/catalogue/sidecar-parameters.ts";
import { errorGettingSecret, readSecret } from "../../csi/read-secret.ts";
import { errorText } from "../../csi/rpc.ts";
import { type ControllerConnection, provisionerBackoff } from "../../csi/sidecar.ts";
import {
  annotation,
  annotationOf,
  finalizer,
  hasFinalizer,
  withFinalizers,
} from "../../matching/annotations.ts";
import { secretFor } from "../../matching/class-secret.ts";
import { migratedDriver } from "../../matching/csi-migration.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { event, isNotFound, patch, remove, type Task } from "../../runtime/effects.ts";
import type { Informer } from "../../runtime/informer.ts";
import { done, type Reconcile, retry } from "../../runtime/outcome.ts";
import type { WorkQueue } from "../../runtime/work-queue.ts";
import { attachedVolumes, attachmentsByVolume } from "../../volume/attachment-index.ts";
import { translatedVolume } from "../../volume/csi-translation.ts";
import { callTimeoutMs } from "./provision.ts";

const own = finalizer.externalProvisioner;

export function runVolumeDeletion(
  context: ComponentContext,
  connection: ControllerConnection,
): void {
  new VolumeDeletion(context, connection).run();
}

class VolumeDeletion {
  readonly #context: ComponentContext;
  readonly #connection: ControllerConnection;
  readonly #volumes: Informer<"PersistentVolume">;
  readonly #classes: Informer<"StorageClass">;
  readonly #attachments: Informer<"VolumeAttachment">;
  readonly #driver: string;
  readonly #queue: WorkQueue;

  constructor(context: ComponentContext, connection: ControllerConnection) {
    this.#context = context;
    this.#connection = connection;
    this.#volumes = context.informer("PersistentVolume");
    this.#classes = context.informer("StorageClass");
    this.#attachments = context.informer("VolumeAttachment");
    this.#driver = connection.driver.name;
    this.#queue = context.queue({
      workers: 100,
      ...provisionerBackoff(connection.driver),
      sync: (name) => this.#sync(name),
    });
  }

  run(): void {
    this.#attachments.index(attachmentsByVolume, attachedVolumes);
    const enqueue = (volume: PersistentVolume): void => {
      if (isOurs(volume, this.#driver)) this.#queue.add(volume.metadata.name);
    };
    this.#volumes.on({
      add: enqueue,
      update: (_, volume) => enqueue(volume),
      delete: (volume) => this.#queue.forget(volume.metadata.name),
    });
  }

  *#sync(name: string): Reconcile {
    const volume = this.#volumes.get(name);
    if (volume === undefined || !isOurs(volume, this.#driver)) return done("NotOurs");
    const guarded = yield* guard(volume);
    if (guarded === undefined) return retry(`failed to modify finalizers on volume ${name}`);
    if (!shouldDelete(guarded)) return done("Kept");
    const failure = yield* this.#deleteStorage(guarded);
    if (failure !== undefined) {
      const due = this.#queue.retryAt(name);
      this.#context.decide(refOf(volume), { reason: "VolumeFailedDelete", text: failure, due });
      yield* event(refOf(volume), "Warning", "VolumeFailedDelete", failure);
      return retry(failure);
    }
    return yield* deleteObject(guarded);
  }

  *#deleteStorage(volume: PersistentVolume): Task<string | undefined> {
    const connection = this.#connection;
    const handle = translatedVolume(volume).spec.csi?.volumeHandle;
    if (handle === undefined) return "invalid CSI PV";
    const secret = this.#secretName(volume);
    if (!secret.ok) return secret.error;
    const read = yield* readSecret(secret.value, errorGettingSecret);
    if (connection.has("PUBLISH_UNPUBLISH_VOLUME")) {
      const [attachment] = this.#attachments.byIndex(attachmentsByVolume, volume.metadata.name);
      if (attachment !== undefined) {
        return `persistentvolume ${volume.metadata.name} is still attached to node ${attachment.spec.nodeName}`;
      }
    }
    const result = yield* connection.call(
      "DeleteVolume",
      // If the Secret is gone, the driver is called without it.
      { volume_id: handle, ...(read.ok && read.field) },
      callTimeoutMs(connection),
    );
    return result.code === "OK" ? undefined : errorText(result);
  }

  /**
   * The Secret in the provisioner's annotations; for a volume without them, the one that its class names. The claim may be
   * gone, so its annotations are not available.
   */
  #secretName(volume: PersistentVolume): Checked<SecretReference | undefined> {
    const { name } = volume.metadata;
    const noted = annotationOf(volume, annotation.deletionSecretName);
    const notedNamespace = annotationOf(volume, annotation.deletionSecretNamespace);
    if (noted !== undefined && notedNamespace !== undefined) {
      const isNamed = noted !== "" && notedNamespace !== "";
      return { ok: true, value: isNamed ? { name: noted, namespace: notedNamespace } : undefined };
    }
    const { claimRef } = volume.spec;
    const parameters = this.#classes.get(effectiveClassName(volume))?.parameters;
    if (claimRef === undefined || parameters === undefined) return { ok: true, value: undefined };
    const { name: claimName = "", namespace = "" } = claimRef;
    const claim = { metadata: { name: claimName, namespace } };
    const secret = secretFor("provisioner", parameters, name, claim);
    if (secret.ok) return secret;
    return {
      ok: false,
      error: `failed to get secretreference for volume ${name}: ${secret.error}`,
    };
  }
}

function isOurs(volume: PersistentVolume, driver: string): boolean {
  if (annotationOf(volume, annotation.migratedTo) === driver) return true;
  const provisioner = annotationOf(volume, annotation.provisionedBy);
  if (provisioner !== undefined) {
    return provisioner === driver || migratedDriver(provisioner) === driver;
  }
  return volume.spec.csi?.driver === driver;
}

/** Adds or removes the finalizer as needed; returns undefined if the patch failed. */
function* guard(volume: PersistentVolume): Task<PersistentVolume | undefined> {
  const { persistentVolumeReclaimPolicy: policy } = volume.spec;
  const { deletionTimestamp, name } = volume.metadata;
  const has = hasFinalizer(volume, own);
  const wanted =
    policy === "Delete"
      ? has || (deletionTimestamp === undefined && volume.status?.phase === "Bound")
      : false;
  if (wanted === has) return volume;
  // A strategic merge patch: concurrent changes to other finalizers are kept.
  const patched = yield* patch("PersistentVolume", undefined, name, (current) => {
    const others = (current.metadata.finalizers ?? []).filter((f) => f !== own);
    return withFinalizers(current, wanted ? [...others, own] : others);
  });
  return patched.ok ? patched.object : undefined;
}

function shouldDelete(volume: PersistentVolume): boolean {
  const { deletionTimestamp } = volume.metadata;
  // A removed finalizer means that the storage is deleted already.
  if (deletionTimestamp !== undefined && !hasFinalizer(volume, own)) return false;
  return (
    volume.status?.phase === "Released" && volume.spec.persistentVolumeReclaimPolicy === "Delete"
  );
}

function* deleteObject(volume: PersistentVolume): Reconcile {
  const { name } = volume.metadata;
  const removed = yield* remove("PersistentVolume", undefined, name);
  if (!removed.ok && !isNotFound(removed.error)) return retry(removed.error.message);
  if (!hasFinalizer(volume, own)) return done("Deleted");
  const patched = yield* patch("PersistentVolume", undefined, name, (current) =>
    withFinalizers(
      current,
      (current.metadata.finalizers ?? []).filter((f) => f !== own),
    ),
  );
  if (!patched.ok && !isNotFound(patched.error)) return retry(patched.error.message);
  return done("Deleted");
}
