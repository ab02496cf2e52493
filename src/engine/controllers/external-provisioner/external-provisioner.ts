/**
 * Creates volumes for claims of its driver and deletes them again. Upstream: external-provisioner v6.3 with
 * sig-storage-lib-external-provisioner v13 controller/controller.go syncClaim, provisionClaimOperation.
 * Not modeled: --node-deployment, leader election, client-side rate limits, resync (the informers lose nothing).
 */
import { makeRef, refOf } from "../../api/meta.ts";
import { effectiveClassName } from "../../api/storage-class-name.ts";
import { unixMs } from "../../api/timestamp.ts";
import type { PersistentVolumeClaim, StorageClass } from "../../api/types.ts";
import { hasTopology } from "../../csi/driver-capabilities.ts";
import type { DriverProfile, SidecarSettings } from "../../csi/driver-profile.ts";
import { type ControllerConnection, provisionerBackoff, sidecar } from "../../csi/sidecar.ts";
import { annotation, annotationOf, withoutAnnotation } from "../../matching/annotations.ts";
import { migratedDriver } from "../../matching/csi-migration.ts";
import type { Component, ComponentContext } from "../../runtime/component.ts";
import { event, type Task, update } from "../../runtime/effects.ts";
import type { Informer } from "../../runtime/informer.ts";
import { done, type Outcome, type Reconcile, retry, wait } from "../../runtime/outcome.ts";
import type { WorkQueue } from "../../runtime/work-queue.ts";
import { runCloneProtection } from "./clone-protection.ts";
import { type Attempt, failed, type ProvisioningError, provisionerOf } from "./prepare.ts";
import { provision } from "./provision.ts";
import { isBeforeV6 } from "./release.ts";
import { sweepSnapshotFinalizers } from "./snapshot-finalizer-sweep.ts";
import { publishStorageCapacity } from "./storage-capacity.ts";
import { TopologyCache } from "./topology-cache.ts";
import { runVolumeDeletion } from "./volume-deletion.ts";
import { VolumeSaver } from "./volume-saver.ts";

/** How long a claim is left alone after an infeasible error. */
const infeasibleMs = 300_000;

interface Infeasible {
  readonly until: number;
  readonly classUid: string;
}

export function externalProvisioner(driver: DriverProfile): Component {
  return sidecar({
    name: `external-provisioner ${driver.name}`,
    source: driver.name,
    driver: driver.name,
    run: (context, connection) => {
      if (connection.has("GET_CAPACITY")) publishStorageCapacity(context, connection);
      if (connection.has("CLONE_VOLUME")) runCloneProtection(context);
      if (connection.has("CREATE_DELETE_SNAPSHOT") && !isBeforeV6(connection))
        sweepSnapshotFinalizers(context);
      runVolumeDeletion(context, connection);
      new Provisioner(context, connection).run();
    },
  });
}

class Provisioner {
  readonly #context: ComponentContext;
  readonly #connection: ControllerConnection;
  readonly #claims: Informer<"PersistentVolumeClaim">;
  readonly #volumes: Informer<"PersistentVolume">;
  readonly #classes: Informer<"StorageClass">;
  readonly #queue: WorkQueue;
  readonly #topologies: TopologyCache;
  readonly #saver: VolumeSaver;
  /** Claims whose volume the driver may still be creating; they are synced even after they are gone. */
  readonly #inProgress = new Map<string, PersistentVolumeClaim>();
  readonly #infeasible = new Map<string, Infeasible>();
  readonly #identity: string;

  constructor(context: ComponentContext, connection: ControllerConnection) {
    this.#context = context;
    this.#connection = connection;
    this.#claims = context.informer("PersistentVolumeClaim");
    this.#volumes = context.informer("PersistentVolume");
    this.#classes = context.informer("StorageClass");
    this.#saver = new VolumeSaver(context);
    this.#topologies = new TopologyCache(context);
    const number = Math.floor(context.fraction() * 10_000);
    this.#identity = `${unixMs(context.now)}-${number}-${connection.driver.name}`;
    this.#queue = context.queue({
      workers: 100,
      ...provisionerBackoff(connection.driver),
      sync: (uid) => this.#sync(uid),
    });
  }

  run(): void {
    this.#claims.index("uid", (claim) => [claim.metadata.uid]);
    const enqueue = (claim: PersistentVolumeClaim): void => this.#enqueue(claim);
    this.#claims.on({ add: enqueue, update: (_, claim) => enqueue(claim) });
  }

  /** Queues the claim unless it is another driver's or nothing is left to do. */
  #enqueue(claim: PersistentVolumeClaim): void {
    const { uid } = claim.metadata;
    const concerns =
      (!isBound(claim) && this.#isOurs(claim)) ||
      this.#inProgress.has(uid) ||
      this.#queue.failures(uid) > 0;
    if (concerns) this.#queue.add(uid);
  }

  #isOurs(claim: PersistentVolumeClaim): boolean {
    const { name } = this.#connection.driver;
    return provisionerOf(claim) === name || annotationOf(claim, annotation.migratedTo) === name;
  }

  *#sync(uid: string): Reconcile {
    const claim = this.#claims.byIndex("uid", uid)[0] ?? this.#inProgress.get(uid);
    if (claim === undefined) return done("ClaimGone");
    const storageClass = this.#classes.get(effectiveClassName(claim));
    const infeasible = this.#infeasible.get(uid);
    if (infeasible !== undefined && storageClass !== undefined) {
      if (
        infeasible.classUid !== storageClass.metadata.uid ||
        infeasible.until <= this.#context.now
      ) {
        this.#infeasible.delete(uid);
      } else {
        return retry("skipped: provisioning previously failed with infeasible error");
      }
    }
    const due = this.#shouldProvision(claim, storageClass);
    if (due.type !== "provision") {
      if (due.type === "done") this.#inProgress.delete(uid);
      return due;
    }
    return yield* this.#provisionClaim(claim, due.storageClass);
  }

  /** Upstream: shouldProvision. A claim that is being deleted is provisioned all the same. */
  #shouldProvision(
    claim: PersistentVolumeClaim,
    storageClass: StorageClass | undefined,
  ): Outcome | { readonly type: "provision"; readonly storageClass: StorageClass } {
    if (isBound(claim)) return done("Bound");
    if (!this.#isOurs(claim)) return done("OtherProvisioner");
    if (storageClass === undefined) {
      return retry(`storageClass "${effectiveClassName(claim)}" not found`);
    }
    const selected = annotationOf(claim, annotation.selectedNode) ?? "";
    if (storageClass.volumeBindingMode === "WaitForFirstConsumer" && selected === "") {
      return done("WaitForFirstConsumer");
    }
    return { type: "provision", storageClass };
  }

  *#provisionClaim(claim: PersistentVolumeClaim, storageClass: StorageClass): Reconcile {
    const { uid, namespace = "", name } = claim.metadata;
    const about = refOf(claim);
    const volumeName = volumeNameOf(uid, this.#connection.driver.sidecars ?? {});
    if (this.#volumes.get(volumeName) !== undefined) {
      this.#inProgress.delete(uid);
      return done("Provisioned");
    }
    const { name: driver } = this.#connection.driver;
    const { provisioner } = storageClass;
    if (provisioner !== driver && migratedDriver(provisioner) !== driver) {
      this.#inProgress.delete(uid);
      return done("OtherProvisioner");
    }
    const selected = annotationOf(claim, annotation.selectedNode);
    const gone = this.#goneNodeError(selected);
    if (gone !== undefined)
      return yield* this.#failed(claim, storageClass, failed("Reschedule", gone), gone);
    const selectedNode = selected === "" ? undefined : selected;
    const attempt: Attempt = {
      context: this.#context,
      connection: this.#connection,
      topologies: this.#topologies,
      claim,
      storageClass,
      volumeName,
      selectedNode,
    };
    const text = `External provisioner is provisioning volume for claim "${namespace}/${name}"`;
    const result = yield* this.#connection.announced(
      event(about, "Normal", "Provisioning", text),
      provision(attempt, this.#identity),
    );
    if (result.type === "failed") {
      const told = isBeforeV6(this.#connection)
        ? `failed to provision volume with StorageClass "${storageClass.metadata.name}": ${result.message}`
        : result.message;
      return yield* this.#failed(claim, storageClass, result, told);
    }
    if (result.type === "populator") {
      const message = "Assuming an external populator will provision the volume";
      yield* event(about, "Normal", "Provisioning", message, "external-provisioner");
      this.#inProgress.delete(uid);
      return done("LeftToPopulator");
    }
    this.#context.decide(about, {
      reason: "ProvisioningSucceeded",
      chosen: makeRef("PersistentVolume", undefined, volumeName),
      because: [
        refOf(storageClass),
        ...(selectedNode === undefined ? [] : [makeRef("Node", undefined, selectedNode)]),
      ],
      text: result.explanation,
    });
    yield* this.#saver.save(result.volume, claim);
    this.#inProgress.delete(uid);
    return done("ProvisioningSucceeded");
  }

  /**
   * Before 6.0 the selected Node itself had to exist. The error is the lister's, which is used with topology, or the API
   * server's. Upstream: sig-storage-lib-external-provisioner v11 controller/controller.go provisionClaimOperation.
   */
  #goneNodeError(name: string | undefined): string | undefined {
    if (name === undefined || !isBeforeV6(this.#connection)) return undefined;
    if (this.#context.informer("Node").get(name) !== undefined) return undefined;
    return `${hasTopology(this.#connection.driver) ? "node" : "nodes"} "${name}" not found`;
  }

  /** Upstream: provisionVolumeErrorHandling and the end of syncClaim. */
  *#failed(
    claim: PersistentVolumeClaim,
    storageClass: StorageClass,
    error: ProvisioningError,
    told: string,
  ): Reconcile {
    const { uid } = claim.metadata;
    const about = refOf(claim);
    const { message } = error;
    const isInfeasible = error.code === "InvalidArgument" && !isBeforeV6(this.#connection);
    const until = this.#context.now + infeasibleMs;
    this.#context.decide(about, {
      reason: "ProvisioningFailed",
      because: [refOf(storageClass)],
      text: message,
      due: isInfeasible ? this.#queue.retryAt(uid, until) : this.#queue.retryAt(uid),
    });
    if (isInfeasible) {
      this.#infeasible.set(uid, { until, classUid: storageClass.metadata.uid });
      const text = `Volume provisioning failed with infeasible error. Retries will be delayed. ${message}`;
      yield* event(about, "Warning", "ProvisioningFailed", text);
      this.#inProgress.delete(uid);
      return retry(message);
    }
    yield* event(about, "Warning", "ProvisioningFailed", told);
    if (error.state === "Reschedule" && (yield* this.#reschedule(claim))) {
      this.#inProgress.delete(uid);
      return wait("Rescheduled");
    }
    if (error.state === "InBackground") this.#inProgress.set(uid, claim);
    else if (error.state !== "NoChange") this.#inProgress.delete(uid);
    return retry(message);
  }

  /** Removes the selected node, so that the scheduler chooses again; returns false if there is none or the write fails. */
  *#reschedule(claim: PersistentVolumeClaim): Task<boolean> {
    if (annotationOf(claim, annotation.selectedNode) === undefined) return false;
    const updated = yield* update(withoutAnnotation(claim, annotation.selectedNode));
    return updated.ok;
  }
}

function isBound(claim: PersistentVolumeClaim): boolean {
  return (claim.spec.volumeName ?? "") !== "";
}

/** Upstream: makeVolumeName. */
function volumeNameOf(claimUid: string, settings: SidecarSettings): string {
  const { volumeNamePrefix = "pvc", volumeNameUuidLength } = settings;
  if (volumeNameUuidLength === undefined) return `${volumeNamePrefix}-${claimUid}`;
  return `${volumeNamePrefix}-${claimUid.replaceAll("-", "").slice(0, volumeNameUuidLength)}`;
}
