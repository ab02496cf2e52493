/**
 * Judges each object as built by the first kustomization that has it, and reports the others: a cluster cannot contain two
 * objects of one name, and objects of overlays that are not judged would refer to names that do not exist.
 */
import { push } from "../../../engine/api/go/multi-map.ts";
import { compareText } from "../../../engine/api/go/text-order.ts";
import { deepEqual } from "../../../engine/api/json.ts";
import { underline } from "../../yaml/locate.ts";
import { type ManifestObject, valueAt } from "../../yaml/manifest.ts";
import { decoded, parentUri } from "../files/uri.ts";
import { documentStart, type WorkspaceObject } from "../workspace-object.ts";
import type { BuiltObject } from "./build.ts";
import { type EntryPlace, spanAt } from "./entry-place.ts";
import type { KustomizationEntry } from "./kustomization-file.ts";
import type { KustomizeProblem } from "./loaded-patch.ts";
import { patchedEntry } from "./patched-object.ts";
import type { ChangePlace } from "./resource.ts";
import type { Written } from "./written.ts";

/** Folders of kustomizations. */
export interface Overlays {
  readonly judged: string;
  readonly others: readonly string[];
}

/** A kustomization that builds some objects differently from another one. */
export interface Overlay {
  /** URI of the kustomization. */
  readonly uri: string;
  readonly folder: string;
  readonly isJudged: boolean;
}

export class JudgedObjects {
  readonly #changed = new Map<WorkspaceObject, readonly WorkspaceObject[]>();
  /** Objects only in kustomizations that rename others: the names they refer to do not exist, so they are not judged. */
  readonly #aside = new Set<WorkspaceObject>();
  readonly #byFile = new Map<string, WorkspaceObject[]>();
  readonly #lacking = new Set<WorkspaceObject>();
  readonly #first = new Map<WorkspaceObject, First>();
  /** The other kustomizations that build something different from an object. */
  readonly #others = new Map<WorkspaceObject, string[]>();
  readonly #folder: string;
  readonly #report: (problem: KustomizeProblem) => void;

  constructor(folder: string, report: (problem: KustomizeProblem) => void) {
    this.#folder = folder;
    this.#report = report;
  }

  add(root: string, objects: readonly BuiltObject[]): void {
    const others = new Map<KustomizationEntry, Other>();
    const added: WorkspaceObject[] = [];
    let hasOtherNames = false;
    for (const [entry, by] of byEntry(objects)) {
      const first = this.#first.get(entry);
      if (first === undefined) {
        this.#addFirst(entry, { root, by });
        added.push(entry);
        continue;
      }
      if (isSameMade(first.by, by)) continue;
      push(this.#others, entry, root);
      hasOtherNames ||= namesOf(first.by) !== namesOf(by);
      const shared = changesOf(first.by);
      for (const [part, { place }] of changesOf(by)) {
        if (shared.has(part)) continue;
        const other = others.get(part) ?? { first: first.root, place, objects: [] };
        other.objects.push(entry.object);
        others.set(part, other);
      }
    }
    const [other] = others.values();
    if (hasOtherNames)
      for (const entry of added) {
        this.#aside.add(entry);
        if (other !== undefined) this.#tellAside(root, other.first, entry);
      }
    for (const [part, other] of firstInFiles(others)) this.#tellOther(root, part, other);
  }

  /** Which kustomization is judged, if others build something different from the object; otherwise undefined. */
  overlaysOf(entry: WorkspaceObject): Overlays | undefined {
    const [first, others] = [this.#first.get(entry), this.#others.get(entry)];
    if (first === undefined || others === undefined) return undefined;
    return {
      judged: this.#printFolder(first.root),
      others: others.map((root) => this.#printFolder(root)),
    };
  }

  /** Sorted by folder. */
  overlays(): readonly Overlay[] {
    const notJudged = new Set([...this.#others.values()].flat());
    const first = [...this.#others.keys()].flatMap((entry) => this.#first.get(entry)?.root ?? []);
    return [...new Set([...first, ...notJudged])]
      .map((uri) => ({ uri, folder: this.#printFolder(uri), isJudged: !notJudged.has(uri) }))
      .sort((a, b) => compareText(a.folder, b.folder));
  }

  isChanged(entry: WorkspaceObject): boolean {
    return this.#changed.has(entry);
  }

  lacksPatch(entry: WorkspaceObject): boolean {
    return this.#lacking.has(entry);
  }

  /** Changed objects of which at least a part is written in the file. */
  changedIn(uri: string): readonly WorkspaceObject[] {
    return this.#byFile.get(uri) ?? [];
  }

  of(entry: WorkspaceObject): readonly WorkspaceObject[] {
    return this.#aside.has(entry) ? [] : (this.#changed.get(entry) ?? [entry]);
  }

  #addFirst(entry: WorkspaceObject, first: First): void {
    const { by } = first;
    this.#first.set(entry, first);
    if (by.some(({ lacksPatch }) => lacksPatch)) this.#lacking.add(entry);
    if (by.length === 1 && by[0]?.written?.value === entry.object.value) return;
    const now = by.flatMap((one) => sameBuilt(one) ?? []);
    this.#changed.set(entry, now);
    for (const uri of new Set(now.flatMap(({ patched }) => patched?.uris ?? []))) {
      const there = this.#byFile.get(uri);
      if (there === undefined) this.#byFile.set(uri, [...now]);
      else there.push(...now);
    }
  }

  /** Reports that other objects of the same names are judged instead. */
  #tellOther(root: string, entry: KustomizationEntry, other: Other): void {
    const { first, objects, place } = other;
    const [object] = objects;
    if (object === undefined) return;
    const [own, before] = [this.#printFolder(root), this.#printFolder(first)];
    const more = objects.length > 1 ? ` and ${objects.length - 1} more` : "";
    const message = `Not judged: ${before} builds ${object.kind} ${object.name}${more} differently, and only one of the two is judged. \`kustomization: ${own}\` in claimcheck.yaml chooses this one`;
    this.#report({ ...spanAt(place, entry.path), message, overlay: own, severity: "information" });
  }

  /** Reports that the object is not judged: in its file, no findings would look like approval. */
  #tellAside(root: string, first: string, entry: WorkspaceObject): void {
    const { file, document, object } = entry;
    const { start, end } = underline(document.yaml, [...object.path, "metadata", "name"]);
    const offset = documentStart(entry);
    const [own, judged] = [this.#printFolder(root), this.#printFolder(first)];
    const message = `Not judged: it belongs to ${own}, and ${judged} is judged. \`kustomization: ${own}\` in claimcheck.yaml chooses the other one`;
    const span = { start: start + offset, end: end + offset };
    this.#report({ uri: file.uri, ...span, message, overlay: own, severity: "information" });
  }

  #printFolder(kustomization: string): string {
    const folder = parentUri(kustomization);
    return folder === this.#folder ? "." : decoded(folder.slice(this.#folder.length + 1));
  }
}

/** Merges reports, so that a kustomization that is not judged has one per file and not one per changed field. */
function firstInFiles(
  others: ReadonlyMap<KustomizationEntry, Other>,
): ReadonlyMap<KustomizationEntry, Other> {
  const firsts = new Map<string, readonly [KustomizationEntry, Other]>();
  for (const [part, other] of others) {
    const { uri, start } = spanAt(other.place, part.path);
    const [firstPart, first] = firsts.get(uri) ?? [part, other];
    const objects = [...new Set([...first.objects, ...other.objects])];
    const isEarlier = start < spanAt(first.place, firstPart.path).start;
    firsts.set(uri, isEarlier ? [part, { ...other, objects }] : [firstPart, { ...first, objects }]);
  }
  return new Map(firsts.values());
}

interface First {
  readonly root: string;
  /** Several if the kustomization includes the object in several ways. */
  readonly by: readonly BuiltObject[];
}

/** Kustomize refuses two objects of one name; here one of them is judged. */
function byEntry(
  objects: readonly BuiltObject[],
): ReadonlyMap<WorkspaceObject, readonly BuiltObject[]> {
  const found = new Map<WorkspaceObject, Map<string, BuiltObject>>();
  for (const object of objects) {
    const there = found.get(object.entry) ?? new Map<string, BuiltObject>();
    found.set(object.entry, there);
    const names = namesOf([object]);
    if (!there.has(names)) there.set(names, object);
  }
  return new Map([...found].map(([entry, byNames]) => [entry, [...byNames.values()]] as const));
}

function changesOf(objects: readonly BuiltObject[]): ReadonlyMap<KustomizationEntry, ChangePlace> {
  return new Map(
    objects.flatMap(({ changedBy }) => changedBy.map((change) => [change.entry, change] as const)),
  );
}

function isSameMade(a: readonly BuiltObject[], b: readonly BuiltObject[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ written }, index) => deepEqual(written?.value, b[index]?.written?.value))
  );
}

function namesOf(objects: readonly BuiltObject[]): string {
  const names = objects.map(({ written }) =>
    ["name", "namespace"].map((field) => valueAt(written?.value, ["metadata", field])),
  );
  return JSON.stringify(names);
}

/** Objects that another kustomization has built differently before. */
interface Other {
  readonly first: string;
  /** May be in a kustomization that the other one names. */
  readonly place: EntryPlace;
  readonly objects: ManifestObject[];
}

/** The previous entry if the same changes were made to the same object, so that caches keyed by it stay valid. */
function sameBuilt(by: BuiltObject): WorkspaceObject | undefined {
  const { written } = by;
  if (written === undefined) return undefined;
  const before = lastBuilt.get(written);
  if (before !== undefined && isSameBuild(before.by, by)) return before.now;
  const now = patchedEntry(by);
  lastBuilt.set(written, { by, now });
  return now;
}

function isSameBuild(a: BuiltObject, b: BuiltObject): boolean {
  const [{ changedBy }, { changedBy: others }] = [a, b];
  return (
    a.entry === b.entry &&
    a.lacksPatch === b.lacksPatch &&
    changedBy.length === others.length &&
    changedBy.every(({ file }, index) => file === others[index]?.file)
  );
}

const lastBuilt = new WeakMap<
  Written,
  { readonly by: BuiltObject; readonly now: WorkspaceObject | undefined }
>();
