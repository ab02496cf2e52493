/**
 * The smaller mutating admission plugins. Upstream, v1.36: plugin/pkg/admission/storage/storageclass/setdefault,
 * storage/storageobjectinuseprotection, defaulttolerationseconds, nodetaint.
 */
import type { Kind } from "../meta.ts";
import type { Mutable, MutableObject } from "../mutable.ts";
import type { ClusterView } from "../request-context.ts";
import { claimHasClass, defaultStorageClass } from "../storage-class-name.ts";
import type { Node, PersistentVolumeClaim, Pod, Toleration } from "../types.ts";

const protectionFinalizers: Partial<Record<Kind, string>> = {
  PersistentVolumeClaim: "kubernetes.io/pvc-protection",
  PersistentVolume: "kubernetes.io/pv-protection",
  VolumeAttributesClass: "kubernetes.io/vac-protection",
};

/** Upstream: StorageObjectInUseProtection. Never refuses. */
export function addProtectionFinalizer(object: MutableObject): void {
  const finalizer = protectionFinalizers[object.kind];
  if (finalizer === undefined) return;
  const present = object.metadata.finalizers ?? [];
  if (!present.includes(finalizer)) object.metadata.finalizers = [...present, finalizer];
}

/** Upstream: DefaultStorageClass. An explicit "" is left as it is. */
export function setDefaultStorageClass(
  claim: Mutable<PersistentVolumeClaim>,
  cluster: ClusterView,
): void {
  if (claimHasClass(claim)) return;
  const chosen = defaultStorageClass(cluster.list("StorageClass"));
  if (chosen !== undefined) claim.spec.storageClassName = chosen.metadata.name;
}

const evictionTaints: readonly string[] = [
  "node.kubernetes.io/not-ready",
  "node.kubernetes.io/unreachable",
];
const defaultTolerationSeconds = 300;

/** Upstream: DefaultTolerationSeconds. */
export function addDefaultTolerations(pod: Mutable<Pod>): void {
  const { tolerations } = pod.spec;
  const added: Toleration[] = [];
  for (const key of evictionTaints) {
    if (tolerations?.some((toleration) => concerns(toleration, key)) === true) continue;
    const tolerationSeconds = defaultTolerationSeconds;
    added.push({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds });
  }
  if (added.length > 0)
    pod.spec.tolerations = tolerations === undefined ? added : [...tolerations, ...added];
}

function concerns(toleration: Toleration, key: string): boolean {
  const hasKey = toleration.key === undefined || toleration.key === "" || toleration.key === key;
  return (
    hasKey &&
    (toleration.effect === undefined ||
      toleration.effect === "" ||
      toleration.effect === "NoExecute")
  );
}

/** A new node gets the not-ready taint. Upstream: TaintNodesByCondition. */
export function addNotReadyTaint(node: Mutable<Node>): void {
  const taint = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };
  const taints = node.spec?.taints ?? [];
  if (taints.some((t) => t.key === taint.key && t.effect === taint.effect)) return;
  node.spec ??= {};
  node.spec.taints = [...taints, taint];
}
