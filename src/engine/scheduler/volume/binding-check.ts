/**
 * Checks whether a pod's volumes are bound, not bound yet, or never will be.
 * Upstream: kube-scheduler v1.36 plugins/volumebinding/binder.go checkBindings.
 */
import { keyOf } from "../../api/meta.ts";
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from "../../api/types.ts";
import { annotation, annotationOf } from "../../matching/annotations.ts";
import { hasClaimUid } from "../../matching/claim-reference.ts";
import { isReachableFrom, nodeAffinityMismatch } from "../../matching/node-affinity.ts";
import type { KubernetesVersion } from "../../scenario.ts";
import { namesResourcesNotFound } from "../../version-differences.ts";
import { asPlaced } from "./in-tree-volumes.ts";
import { isFullyBound } from "./pod-claims.ts";
import type { PodVolumes } from "./pod-volume-plan.ts";
import type { VolumeCaches } from "./volume-caches.ts";

export type Finding =
  | { readonly type: "bound" }
  | { readonly type: "waiting" }
  | { readonly type: "failed"; readonly error: string };

const waiting: Finding = { type: "waiting" };

/** The cluster as watched, without assumptions. */
export interface BindingView {
  readonly version: KubernetesVersion;
  readonly caches: VolumeCaches;
  node(name: string): Node | undefined;
  pod(key: string): Pod | undefined;
}

interface Versioned {
  readonly metadata: { readonly resourceVersion: string };
}

function isOlder(watched: Versioned, written: Versioned): boolean {
  return Number(watched.metadata.resourceVersion) < Number(written.metadata.resourceVersion);
}

function failed(error: string): Finding {
  return { type: "failed", error };
}

/** `volumes`: as the API server returned them when they were written. */
export function checkBindings(
  cluster: BindingView,
  pod: Pod,
  nodeName: string,
  volumes: PodVolumes,
): Finding {
  const node = cluster.node(nodeName);
  if (node === undefined)
    return failed(`failed to get node "${nodeName}": ${lister("node", nodeName)}`);
  if (cluster.pod(keyOf(pod)) === undefined)
    return failed(`pod does not exist any more: ${lister("pod", pod.metadata.name)}`);
  for (const binding of volumes.bindings) {
    const finding = checkBinding(cluster, node, binding);
    if (finding.type !== "bound") return finding;
  }
  for (const claim of volumes.provisions) {
    const finding = checkProvision(cluster, node, claim);
    if (finding.type !== "bound") return finding;
  }
  return { type: "bound" };
}

function checkBinding(
  { caches, version }: BindingView,
  node: Node,
  { claim, volume: written }: PodVolumes["bindings"][number],
): Finding {
  const { name } = written.metadata;
  const volume = caches.watchedVolume(name);
  if (volume === undefined)
    return failed(`failed to check binding: ${notCached("PersistentVolume", name, version)}`);
  const current = caches.watchedClaim(keyOf(claim));
  if (current === undefined) {
    const missing = notCached("PersistentVolumeClaim", keyOf(claim), version);
    return failed(`failed to check binding: ${missing}`);
  }
  if (isOlder(volume, written)) return waiting;
  if (!isReachableFrom(asPlaced(volume), node.metadata.labels))
    return failed(outOfReach(volume, node));
  if (volume.spec.claimRef === undefined || !hasClaimUid(volume))
    return failed(`ClaimRef got reset for pv "${name}"`);
  return isFullyBound(current) ? { type: "bound" } : waiting;
}

function checkProvision(
  { caches, version }: BindingView,
  node: Node,
  written: PersistentVolumeClaim,
): Finding {
  const { name } = written.metadata;
  const claim = caches.watchedClaim(keyOf(written));
  if (claim === undefined) {
    const missing = notCached("PersistentVolumeClaim", keyOf(written), version);
    return failed(`failed to check provisioning pvc: ${missing}`);
  }
  if (isOlder(claim, written)) return waiting;
  if (claim.metadata.annotations === undefined)
    return failed(`selectedNode annotation reset for PVC "${name}"`);
  if (annotationOf(claim, annotation.selectedNode) !== node.metadata.name)
    return failed(`provisioning failed for PVC "${name}"`);
  const volumeName = claim.spec.volumeName ?? "";
  if (volumeName !== "") {
    const volume = caches.watchedVolume(volumeName);
    if (volume === undefined) return waiting;
    if (!isReachableFrom(asPlaced(volume), node.metadata.labels))
      return failed(outOfReach(volume, node));
  }
  return isFullyBound(claim) ? { type: "bound" } : waiting;
}

function outOfReach(volume: PersistentVolume, { metadata }: Node): string {
  return `pv "${volume.metadata.name}" node affinity doesn't match node "${metadata.name}": ${nodeAffinityMismatch(volume)}`;
}

/** The error of an assume cache. Upstream: passiveAssumeCache GetAPIObj; before 1.35 util/assumecache. */
function notCached(
  kind: "PersistentVolume" | "PersistentVolumeClaim",
  key: string,
  version: KubernetesVersion,
): string {
  return namesResourcesNotFound(version)
    ? `${kind.toLowerCase()}s "${key}" not found`
    : `could not find v1.${kind} "${key}"`;
}

/** A lister's error names the resource in the singular. */
function lister(resource: string, name: string): string {
  return `${resource} "${name}" not found`;
}
