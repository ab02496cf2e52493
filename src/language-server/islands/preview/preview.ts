/**
 * Shows what an edit changes before the decisive run of everything: applies the affected objects to a cluster in which all
 * others already are what they became in the last such run, and hold what they took.
 */
import type { PersistentVolume } from "../../../engine/api/types.ts";
import { compareObjects, outcomeReports } from "../../diagnostics/object-reports.ts";
import type { CodedReport, EnvironmentContext, ObjectReport } from "../../diagnostics/rule.ts";
import type { Prediction } from "../../prediction/prediction.ts";
import { scenarioOf } from "../../prediction/scenario-of.ts";
import { sameItems } from "../../same-items.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import { isRecord, type ManifestObject } from "../../yaml/manifest.ts";
import type { Basis } from "../basis.ts";
import { changedPaths } from "../cluster-changes.ts";
import { islandCluster } from "../island-cluster.ts";
import { byPlace, islandEnvironment } from "../island-environment.ts";
import type { OutcomeReports } from "../judged-island.ts";
import type { KeptRuns } from "../kept-runs.ts";
import { nameOf } from "../object-text.ts";
import { couplingsOf, staticClassesSought } from "../parting/couplings.ts";
import type { Island } from "../parting/islands.ts";
import { MapWithRest } from "../recorded-refs.ts";
import { type AffectedObjects, affectedObjects } from "./affected-objects.ts";
import { roomLeft } from "./room-left.ts";
import type { SettledEnvironment } from "./settled-environment.ts";

export class Preview {
  /** Findings of the rules that compare objects. */
  readonly compared: readonly CodedReport[];
  readonly outcome: OutcomeReports;
  /** The prediction of everything that was run; locates other objects at their present places. */
  readonly prediction: Prediction;
  /** By file, the names of the objects that the preview covers. */
  readonly #told = new Map<string, Set<string>>();
  readonly #kept = new WeakMap<readonly CodedReport[], readonly CodedReport[]>();

  constructor(
    told: Iterable<WorkspaceObject>,
    compared: readonly CodedReport[],
    outcome: OutcomeReports,
    prediction: Prediction,
  ) {
    for (const entry of told) {
      const { uri } = entry.file;
      this.#told.set(uri, (this.#told.get(uri) ?? new Set()).add(nameOf(entry.object)));
    }
    this.compared = compared;
    this.outcome = outcome;
    this.prediction = prediction;
  }

  /** True if the preview decides what becomes of an object, instead of what was known before. */
  tellsOf(entry: WorkspaceObject): boolean {
    return this.#told.get(entry.file.uri)?.has(nameOf(entry.object)) === true;
  }

  /** The earlier findings without those that the preview replaces; the same array if it replaces none. */
  kept(reports: readonly CodedReport[]): readonly CodedReport[] {
    const known = this.#kept.get(reports);
    if (known !== undefined) return known;
    const kept = reports.flatMap((found) => this.#keptOf(found) ?? []);
    const made = sameItems(kept, reports) ? reports : kept;
    this.#kept.set(reports, made);
    return made;
  }

  /** A line that is to blame for several objects stays to blame for those that the preview does not cover. */
  #keptOf(found: CodedReport): CodedReport | undefined {
    const { report } = found;
    if (this.tellsOf(report.entry)) return undefined;
    if (!this.#speaksOfTold(report)) return found;
    const left = report.related?.filter(({ entry }) => !this.tellsOf(entry)) ?? [];
    if (!this.#restsOnTold(report)) return { ...found, report: { ...report, related: left } };
    const [first, ...others] = left;
    if (first === undefined) return undefined;
    return { ...found, report: { ...report, message: first.message, related: others } };
  }

  #speaksOfTold(report: ObjectReport): boolean {
    const { related = [] } = report;
    return this.#restsOnTold(report) || related.some(({ entry }) => this.tellsOf(entry));
  }

  #restsOnTold({ entry, restsOn = [] }: ObjectReport): boolean {
    return restsOn.some((other) => other !== entry && this.tellsOf(other));
  }

  /** Files in which the preview may change some of these findings. */
  *changedIn(reports: readonly CodedReport[]): Iterable<string> {
    const speaking = filesSpeakingOf(reports);
    for (const uri of this.#told.keys()) yield* speaking.get(uri) ?? [];
  }
}

/** For each file, the files with findings that involve its objects. */
function filesSpeakingOf(
  reports: readonly CodedReport[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const known = speakingFiles.get(reports);
  if (known !== undefined) return known;
  const made = new Map<string, Set<string>>();
  for (const { report } of reports) {
    const { entry, related = [], restsOn = [] } = report;
    const { uri } = entry.file;
    for (const about of [entry, ...related.map((other) => other.entry), ...restsOn])
      made.set(about.file.uri, (made.get(about.file.uri) ?? new Set()).add(uri));
  }
  speakingFiles.set(reports, made);
  return made;
}

const speakingFiles = new WeakMap<
  readonly CodedReport[],
  ReadonlyMap<string, ReadonlySet<string>>
>();

/** Undefined if the edit affects too much. Yields often. */
export function* previewOf(
  settled: SettledEnvironment,
  basis: Basis,
  kept: KeptRuns,
): Generator<void, Preview | "as before" | undefined> {
  const { environment, assumption } = basis;
  if (changedPaths(settled.prediction, assumption) === undefined) return undefined;
  const affected = affectedObjects(settled, environment);
  if (affected === undefined) return undefined;
  const { present, past, freeVolumes } = affected;
  if (present.length === 0 && past.size === 0) return "as before";
  yield;
  const island = islandOf(settled, affected);
  const own = islandEnvironment(environment, island);
  const told = new Set(present);
  const comparison = yield* compareObjects(contextOf(settled, island, affected, basis), "island");
  const { cluster } = assumption.assumed;
  const room = roomLeft(cluster, settled, past, own.objects);
  const ofIsland = islandCluster(cluster, island, own.objects, room);
  yield;
  const from = scenarioOf(own, {
    ...assumption,
    assumed: { ...assumption.assumed, cluster: ofIsland },
  });
  const prediction = yield* kept.run(own, from);
  for (const entry of freeVolumes) if (isTaken(prediction, entry)) told.add(entry);
  const outcomes = yield* outcomeReports(prediction, comparison);
  const isOfVolume = ({ report }: CodedReport): boolean =>
    report.entry.object.kind === "PersistentVolume";
  const outcome = {
    own: outcomes.filter(({ report }) => told.has(report.entry)),
    // Volumes that are only read have not changed.
    ofRead: outcomes.filter((found) => !told.has(found.report.entry) && !isOfVolume(found)),
  };
  const compared = comparison.filter(({ report }) => told.has(report.entry));
  return new Preview([...told, ...past], compared, outcome, { ...prediction, environment });
}

/** What rules see: all volumes that claims could have, as they are written; all other objects are found by name. */
function contextOf(
  settled: SettledEnvironment,
  { key, members, context }: Island,
  { now, find }: AffectedObjects,
  { environment, assumption, names }: Basis,
): EnvironmentContext {
  const own = new Set(members);
  const volumes = new Set<WorkspaceObject>();
  for (const { object } of members)
    for (const name of staticClassesSought(couplingsOf(object), settled.defaultClass))
      for (const volume of settled.volumesOfClass(name)) {
        const present = now(volume);
        if (present !== undefined && !own.has(present)) volumes.add(present);
      }
  const others = context.filter(({ object }) => object.kind !== "PersistentVolume");
  const seen = islandEnvironment(environment, { key, members, context: [...others, ...volumes] });
  const byRef = new MapWithRest(seen.byRef, (ref) => seen.byRef.get(ref) ?? find(ref));
  const { version, profileFrom, assumed } = assumption;
  return { environment: { ...seen, byRef }, version, cluster: assumed.cluster, profileFrom, names };
}

function isTaken({ facts }: Prediction, { object }: WorkspaceObject): boolean {
  return facts.get("PersistentVolume", undefined, object.name)?.spec.claimRef !== undefined;
}

function islandOf(
  settled: SettledEnvironment,
  { present, past, freeVolumes, now }: AffectedObjects,
): Island {
  const members = [...present].sort(byPlace);
  const known = new Set(members.map(({ object }) => object.ref));
  const context = new Map<string, WorkspaceObject>();
  const add = (entry: WorkspaceObject | undefined): void => {
    if (entry === undefined || known.has(entry.object.ref)) return;
    const name = `${entry.file.uri} ${entry.documentIndex} ${nameOf(entry.object)}`;
    if (!context.has(name)) context.set(name, entry);
  };
  for (const entry of settled.shelf.contextOf(members)) add(now(entry));
  for (const entry of freeVolumes) add(entry);
  for (const owner of past)
    for (const volume of settled.missedBy(owner)) {
      const entry = settled.volumeEntry(volume.metadata.name ?? "");
      const present = entry === undefined ? undefined : now(entry);
      if (present !== undefined) add(asLeft(present, volume));
    }
  return { key: "preview", members, context: [...context.values()] };
}

/** A volume that the run has given to a claim belongs to no other, even if that claim is not part of the island. */
function asLeft(entry: WorkspaceObject, { spec: { claimRef } }: PersistentVolume): WorkspaceObject {
  const { value } = entry.object;
  if (claimRef === undefined || !isRecord(value["spec"])) return entry;
  const { namespace, name } = claimRef;
  const spec = { ...value["spec"], claimRef: { namespace, name } };
  const object: ManifestObject = { ...entry.object, value: { ...value, spec } };
  return { ...entry, object };
}
