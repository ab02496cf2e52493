/**
 * Has a pod's volumes bound before the pod itself: writes what was chosen, then waits for the PV controller and the
 * provisioner. Upstream: kube-scheduler v1.36 plugins/volumebinding/binder.go BindPodVolumes, bindAPIUpdate, checkBindings.
 */
import { keyOf } from "../../api/meta.ts";
import type { Node, PersistentVolumeClaim, Pod } from "../../api/types.ts";
import { annotation, annotationOf } from "../../matching/annotations.ts";
import { hasClaimUid } from "../../matching/claim-reference.ts";
import { isReachableFrom, nodeAffinityMismatch } from "../../matching/node-affinity.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { sleep, type Task, update } from "../../runtime/effects.ts";
import { isFullyBound } from "./pod-claims.ts";
import type { PodVolumes } from "./pod-volume-plan.ts";
import type { VolumeCaches } from "./volume-caches.ts";

const pollMs = 1_000;
const timeoutMs = 600_000;

/** What the look at one moment gave: done, not yet, or never. */
type Finding =
  | { readonly type: "bound" }
  | { readonly type: "waiting" }
  | { readonly type: "failed"; readonly error: string };

const waiting: Finding = { type: "waiting" };

interface Cluster {
  readonly caches: VolumeCaches;
  node(name: string): Node | undefined;
  pod(key: string): Pod | undefined;
}

/** The error that ends the binding cycle, or undefined once all claims are bound. */
export function* bindVolumes(
  context: ComponentContext,
  cluster: Cluster,
  pod: Pod,
  nodeName: string,
  volumes: PodVolumes,
): Task<string | undefined> {
  const written = yield* writeAll(volumes);
  if (!written.ok) return written.error;
  const deadline = context.now + timeoutMs;
  for (;;) {
    yield* sleep(pollMs);
    const finding = check(cluster, pod, nodeName, written.volumes);
    if (finding.type === "bound") return undefined;
    if (finding.type === "failed") return `binding volumes: ${finding.error}`;
    if (context.now + pollMs > deadline) return "binding volumes: context deadline exceeded";
  }
}

type Written =
  | { readonly ok: true; readonly volumes: PodVolumes }
  | { readonly ok: false; readonly error: string };

/** Volumes, then claims, one after the other. What is written before an error stays. */
function* writeAll(volumes: PodVolumes): Task<Written> {
  const bindings: PodVolumes["bindings"][number][] = [];
  for (const { claim, volume } of volumes.bindings) {
    const result = yield* update<"PersistentVolume">(volume);
    if (!result.ok) return { ok: false, error: result.error.message };
    bindings.push({ claim, volume: result.object });
  }
  const provisions: PersistentVolumeClaim[] = [];
  for (const claim of volumes.provisions) {
    const result = yield* update<"PersistentVolumeClaim">(claim);
    if (!result.ok) return { ok: false, error: result.error.message };
    provisions.push(result.object);
  }
  return { ok: true, volumes: { bindings, provisions } };
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

function check(cluster: Cluster, pod: Pod, nodeName: string, volumes: PodVolumes): Finding {
  const node = cluster.node(nodeName);
  if (node === undefined)
    return failed(`failed to get node "${nodeName}": ${lister("node", nodeName)}`);
  if (cluster.pod(keyOf(pod)) === undefined)
    return failed(`pod does not exist any more: ${lister("pod", pod.metadata.name)}`);
  const findings = [
    ...volumes.bindings.map((binding) => () => checkBinding(cluster, node, binding)),
    ...volumes.provisions.map((claim) => () => checkProvision(cluster, node, claim)),
  ];
  for (const find of findings) {
    const finding = find();
    if (finding.type !== "bound") return finding;
  }
  return { type: "bound" };
}

function checkBinding(
  { caches }: Cluster,
  node: Node,
  { claim, volume: written }: PodVolumes["bindings"][number],
): Finding {
  const { name } = written.metadata;
  const volume = caches.watchedVolume(name);
  if (volume === undefined)
    return failed(`failed to check binding: ${notCached("PersistentVolume", name)}`);
  const current = caches.watchedClaim(keyOf(claim));
  if (current === undefined)
    return failed(`failed to check binding: ${notCached("PersistentVolumeClaim", keyOf(claim))}`);
  if (isOlder(volume, written)) return waiting;
  if (!isReachableFrom(volume, node.metadata.labels)) return failed(outOfReach(name, node));
  if (volume.spec.claimRef === undefined || !hasClaimUid(volume))
    return failed(`ClaimRef got reset for pv "${name}"`);
  return isFullyBound(current) ? { type: "bound" } : waiting;
}

function checkProvision({ caches }: Cluster, node: Node, written: PersistentVolumeClaim): Finding {
  const { name } = written.metadata;
  const claim = caches.watchedClaim(keyOf(written));
  if (claim === undefined)
    return failed(
      `failed to check provisioning pvc: ${notCached("PersistentVolumeClaim", keyOf(written))}`,
    );
  if (isOlder(claim, written)) return waiting;
  if (claim.metadata.annotations === undefined)
    return failed(`selectedNode annotation reset for PVC "${name}"`);
  if (annotationOf(claim, annotation.selectedNode) !== node.metadata.name)
    return failed(`provisioning failed for PVC "${name}"`);
  const volumeName = claim.spec.volumeName ?? "";
  if (volumeName !== "") {
    const volume = caches.watchedVolume(volumeName);
    if (volume === undefined) return waiting;
    if (!isReachableFrom(volume, node.metadata.labels)) return failed(outOfReach(volumeName, node));
  }
  return isFullyBound(claim) ? { type: "bound" } : waiting;
}

function outOfReach(volumeName: string, { metadata }: Node): string {
  return `pv "${volumeName}" node affinity doesn't match node "${metadata.name}": ${nodeAffinityMismatch}`;
}

/** An assume cache's error names the Go type. */
function notCached(type: string, key: string): string {
  return `could not find v1.${type} "${key}"`;
}

/** A lister's error names the resource in the singular. */
function lister(resource: string, name: string): string {
  return `${resource} "${name}" not found`;
}
