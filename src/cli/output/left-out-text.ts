/**
 * What was not judged: files that are templates, parts of charts that cannot be rendered, parts of kustomizations that are not
 * read or that another one makes differently, group snapshots, and objects that operators make claims from.
 */
import { isOfGroupSnapshots } from "../../language-server/diagnostics/rules/kind-not-simulated.ts";
import { printRef } from "../../language-server/prediction/print-ref.ts";
import { placeOf } from "../../language-server/workspace/field-place.ts";
import {
  claimField,
  isOfOperators,
} from "../../language-server/workspace/objects/operator-claims.ts";
import { calledOf, type ManifestObject } from "../../language-server/yaml/manifest.ts";
import type { Path } from "../../language-server/yaml/place.ts";
import type { ClusterResult } from "../cluster-result.ts";
import { printPath, printPlace } from "./place.ts";

/** Empty if everything was judged. */
export function leftOutText(result: ClusterResult, cwd: string): string {
  return [
    templatesText(result, cwd),
    chartsText(result, cwd),
    kustomizationsText(result, cwd),
    groupSnapshotsText(result, cwd),
    operatorsText(result, cwd),
  ]
    .filter((text) => text !== "")
    .join("\n");
}

/** Includes what Helm refuses. */
function chartsText({ environment, service }: ClusterResult, cwd: string): string {
  const { isWhole, problems } = environment.charts;
  if (isWhole) return "";
  const lines = problems.flatMap(({ uri, start, message }) => {
    const file = service.file(uri);
    return file === undefined ? [] : [`  ${printPlace(file, start, cwd)} ${message}`];
  });
  return `${["Part of what the charts render is not judged:", ...lines].join("\n")}\n`;
}

/** Includes what kustomize refuses. */
function kustomizationsText(
  { environment, service, overlay: own }: ClusterResult,
  cwd: string,
): string {
  const lines = environment.kustomized.problems.flatMap(({ uri, start, message, overlay }) => {
    const file = service.file(uri);
    const isToldElsewhere = own !== undefined && overlay !== undefined;
    return file === undefined || isToldElsewhere
      ? []
      : [`  ${printPlace(file, start, cwd)} ${message}`];
  });
  if (lines.length === 0) return "";
  return `${["Part of what the kustomizations say is not judged:", ...lines].join("\n")}\n`;
}

function groupSnapshotsText(result: ClusterResult, cwd: string): string {
  const head = "Not judged, because groups of snapshots are not simulated:";
  return objectsText(result, cwd, head, (object) =>
    isOfGroupSnapshots(object) ? ["kind"] : undefined,
  );
}

function operatorsText(result: ClusterResult, cwd: string): string {
  const head = "Not judged, because only their operators know what claims they make:";
  return objectsText(result, cwd, head, (object) =>
    isOfOperators(object.apiVersion) ? claimField(object.value) : undefined,
  );
}

/** Lists objects of the namespace to print, each at the field because of which it is not judged. */
function objectsText(
  { environment, namespace }: ClusterResult,
  cwd: string,
  head: string,
  fieldOf: (object: ManifestObject) => Path | undefined,
): string {
  const lines = environment.objects.flatMap((entry) => {
    const { object } = entry;
    const isMeant = namespace === undefined || object.namespace === namespace;
    const path = isMeant && !object.served ? fieldOf(object) : undefined;
    if (path === undefined) return [];
    const { file, start } = placeOf(entry, path);
    return [`  ${printPlace(file, start, cwd)} ${printRef(calledOf(object))}`];
  });
  return lines.length === 0 ? "" : `${[head, ...lines].join("\n")}\n`;
}

function templatesText({ environment }: ClusterResult, cwd: string): string {
  const lines = environment.files
    .filter(({ manifest }) => manifest.templateAt !== undefined && manifest.isKubernetes)
    .map(({ uri }) => printPath(uri, cwd));
  if (lines.length === 0) return "";
  const more = lines.length - templateCountMax;
  const told = lines.slice(0, templateCountMax).concat(more > 0 ? [`and ${more} more`] : []);
  const head = "Not judged, because they are templates:";
  return `${[head, ...told.map((line) => `  ${line}`)].join("\n")}\n`;
}

/** More would push the rest of the output away. */
const templateCountMax = 10;
