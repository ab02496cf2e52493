/**
 * What an edit affects, once a run of everything has ended: the objects that have changed, and everything that those can
 * influence. That run has settled which claim has which volume, which couples far fewer objects: a claim only depends on its
 * own volume and on volumes that are still free.
 */
import { push } from "../../../engine/api/go/multi-map.ts";
import type { Ref } from "../../../engine/api/meta.ts";
import type { Environment } from "../../workspace/environment.ts";
import { isMarkedDefault } from "../../workspace/objects/default-class.ts";
import { isProvisionerConfig } from "../../workspace/objects/provisioner-config.ts";
import { objectsOfFile, type WorkspaceObject } from "../../workspace/workspace-object.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import { changedFiles } from "../changed-files.ts";
import { generatedText } from "../generated-text.ts";
import { textOf } from "../object-text.ts";
import {
  couplingsOf,
  readOnlyKinds,
  staticClassesHeld,
  staticClassesSought,
} from "../parting/couplings.ts";
import type { SettledEnvironment } from "./settled-environment.ts";

export interface AffectedObjects {
  /** Affected objects as they are now. */
  readonly present: readonly WorkspaceObject[];
  /** Affected objects as they were when the run of everything began, including those that are gone. */
  readonly past: ReadonlySet<WorkspaceObject>;
  /** Free volumes that claims among the affected objects may be bound to. */
  readonly freeVolumes: readonly WorkspaceObject[];
  /** Where an unchanged object of the past is now; undefined if it has changed or is gone. */
  readonly now: (entry: WorkspaceObject) => WorkspaceObject | undefined;
  /** All present objects of that name; undefined if there are none. */
  readonly find: (ref: Ref) => readonly WorkspaceObject[] | undefined;
}

/** An edit that affects more than this waits for the run of everything. */
const affectedCountMax = 150;
const freeVolumeCountMax = 1000;
/** How many waiting claims are checked against a changed volume, beside those that it was a near miss for. */
const waitingCountMax = 6;

/** Undefined if too much is affected, or if that cannot be known. */
export function affectedObjects(
  settled: SettledEnvironment,
  environment: Environment,
): AffectedObjects | undefined {
  const changes = changesOf(settled.prediction.environment, environment);
  if (changes === undefined) return undefined;
  const { gone, come } = changes;
  if ([...gone, ...come].some(({ object }) => reachesFar(object))) return undefined;
  return new Search(settled, changes).run();
}

/** True for objects that any other object may read. */
function reachesFar(object: ManifestObject): boolean {
  return (
    (readOnlyKinds.has(object.kind) && !readByName.has(object.kind)) ||
    isProvisionerConfig(object) ||
    isMarkedDefault(object.value)
  );
}

const readByName: ReadonlySet<string> = new Set([
  "ConfigMap",
  "Secret",
  "StorageClass",
  "VolumeAttributesClass",
]);

interface Changes {
  /** Objects as they were before they changed or disappeared. */
  readonly gone: ReadonlySet<WorkspaceObject>;
  /** New objects, and changed ones as they are now. */
  readonly come: readonly WorkspaceObject[];
  readonly now: AffectedObjects["now"];
}

/** The objects of a changed file; or all objects that a change of kustomizations removed or added. */
interface Contents {
  readonly before: readonly WorkspaceObject[];
  readonly after: readonly WorkspaceObject[];
}

function contentsOf(before: Environment, after: Environment): readonly Contents[] | undefined {
  if (before.kustomized === after.kustomized)
    return changedFiles(before, after)?.map((file) => ({
      before: objectsOfFile(file.before),
      after: objectsOfFile(file.after),
    }));
  if (generatedText(before) !== generatedText(after)) return undefined;
  const [old, now] = [new Set(before.objects), new Set(after.objects)];
  return [
    {
      before: before.objects.filter((entry) => !now.has(entry)),
      after: after.objects.filter((entry) => !old.has(entry)),
    },
  ];
}

function changesOf(before: Environment, after: Environment): Changes | undefined {
  const contents = contentsOf(before, after);
  if (contents === undefined) return undefined;
  const gone = new Set<WorkspaceObject>();
  const come: WorkspaceObject[] = [];
  const moved = new Map<WorkspaceObject, WorkspaceObject>();
  for (const part of contents) {
    const present = new Map<string, WorkspaceObject[]>();
    const key = ({ file, object }: WorkspaceObject): string =>
      `${file.uri} ${object.ref ?? ""} ${textOf(object)}`;
    for (const entry of part.after) push(present, key(entry), entry);
    for (const entry of part.before) {
      const same = present.get(key(entry))?.shift();
      if (same === undefined) gone.add(entry);
      else moved.set(entry, same);
    }
    come.push(...[...present.values()].flat());
  }
  const now = (entry: WorkspaceObject): WorkspaceObject | undefined =>
    gone.has(entry) ? undefined : (moved.get(entry) ?? entry);
  return { gone, come, now };
}

class Search {
  readonly #settled: SettledEnvironment;
  readonly #changes: Changes;
  /** As the run of everything knows them. */
  readonly #past = new Set<WorkspaceObject>();
  readonly #open: WorkspaceObject[] = [];
  readonly #free = new Set<WorkspaceObject>();

  constructor(settled: SettledEnvironment, changes: Changes) {
    this.#settled = settled;
    this.#changes = changes;
  }

  run(): AffectedObjects | undefined {
    const { gone, come, now } = this.#changes;
    for (const entry of gone) this.#reach(entry);
    for (const { object } of come) {
      this.#follow(object);
      this.#mayTake(object);
      this.#mayBeTaken(object, waitingCountMax);
    }
    for (let entry = this.#open.pop(); entry !== undefined; entry = this.#open.pop()) {
      this.#follow(entry.object);
      this.#followRun(entry);
      if (this.#past.size > affectedCountMax || this.#free.size > freeVolumeCountMax)
        return undefined;
    }
    const unchanged = [...this.#past].flatMap((entry) => now(entry) ?? []);
    const freeVolumes = [...this.#free].filter((entry) => !this.#past.has(entry));
    return {
      present: [...come, ...unchanged],
      past: this.#past,
      freeVolumes: freeVolumes.flatMap((entry) => now(entry) ?? []),
      now,
      find: (ref) => this.#find(ref),
    };
  }

  #find(ref: Ref): readonly WorkspaceObject[] | undefined {
    const { come, now } = this.#changes;
    const before = this.#settled.prediction.environment.byRef.get(ref) ?? [];
    const found = [
      ...before.flatMap((entry) => now(entry) ?? []),
      ...come.filter(({ object }) => object.ref === ref),
    ];
    return found.length === 0 ? undefined : found;
  }

  #reach(entry: WorkspaceObject): void {
    if (this.#past.has(entry)) return;
    this.#past.add(entry);
    this.#open.push(entry);
  }

  #follow(object: ManifestObject): void {
    for (const partner of this.#settled.couplings.partnersOf(object)) this.#reach(partner);
  }

  /** Adds the free volumes that the object's claims may be bound to. */
  #mayTake(object: ManifestObject): void {
    for (const name of staticClassesSought(couplingsOf(object), this.#settled.defaultClass))
      for (const volume of this.#settled.freeVolumes(name)) this.#free.add(volume);
  }

  #mayBeTaken(object: ManifestObject, countMax: number): void {
    for (const name of staticClassesHeld(couplingsOf(object)))
      for (const owner of this.#settled.waitingFor(name, object.name, countMax)) this.#reach(owner);
  }

  /** Follows who has which volume. A claim whose volume has not changed needs no other one. */
  #followRun(entry: WorkspaceObject): void {
    const { gone } = this.#changes;
    const volumes = [...this.#settled.volumesOf(entry)];
    for (const volume of volumes) {
      this.#reach(volume);
      // The claim may no longer want its volume.
      if (gone.has(entry)) this.#mayBeTaken(volume.object, 0);
    }
    if (this.#settled.waitsForPods(entry) || volumes.some((volume) => gone.has(volume)))
      this.#mayTake(entry.object);
    if (entry.object.kind !== "PersistentVolume") return;
    const holder = this.#settled.holderOfVolume(entry);
    if (holder !== undefined) this.#reach(holder);
  }
}
