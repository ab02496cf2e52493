/**
 * Rejects nodes where another pod uses the same disk, and pods whose ReadWriteOncePod claim another pod uses.
 * Upstream: kube-scheduler v1.36 plugins/volumerestrictions/volume_restrictions.go.
 */
import { type Key, keyOf } from "../../api/meta.ts";
import type { Pod, Volume } from "../../api/types.ts";
import type { KubernetesVersion } from "../../scenario.ts";
import type { FailedRule } from "../../trace/decision.ts";
import { saysPodUsingClaimWithSameName } from "../../version-differences.ts";
import type { NodeInfo } from "../cache/node-info.ts";
import type { PodInfo } from "../cache/pod-info.ts";
import type { Snapshot } from "../cache/snapshot.ts";
import { eventObject } from "../framework/cluster-event.ts";
import {
  hint,
  type Plugin,
  type PreFilterResult,
  type Rejection,
  type ShiftingFilter,
  skip,
} from "../framework/plugin.ts";
import type { VolumeCaches } from "../volume/volume-caches.ts";

const diskRejection: Rejection = {
  plugin: "VolumeRestrictions",
  unresolvable: false,
  reasons: ["node(s) had no available disk"],
  explain: () => [
    {
      rule: "disk-free",
      wanted: "a node where no other pod uses the disk",
      wantedField: "spec.volumes",
      found: "in use by another pod",
    },
  ],
};

function claimRejection(version: KubernetesVersion, claims: readonly string[]): Rejection {
  return {
    plugin: "VolumeRestrictions",
    unresolvable: false,
    reasons: [
      saysPodUsingClaimWithSameName(version)
        ? "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode"
        : "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod",
    ],
    explain: () => [
      {
        rule: "read-write-once-pod",
        wanted: `${claims.join(", ")} for this pod alone`,
        wantedField: "spec.volumes.persistentVolumeClaim",
        found: "used by another pod",
      },
    ],
  };
}

/** True if the two volumes cannot be used on the same node. Upstream: isVolumeConflict. */
function disksConflict(a: Volume, b: Volume): boolean {
  const bothReadOnly = (x: { readonly readOnly?: boolean }, y: { readonly readOnly?: boolean }) =>
    x.readOnly === true && y.readOnly === true;
  if (a.gcePersistentDisk !== undefined && b.gcePersistentDisk !== undefined) {
    return (
      a.gcePersistentDisk.pdName === b.gcePersistentDisk.pdName &&
      !bothReadOnly(a.gcePersistentDisk, b.gcePersistentDisk)
    );
  }
  if (a.awsElasticBlockStore !== undefined && b.awsElasticBlockStore !== undefined)
    return a.awsElasticBlockStore.volumeID === b.awsElasticBlockStore.volumeID;
  if (a.iscsi !== undefined && b.iscsi !== undefined)
    return a.iscsi.iqn === b.iscsi.iqn && !bothReadOnly(a.iscsi, b.iscsi);
  if (a.rbd !== undefined && b.rbd !== undefined) {
    const { monitors, image, pool = "rbd" } = b.rbd;
    return (
      a.rbd.monitors.some((monitor) => monitors.includes(monitor)) &&
      (a.rbd.pool ?? "rbd") === pool &&
      a.rbd.image === image &&
      !bothReadOnly(a.rbd, b.rbd)
    );
  }
  return false;
}

function restrictedDisks(pod: Pod): readonly Volume[] {
  return (pod.spec.volumes ?? []).filter(
    (v) =>
      v.gcePersistentDisk !== undefined ||
      v.awsElasticBlockStore !== undefined ||
      v.iscsi !== undefined ||
      v.rbd !== undefined,
  );
}

function podsConflict(disks: readonly Volume[], other: Pod): boolean {
  return disks.some((disk) => (other.spec.volumes ?? []).some((v) => disksConflict(disk, v)));
}

class RestrictionsFilter implements ShiftingFilter {
  readonly #disks: readonly Volume[];
  readonly #claims: ReadonlySet<string>;
  readonly #rejection: Rejection;
  #conflicts: number;

  /** `claims`: names of the pod's ReadWriteOncePod claims; `conflicts`: how many of them other pods use. */
  constructor(
    disks: readonly Volume[],
    claims: ReadonlySet<string>,
    rejection: Rejection,
    conflicts: number,
  ) {
    this.#disks = disks;
    this.#claims = claims;
    this.#rejection = rejection;
    this.#conflicts = conflicts;
  }

  check(node: NodeInfo): Rejection | undefined {
    if (this.#disks.length > 0) {
      for (const { pod } of node.pods.values())
        if (podsConflict(this.#disks, pod)) return diskRejection;
    }
    return this.#conflicts > 0 ? this.#rejection : undefined;
  }

  readonly copy = (): ShiftingFilter =>
    new RestrictionsFilter(this.#disks, this.#claims, this.#rejection, this.#conflicts);

  /** Compares the names of claims without their namespaces, as upstream does: conflictingPVCRefCountForPod. */
  shift({ pod }: PodInfo, _node: NodeInfo, by: 1 | -1): void {
    for (const name of plainClaims(pod)) if (this.#claims.has(name)) this.#conflicts += by;
  }
}

function preFilter(
  { pod, claimKeys }: PodInfo,
  snapshot: Snapshot,
  caches: VolumeCaches,
  version: KubernetesVersion,
): PreFilterResult {
  const exclusive = new Map<Key, string>();
  for (const key of claimKeys) {
    const claim = caches.watchedClaim(key);
    if (claim === undefined) {
      const name = key.slice(key.indexOf("/") + 1);
      const reasons = [`persistentvolumeclaim "${name}" not found`];
      const explain = (): readonly FailedRule[] => [
        { rule: "claim-exists", wanted: key, wantedField: "spec.volumes", found: "no such claim" },
      ];
      const plugin = "VolumeRestrictions";
      return { type: "reject", rejection: { plugin, unresolvable: true, reasons, explain } };
    }
    if (claim.spec.accessModes?.includes("ReadWriteOncePod") === true)
      exclusive.set(key, claim.metadata.name);
  }
  const disks = restrictedDisks(pod);
  const keys = [...exclusive.keys()];
  const conflicts = keys.filter((key) => snapshot.claimUses(key) > 0).length;
  // A skipped filter never counts nominated pods, not even those of a higher priority.
  if (disks.length === 0 && conflicts === 0) return skip;
  const rejection = claimRejection(version, keys);
  const names = new Set(exclusive.values());
  const filter = new RestrictionsFilter(disks, names, rejection, conflicts);
  return { type: "filter", filter };
}

export function volumeRestrictions(version: KubernetesVersion, caches: VolumeCaches): Plugin {
  return {
    name: "VolumeRestrictions",
    preFilter: (pod, snapshot) => preFilter(pod, snapshot, caches, version),
    hints: [
      hint("AssignedPodDelete", ({ pod }, event) => {
        const deleted = eventObject(event);
        if (deleted.metadata.namespace !== pod.metadata.namespace) return false;
        if (podsConflict(restrictedDisks(pod), deleted)) return true;
        const claims = plainClaims(pod);
        return plainClaims(deleted).some((name) => claims.includes(name));
      }),
      hint("NodeAdd"),
      hint("PersistentVolumeClaimAdd", ({ claimKeys }, event) =>
        claimKeys.includes(keyOf(eventObject(event))),
      ),
    ],
  };
}

function plainClaims(pod: Pod): readonly string[] {
  return (pod.spec.volumes ?? []).flatMap((v) => v.persistentVolumeClaim?.claimName ?? []);
}
