/**
 * Leaves out objects that need others which were not saved with them, because only some kinds or namespaces were requested or
 * the file is cut off. Components would otherwise tear down what is running. Upstream: nothing; an API server has everything.
 */
import { push } from "../api/go/multi-map.ts";
import { controllerOf, type Kind, type KubeObject, makeRef, type Ref, refOf } from "../api/meta.ts";
import { labelSelectorMatches } from "../api/selection/label-selector.ts";
import type { Pod } from "../api/types.ts";
import { type SelectingKind, selectorOf } from "../controllers/workload/woken-owners.ts";

/** Objects of one kind that were left out, and the kind of the missing object that they need. */
export interface LeftOut {
  readonly kind: Kind;
  readonly without: Kind;
  readonly refs: readonly Ref[];
}

/**
 * Returns the objects that have what they need; leaving out one may leave another incomplete. `isPartial` if some of the
 * requested objects may be missing, too.
 */
export function withCompanions(
  given: readonly KubeObject[],
  isPartial: boolean,
): { readonly objects: readonly KubeObject[]; readonly leftOut: readonly LeftOut[] } {
  const saved = new Saved(given);
  let objects = given;
  const leftOut = new Map<string, LeftOut & { readonly refs: Ref[] }>();
  for (;;) {
    const there = objects === given ? saved : new Saved(objects);
    const kept = objects.filter((object) => {
      const without = missingObject(object, there) ?? missingChild(object, there, saved, isPartial);
      if (without === undefined) return true;
      const { kind } = object;
      const key = `${kind} ${without}`;
      const others = leftOut.get(key) ?? { kind, without, refs: [] };
      others.refs.push(refOf(object));
      leftOut.set(key, others);
      return false;
    });
    if (kept.length === objects.length) return { objects, leftOut: [...leftOut.values()] };
    objects = kept;
  }
}

/** Returns the kind of an object that this one names and that is missing; undefined if none is. */
function missingObject(object: KubeObject, there: Saved): Kind | undefined {
  const { namespace } = object.metadata;
  switch (object.kind) {
    case "PersistentVolumeClaim":
      // A Lost claim names a volume that is gone, and a Pending one may name any volume.
      if (object.status?.phase === "Lost" || object.status?.phase === "Pending") return undefined;
      return there.missing("PersistentVolume", undefined, object.spec.volumeName);
    case "PersistentVolume": {
      const { claimRef } = object.spec;
      if (object.status?.phase !== "Bound") return undefined;
      return there.missing("PersistentVolumeClaim", claimRef?.namespace, claimRef?.name);
    }
    case "VolumeAttachment":
      if (!there.hasKind("Pod")) return "Pod";
      return there.missing("PersistentVolume", undefined, object.spec.source.persistentVolumeName);
    case "VolumeSnapshotContent":
      return there.hasKind("VolumeSnapshot") ? undefined : "VolumeSnapshot";
    case "VolumeSnapshot": {
      const { boundVolumeSnapshotContentName: name, error } = object.status ?? {};
      // A snapshot whose content is missing in the cluster, too, has an error.
      if (error !== undefined) return undefined;
      return there.missing("VolumeSnapshotContent", undefined, name);
    }
    case "Pod":
      if (object.status?.phase !== "Running") return undefined;
      return claimsOf(object)
        .map((name) => there.missing("PersistentVolumeClaim", namespace, name))
        .find((kind) => kind !== undefined);
    default:
      return undefined;
  }
}

function claimsOf({ spec }: Pod): readonly string[] {
  return (spec.volumes ?? []).flatMap(({ persistentVolumeClaim }) =>
    persistentVolumeClaim === undefined ? [] : [persistentVolumeClaim.claimName],
  );
}

/** Returns the kind of a controller's children if fewer were saved than its status counts; otherwise undefined. */
function missingChild(
  object: KubeObject,
  there: Saved,
  saved: Saved,
  isPartial: boolean,
): Kind | undefined {
  const isWithout = (
    owner: KubeObject<SelectingKind>,
    child: "Pod" | "ReplicaSet",
    count = 0,
  ): boolean => {
    // Kinds are listed one after the other, so counts differ if something changed in between. Unless objects may be missing, it
    // is enough that none of the saved children was left out and there is at least one.
    const wanted = isPartial ? count : Math.min(count, Math.max(1, saved.countOf(owner, child)));
    return there.countOf(owner, child) < wanted;
  };
  switch (object.kind) {
    case "Deployment":
      return isWithout(object, "ReplicaSet", object.status?.replicas) ? "ReplicaSet" : undefined;
    case "ReplicaSet":
    case "StatefulSet":
    case "ReplicationController":
      return isWithout(object, "Pod", object.status?.replicas) ? "Pod" : undefined;
    case "DaemonSet":
      return isWithout(object, "Pod", object.status?.currentNumberScheduled) ? "Pod" : undefined;
    case "Job":
      return isWithout(object, "Pod", object.status?.active) ? "Pod" : undefined;
    default:
      return undefined;
  }
}

/** The existing objects, and how many children each owner has. */
class Saved {
  readonly #refs = new Set<Ref>();
  readonly #kinds = new Set<Kind>();
  readonly #owned = new Map<string, number>();
  /** Pods and ReplicaSets without a controller, by kind and namespace: an owner whose selector matches adopts them. */
  readonly #orphans = new Map<string, KubeObject[]>();

  constructor(objects: readonly KubeObject[]) {
    for (const object of objects) {
      const { kind, metadata } = object;
      this.#refs.add(refOf(object));
      this.#kinds.add(kind);
      if (kind !== "Pod" && kind !== "ReplicaSet") continue;
      const controller = controllerOf(object);
      const place = `${kind} ${metadata.namespace}`;
      if (controller === undefined) push(this.#orphans, place, object);
      else {
        const key = `${place} ${controller.kind} ${controller.name}`;
        this.#owned.set(key, (this.#owned.get(key) ?? 0) + podCount(object));
      }
    }
  }

  hasKind(kind: Kind): boolean {
    return this.#kinds.has(kind);
  }

  /** Returns `kind` if the object is missing; undefined if it exists or no name is given. */
  missing(kind: Kind, namespace: string | undefined, name = ""): Kind | undefined {
    return name === "" || this.#refs.has(makeRef(kind, namespace, name)) ? undefined : kind;
  }

  /** Counts the owner's own pods, or the pods of its ReplicaSets. */
  countOf(owner: KubeObject<SelectingKind>, child: "Pod" | "ReplicaSet"): number {
    const { kind, metadata } = owner;
    const place = `${child} ${metadata.namespace}`;
    const selector = selectorOf(owner);
    const adopted = (this.#orphans.get(place) ?? []).filter((orphan) =>
      labelSelectorMatches(selector, orphan.metadata.labels),
    );
    const owned = this.#owned.get(`${place} ${kind} ${metadata.name}`) ?? 0;
    return adopted.reduce((sum, orphan) => sum + podCount(orphan), owned);
  }
}

function podCount(object: KubeObject): number {
  return object.kind === "ReplicaSet" ? (object.status?.replicas ?? 0) : 1;
}
