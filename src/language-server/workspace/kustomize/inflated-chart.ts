/** What comes of a chart that a kustomization names. Upstream: kustomize v5.8 HelmChartInflationGenerator.go. */
import type { Path } from "../../yaml/place.ts";
import { resolveUri } from "../files/uri.ts";
import type { WorkspaceFile, WorkspaceObject } from "../workspace-object.ts";
import type { BuildLog } from "./build-log.ts";
import type { EntryPlace } from "./entry-place.ts";
import type { HelmChartEntry } from "./helm-charts.ts";
import { outside } from "./loaded-patch.ts";
import { alreadyHeld, type Resource, registeredId, resourceOf } from "./resource.ts";

/** What Helm makes for an entry of a kustomization, or for a generator in a file of its own; undefined where there is no such chart. */
export type Inflate = (place: EntryPlace, entry: HelmChartEntry) => InflatedChart | undefined;

export interface InflatedChart {
  readonly objects: readonly WorkspaceObject[];
  /** Whether that is all that it would make. */
  readonly isWhole: boolean;
  /** Why it makes nothing. */
  readonly refusal?: string;
  /** It is not rendered, for those before it have cost too much. */
  readonly isLeftOut?: boolean;
}

export interface ChartTarget {
  readonly place: EntryPlace;
  /** Of the kustomization, which those of the chart are added to. */
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
