/** Adds what a chart in a kustomization renders to. Upstream: kustomize v5.8 HelmChartInflationGenerator.go. */
import type { Path } from "../../yaml/place.ts";
import { resolveUri } from "../files/uri.ts";
import type { WorkspaceFile, WorkspaceObject } from "../workspace-object.ts";
import type { BuildLog } from "./build-log.ts";
import type { EntryPlace } from "./entry-place.ts";
import type { HelmChartEntry } from "./helm-charts.ts";
import { outside } from "./loaded-patch.ts";
import { alreadyHeld, type Resource, registeredId, resourceOf } from "./resource.ts";

/** What Helm renders for an entry of a kustomization or for a separate generator file; undefined if there is no such chart. */
export type Inflate = (place: EntryPlace, entry: HelmChartEntry) => InflatedChart | undefined;

export interface InflatedChart {
  readonly objects: readonly WorkspaceObject[];
  /** True if these are all objects that it would render. */
  readonly isWhole: boolean;
  /** Why it renders nothing. */
  readonly refusal?: string;
  /** True if it was not rendered because earlier charts have cost too much. */
  readonly isLeftOut?: boolean;
}

export interface ChartTarget {
  readonly place: EntryPlace;
  /** The kustomization's objects, to which those of the chart are added. */
  readonly resources: Resource[];
  readonly log: BuildLog;
  readonly from: {
    findFile(uri: string): WorkspaceFile | undefined;
    readonly inflate: Inflate;
  };
  mayGoOn(): boolean;
}

export function addChart(entry: HelmChartEntry, target: ChartTarget): void {
  const { place, log, from } = target;
  const { at, refusal } = entry;
  log.isChanged = true;
  if (refusal !== undefined) {
    log.isPartial = true;
    log.refuse(place, at, `chart: ${refusal}`);
    return;
  }
  const made = from.inflate(place, entry);
  if (made === undefined) {
    log.isPartial = true;
    tellMissing(entry, target);
    return;
  }
  log.isPartial ||= !made.isWhole;
  if (made.isLeftOut === true) {
    const message = "Not judged: no more charts are rendered here than those before this one";
    log.warn(place, at, message);
    return;
  }
  if (made.refusal !== undefined) log.refuse(place, at, `chart: ${made.refusal}`);
  checkValuesFiles(entry, target);
  addObjects(made.objects, entry, target);
}

function tellMissing(
  { path, at, folder, repository }: HelmChartEntry,
  { place, log }: ChartTarget,
): void {
  if (repository === "") {
    log.tellUnread(place, [...path, "name"], `Not judged: ${folder}`);
    return;
  }
  const parent = folder.slice(0, folder.lastIndexOf("/"));
  log.inform(
    place,
    at,
    `Not judged: there is no chart at ${folder}, and none is fetched. \`helm pull --untar --untardir ${parent}\` puts it there`,
  );
}

function checkValuesFiles(
  { path, valuesFile, valuesFilePath, additionalValuesFiles }: HelmChartEntry,
  { place, log, from }: ChartTarget,
): void {
  const check = (name: string, at: Path): void => {
    const named = from.findFile(resolveUri(place.folder, name));
    if (named === undefined) log.tellUnread(place, at, `Not heeded: ${name}`);
    else log.problems.push(...outside(place, at, named));
  };
  check(valuesFile, valuesFilePath);
  for (const [index, name] of additionalValuesFiles.entries())
    check(name, [...path, "additionalValuesFiles", index]);
}

function addObjects(
  objects: readonly WorkspaceObject[],
  { at }: HelmChartEntry,
  { place, resources, log, mayGoOn }: ChartTarget,
): void {
  const seen = new Set<string>(resources.flatMap((there) => registeredId(there) ?? []));
  for (const object of objects) {
    if (!mayGoOn()) break;
    const resource = resourceOf(object);
    const id = registeredId(resource);
    if (id !== undefined && seen.size === seen.add(id).size) {
      log.refuse(place, at, `chart: ${alreadyHeld(resource, "unspecified")}`);
    }
    resources.push(resource);
  }
}
