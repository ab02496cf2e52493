/**
 * Objects that have no meaning without others that were not saved with them: who saved them asked for some kinds or namespaces
 * only, or the file breaks off. Components would tear down what runs. Upstream: nothing; an API server has everything.
 */
import { push } from "../api/go/multi-map.ts";
import { controllerOf, type Kind, type KubeObject, makeRef, type Ref, refOf } from "../api/meta.ts";
import { labelSelectorMatches } from "../api/selection/label-selector.ts";
import type { Pod } from "../api/types.ts";
import { type SelectingKind, selectorOf } from "../controllers/workload/woken-owners.ts";

/** Objects of one kind that were left out, and the kind of what they need. */
export interface LeftOut {
  readonly kind: Kind;
  readonly without: Kind;
  readonly refs: readonly Ref[];
}

/**
 * Those that have what they need; leaving out one may leave another one without. `isPartial` where more may be missing than was
 * not asked for.
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

/** The kind of an object that this one names and that is not there; undefined where all are. */
function missingObject(object: KubeObject, there: Saved): Kind | undefined {
  const { namespace } = object.metadata;
  switch (object.kind) {
    case "PersistentVolumeClaim":
      // A Lost claim speaks of a volume that is gone, a Pending one of any name.
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
      // One that is gone is complained of.
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

/** The kind of what a controller has made, where less of it is there than its status tells; undefined for all others. */
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
    // Kinds are listed one after the other: of what changes meanwhile the numbers differ.
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

/** What is there, and how much of it belongs to whom. */
class Saved {
  readonly #refs = new Set<Ref>();
  readonly #kinds = new Set<Kind>();
  readonly #owned = new Map<string, number>();
  /** Pods and ReplicaSets without a controller, by kind and namespace: whoever selects them adopts them. */
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

  /** The kind where the object of that name is not there; undefined also where there is no name. */
  missing(kind: Kind, namespace: string | undefined, name = ""): Kind | undefined {
    return name === "" || this.#refs.has(makeRef(kind, namespace, name)) ? undefined : kind;
  }

  /** How many pods the owner has of its own, or its ReplicaSets have together. */
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
