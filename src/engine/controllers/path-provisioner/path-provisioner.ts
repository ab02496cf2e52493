/**
 * Provisioners that are not CSI drivers: they create a directory, and a volume of an in-tree plugin that points to it.
 * Upstream: sig-storage-lib-external-provisioner controller/controller.go provisionClaimOperation, deleteVolumeOperation,
 * which the provisioners beside this file use. Not modeled: that they give up a claim after fifteen failures.
 */
import { type Draft, type KubeObject, keyOf, refOf } from "../../api/meta.ts";
import { effectiveClassName } from "../../api/storage-class-name.ts";
import { annotation, annotationOf, withoutAnnotation } from "../../matching/annotations.ts";
import type { Component, ComponentContext } from "../../runtime/component.ts";
import { event, getLive, isNotFound, remove, type Task, update } from "../../runtime/effects.ts";
import { done, type Reconcile, retry, wait } from "../../runtime/outcome.ts";
import type { PathProvisioner } from "../../scenario.ts";
import type { Instant } from "../../trace/instant.ts";
import { attemptCount, removeUnsaved, saveMadeVolume, unsavedText } from "../made-volume.ts";
import { cephFs, cephRbd } from "./ceph-volumes.ts";
import { dockerHostPath } from "./docker-host-path.ts";
import { localPath } from "./local-path.ts";
import { microk8sHostPath } from "./microk8s-host-path.ts";
import { minikubeHostPath } from "./minikube-host-path.ts";
import { nfsSubdir } from "./nfs-subdir.ts";
import { openEbsLocal } from "./openebs-local.ts";
import { flexVolumes, glusterVolumes, iscsiVolumes } from "./other-volumes.ts";
import {
  type PathRequest,
  type PathVolume,
  type PathVolumes,
  volumeNameFor,
} from "./path-volumes.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;
type Volume = KubeObject<"PersistentVolume">;

const volumesOfType: Readonly<
  Record<
    PathProvisioner["type"],
    (context: ComponentContext, provisioner: PathProvisioner) => PathVolumes
  >
> = {
  "ceph-fs": () => cephFs,
  "ceph-rbd": () => cephRbd,
  "docker-hostpath": () => dockerHostPath,
  "flex-volume": flexVolumes,
  "gluster-fs": () => glusterVolumes,
  iscsi: () => iscsiVolumes,
  "local-path": localPath,
  "microk8s-hostpath": microk8sHostPath,
  "minikube-hostpath": () => minikubeHostPath,
  "nfs-subdir": () => nfsSubdir,
  "openebs-local": () => openEbsLocal,
  unknown: flexVolumes,
};

/** Retries of both queues. Upstream: DefaultFailedProvisionThreshold's limiter, 15 s doubling to 1000 s. */
const backoff = { baseMs: 15_000, maxMs: 1_000_000 };

export function pathProvisioner(provisioner: PathProvisioner): Component {
  return {
    name: `path-provisioner ${provisioner.name}`,
    source: provisioner.name,
    start: (context) => {
      const volumes = volumesOfType[provisioner.type](context, provisioner);
      provisionClaims(context, provisioner.name, volumes);
      deleteVolumes(context, provisioner.name, volumes);
    },
  };
}

function provisionClaims(
  context: ComponentContext,
  provisioner: string,
  pathVolumes: PathVolumes,
): void {
  const claims = context.informer("PersistentVolumeClaim");
  const classes = context.informer("StorageClass");
  const volumes = context.informer("PersistentVolume");

  function* sync(key: string): Reconcile {
    const claim = claims.get(key);
    if (claim === undefined || (claim.spec.volumeName ?? "") !== "") return done("Bound");
    const outage = pathVolumes.outage?.();
    if (outage !== undefined) {
      const because = asList(pathVolumes.configuredBy?.());
      context.decide(refOf(claim), { reason: "NotRunning", because, text: outage });
      return retry(outage);
    }
    const storageClass = classes.get(effectiveClassName(claim));
    if (storageClass === undefined) return retry(`class "${effectiveClassName(claim)}" not found`);
    const node = annotationOf(claim, annotation.selectedNode);
    const waits = storageClass.volumeBindingMode === "WaitForFirstConsumer";
    if (waits && (node ?? "") === "") return done("WaitForFirstConsumer");
    if (volumes.get(volumeNameFor(claim)) !== undefined) return done("Provisioned");
    if (claim.spec.volumeMode === "Block" && !pathVolumes.supportsBlock)
      return yield* refuseBlock(context, provisioner, claim);
    if (storageClass.provisioner !== provisioner) return done("OtherProvisioner");
    const retryAt = (): Instant => queue.retryAt(key);
    const make = (request: PathRequest): Reconcile =>
      provision(context, provisioner, pathVolumes, request, retryAt);
    if (node === undefined) return yield* make({ claim, storageClass });
    const found = yield* getLive("Node", undefined, node);
    if (!found.ok) return yield* giveBack(claim, found.error.message);
    return yield* make({ claim, storageClass, node: found.object });
  }

  const queue = context.queue({ workers: 4, ...backoff, sync });
  const enqueue = (claim: Claim): void => {
    if (annotationOf(claim, annotation.storageProvisioner) === provisioner) queue.add(keyOf(claim));
  };
  claims.on({ add: enqueue, update: (_, claim) => enqueue(claim) });
}

/** Refuses a claim with volumeMode Block, once and without retry. */
function* refuseBlock(context: ComponentContext, provisioner: string, claim: Claim): Reconcile {
  const text = `${provisioner} does not support block volume provisioning`;
  context.decide(refOf(claim), { reason: "ProvisioningFailed", because: [], text });
  yield* event(refOf(claim), "Warning", "ProvisioningFailed", text);
  return done("BlockNotSupported");
}

/** The selected node is gone: removes it from the claim, so that the scheduler chooses another. */
function* giveBack(claim: Claim, error: string): Reconcile {
  yield* event(refOf(claim), "Warning", "ProvisioningFailed", error);
  const updated = yield* update(withoutAnnotation(claim, annotation.selectedNode));
  return updated.ok ? wait("Rescheduled") : retry(updated.error.message);
}

function* provision(
  context: ComponentContext,
  provisioner: string,
  volumes: PathVolumes,
  request: PathRequest,
  retryAt: () => Instant,
): Reconcile {
  const { claim, storageClass } = request;
  const about = refOf(claim);
  const text = `External provisioner is provisioning volume for claim "${keyOf(claim)}"`;
  yield* event(about, "Normal", "Provisioning", text);
  const made = yield* makeVolume(context, volumes, request);
  const because = [refOf(storageClass), ...asList(volumes.configuredBy?.())];
  if (typeof made === "string") {
    const message = `failed to provision volume with StorageClass "${storageClass.metadata.name}": ${made}`;
    const decision = { reason: "ProvisioningFailed", because, text: made, due: retryAt() };
    context.decide(about, decision);
    yield* event(about, "Warning", "ProvisioningFailed", message);
    return retry(made);
  }
  const draft = volumeObject(provisioner, request, made);
  const saved = yield* saveMadeVolume(draft);
  if (saved.ok) {
    const success = `Successfully provisioned volume ${volumeNameFor(claim)}`;
    yield* event(about, "Normal", "ProvisioningSucceeded", success);
    return done("ProvisioningSucceeded");
  }
  const unsaved = unsavedText(claim, saved.error);
  context.decide(about, { reason: "ProvisioningFailed", because, text: unsaved, due: retryAt() });
  yield* event(about, "Warning", "ProvisioningFailed", unsaved);
  yield* removeUnsaved(claim, draft, attemptCount, (volume) =>
    removeDirectory(context, volumes, volume),
  );
  return retry(saved.error);
}

/** Returns an error or undefined; does nothing for a provisioner without helper pods. */
function* removeDirectory(
  context: ComponentContext,
  volumes: PathVolumes,
  volume: Volume,
): Task<string | undefined> {
  return volumes.removeDirectory && (yield* volumes.removeDirectory(context, volume));
}

/** Returns the volume or an error. */
function* makeVolume(
  context: ComponentContext,
  volumes: PathVolumes,
  request: PathRequest,
): Task<PathVolume | string> {
  const planned = volumes.plan(request);
  if (typeof planned === "string" || volumes.makeDirectory === undefined) return planned;
  return (yield* volumes.makeDirectory(context, request, planned)) ?? planned;
}

function asList<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
}

function volumeObject(
  provisioner: string,
  { claim, storageClass }: PathRequest,
  { metadata, spec }: PathVolume,
): Draft<"PersistentVolume"> {
  const { uid, namespace = "default", name, resourceVersion } = claim.metadata;
  const { accessModes, resources } = claim.spec;
  const size = resources?.requests?.["storage"] ?? "0";
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: {
      ...metadata,
      name: volumeNameFor(claim),
      annotations: { ...metadata.annotations, [annotation.provisionedBy]: provisioner },
    },
    spec: {
      ...(accessModes !== undefined && { accessModes }),
      capacity: { storage: size },
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? "Delete",
      storageClassName: storageClass.metadata.name,
      claimRef: {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        namespace,
        name,
        uid,
        resourceVersion,
      },
      ...spec,
    },
  };
}

function deleteVolumes(
  context: ComponentContext,
  provisioner: string,
  pathVolumes: PathVolumes,
): void {
  const volumes = context.informer("PersistentVolume");

  function* sync(name: string): Reconcile {
    const volume = volumes.get(name);
    if (volume === undefined || !isDue(volume)) return done("Kept");
    const outage = pathVolumes.outage?.();
    if (outage !== undefined) return retry(outage);
    const failure = yield* removeDirectory(context, pathVolumes, volume);
    if (failure !== undefined) {
      const due = queue.retryAt(name);
      context.decide(refOf(volume), { reason: "VolumeFailedDelete", text: failure, due });
      yield* event(refOf(volume), "Warning", "VolumeFailedDelete", failure);
      return retry(failure);
    }
    const removed = yield* remove("PersistentVolume", undefined, name);
    if (!removed.ok && !isNotFound(removed.error)) return retry(removed.error.message);
    return done("Deleted");
  }

  const queue = context.queue({ workers: 4, ...backoff, sync });
  const enqueue = (volume: Volume): void => {
    if (annotationOf(volume, annotation.provisionedBy) === provisioner)
      queue.add(volume.metadata.name);
  };
  volumes.on({ add: enqueue, update: (_, volume) => enqueue(volume) });
}

/** Upstream: shouldDelete. There is no finalizer, so a volume that a user deletes leaves its directory behind. */
function isDue({ metadata, spec, status }: Volume): boolean {
  const isDelete = spec.persistentVolumeReclaimPolicy === "Delete";
  return metadata.deletionTimestamp === undefined && status?.phase === "Released" && isDelete;
}
