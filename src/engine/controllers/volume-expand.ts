/**
 * Reports that a claim's expansion waits for an external resizer: no in-tree plugin can expand volumes any more. Upstream:
 * pkg/controller/volume/expand/expand_controller.go v1.36.
 */
import { grantedStorage, requestedStorage } from "../api/claim-size.ts";
import { type KubeObject, keyOf, refOf } from "../api/meta.ts";
import { compareQuantityTexts } from "../api/quantity.ts";
import { annotation, hasAnnotation, withAnnotations } from "../matching/annotations.ts";
import { migratedDriver, migratedPluginOf } from "../matching/csi-migration.ts";
import type { Component } from "../runtime/component.ts";
import { event, getLive, updateStatus } from "../runtime/effects.ts";
import { done, type Reconcile, retry } from "../runtime/outcome.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;

export const volumeExpand: Component = {
  name: "volume-expand",
  source: "volume_expand",
  start: (context) => {
    const claims = context.informer("PersistentVolumeClaim");

    function* sync(key: string): Reconcile {
      const claim = claims.get(key);
      if (claim === undefined) return done("ClaimGone");
      const live = yield* getLive("PersistentVolume", undefined, claim.spec.volumeName ?? "");
      if (!live.ok) return retry(live.error.message);
      const volume = live.object;
      if (volume.spec.claimRef?.uid !== claim.metadata.uid) {
        return retry("persistent Volume is not bound to PVC being updated");
      }
      const isUnderWay = hasAnnotation(volume, annotation.preResizeCapacity);
      if (
        compareQuantityTexts(requestedStorage(claim), grantedStorage(claim)) <= 0 &&
        !isUnderWay
      ) {
        return done("LargeEnough");
      }
      const plugin = migratedPluginOf(volume.spec);
      if (plugin !== undefined) {
        const text = `CSI migration enabled for ${plugin}; waiting for external resizer to expand the pvc`;
        yield* event(refOf(claim), "Normal", "ExternalExpanding", text);
        return yield* setResizer(claim, migratedDriver(plugin));
      }
      const text = "waiting for an external controller to expand this PVC";
      yield* event(refOf(claim), "Normal", "ExternalExpanding", text);
      return done("ExternalExpanding");
    }

    /** Upstream: pkg/volume/util/resize_util.go SetClaimResizer, whose patch applies only to the version that was read. */
    function* setResizer(claim: Claim, driver: string): Reconcile {
      const saved = yield* updateStatus<"PersistentVolumeClaim">(
        withAnnotations(claim, { [annotation.storageResizer]: driver }),
      );
      if (saved.ok) return done("ExternalExpanding");
      const { name } = claim.metadata;
      const text = `error setting resizer annotation to pvc ${keyOf(claim)}, with error patchPVCStatus failed to patch PVC "${name}": ${saved.error.message}`;
      yield* event(refOf(claim), "Warning", "ExternalExpanding", text);
      return retry(text);
    }

    const { keys } = claims;
    const queue = context.queue({ workers: 10, sync, keys });
    const enqueue = (claim: Claim): void => {
      if (claim.status?.phase === "Bound") queue.add(keyOf(claim));
    };
    const volumes = context.informer("PersistentVolume");
    /** True if there is an expansion to start or finish. Upstream checks every claim, but changes nothing for others. */
    const mayGrow = (claim: Claim): boolean => {
      const volume = volumes.get(claim.spec.volumeName ?? "");
      return (
        compareQuantityTexts(requestedStorage(claim), grantedStorage(claim)) > 0 ||
        (volume !== undefined && hasAnnotation(volume, annotation.preResizeCapacity))
      );
    };
    claims.on({
      add: (claim) => {
        if (mayGrow(claim)) enqueue(claim);
      },
      update: (before, after) => {
        const grows = compareQuantityTexts(requestedStorage(after), requestedStorage(before)) > 0;
        const grew = compareQuantityTexts(grantedStorage(after), grantedStorage(before)) > 0;
        if (grows || grew) enqueue(after);
      },
    });
  },
};
