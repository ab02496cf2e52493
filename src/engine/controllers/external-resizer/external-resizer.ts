/**
 * Expands the volumes of its driver, and changes their attributes. Upstream: external-resizer v2.2 cmd/csi-resizer/main.go,
 * pkg/controller/controller.go. A driver that can do neither gets only upstream's trivial resizer, or none.
 */
import { grantedStorage, requestedStorage } from "../../api/claim-size.ts";
import { type KubeObject, keyOf } from "../../api/meta.ts";
import { compareQuantityTexts } from "../../api/quantity.ts";
import type { DriverProfile } from "../../csi/driver-profile.ts";
import { type ControllerConnection, sidecar, sidecarBackoff } from "../../csi/sidecar.ts";
import { annotation, annotationOf } from "../../matching/annotations.ts";
import { claimKeysOf, podsByClaim } from "../../matching/pod-claims.ts";
import { storageResizeStatus } from "../../matching/resize-conditions.ts";
import type { Component, ComponentContext } from "../../runtime/component.ts";
import { done, type Reconcile } from "../../runtime/outcome.ts";
import { Expander } from "./expansion.ts";
import { Modifier } from "./modification.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;

export function externalResizer(driver: DriverProfile): Component {
  return sidecar({
    name: `external-resizer ${driver.name}`,
    source: `external-resizer ${driver.name}`,
    driver: driver.name,
    run: (context, connection) => {
      const { hasTrivialResizer = false } = connection.driver.expansion;
      if (connection.has("EXPAND_VOLUME") || hasTrivialResizer) runExpansion(context, connection);
      if (connection.has("MODIFY_VOLUME")) runModification(context, connection);
    },
  });
}

function runExpansion(context: ComponentContext, connection: ControllerConnection): void {
  const claims = context.informer("PersistentVolumeClaim");
  context.informer("Pod").index(podsByClaim, claimKeysOf);
  const expander = new Expander(context, connection, (key) => queue.add(key));

  function* sync(key: string): Reconcile {
    const claim = claims.get(key);
    return claim === undefined ? done("ClaimGone") : yield* expander.sync(claim);
  }

  const queue = context.queue({ workers: 10, ...sidecarBackoff, sync });
  claims.on({
    add: (claim) => {
      if (claim.status?.phase === "Bound") queue.add(keyOf(claim));
    },
    update: (before, after) => {
      if (concernsExpansion(before, after)) {
        queue.add(keyOf(after));
      } else if (compareQuantityTexts(grantedStorage(after), grantedStorage(before)) < 0) {
        const delayMs = expander.untilNoticed(after);
        if (delayMs !== undefined) queue.addAfter(keyOf(after), delayMs);
      }
    },
    delete: (claim) => queue.forget(keyOf(claim)),
  });
}

function runModification(context: ComponentContext, connection: ControllerConnection): void {
  const claims = context.informer("PersistentVolumeClaim");
  const modifier = new Modifier(context, connection, (key, failsUntil) =>
    queue.retryAt(key, failsUntil),
  );

  function* sync(key: string): Reconcile {
    const claim = claims.get(key);
    return claim === undefined ? done("ClaimGone") : yield* modifier.sync(claim);
  }

  const queue = context.queue({ workers: 10, ...sidecarBackoff, sync });
  claims.on({
    add: (claim) => {
      modifier.adopt(claim);
      if (claim.status?.phase === "Bound") queue.add(keyOf(claim));
    },
    update: (before, after) => {
      if (concernsModification(before, after)) queue.add(keyOf(after));
    },
    delete: (claim) => queue.forget(keyOf(claim)),
  });
}

/** True if the claim names another class than before, or than the current one while no modification is recorded. */
function concernsModification(before: Claim, after: Claim): boolean {
  if (after.status?.phase !== "Bound") return false;
  const wanted = after.spec.volumeAttributesClassName ?? "";
  if (wanted !== (before.spec.volumeAttributesClassName ?? "")) return true;
  const { modifyVolumeStatus, currentVolumeAttributesClassName = "" } = after.status;
  return modifyVolumeStatus === undefined && wanted !== currentVolumeAttributesClassName;
}

/** Upstream: updatePVC. A lowered status.capacity does not count. */
function concernsExpansion(before: Claim, after: Claim): boolean {
  const differ = (of: (claim: Claim) => string | undefined): boolean => of(before) !== of(after);
  return (
    differ((claim) => requestedStorage(claim)) ||
    differ((claim) => annotationOf(claim, annotation.storageResizer)) ||
    compareQuantityTexts(grantedStorage(after), grantedStorage(before)) > 0 ||
    differ(storageResizeStatus)
  );
}
