/**
 * Which files are applied in the order of their documents, as by kubectl. Kustomize, Helm and GitOps controllers create
 * namespaces and the like first. Upstream: kustomize v5.8 SortOrderTransformer, Helm v3 pkg/releaseutil/kind_sorter.go, Argo
 * CD's sync waves, Flux's pkg/ssa ApplyAllStaged.
 */
import type { ManifestObject } from "../../yaml/manifest.ts";
import type { Environment } from "../environment.ts";
import { baseName, parentUri } from "../files/uri.ts";
import type { WorkspaceFile } from "../workspace-object.ts";

/** The returned function is valid for files of this state of the environment. */
export function keepsOrder({
  files,
  objects,
  kustomized,
}: Environment): (file: WorkspaceFile) => boolean {
  const charts = new Set(
    files.filter(({ uri }) => baseName(uri) === "Chart.yaml").map(({ uri }) => parentUri(uri)),
  );
  const isDeployed = objects.some(({ object }) => deploys(object));
  return ({ uri, manifest }) =>
    !isDeployed &&
    !kustomized.resources.has(uri) &&
    !isInChart(uri, charts) &&
    !manifest.text.includes(argoAnnotation);
}

const argoAnnotation = "argocd.argoproj.io/";

/** True if a controller applies manifests for the object. */
function deploys({ apiVersion, kind }: ManifestObject): boolean {
  if (apiVersion.includes(".toolkit.fluxcd.io/")) return true;
  return apiVersion.startsWith("argoproj.io/") && kind.startsWith("Application");
}

function isInChart(uri: string, charts: ReadonlySet<string>): boolean {
  if (charts.size === 0) return false;
  for (let folder = parentUri(uri); folder !== ""; folder = parentUri(folder))
    if (charts.has(folder)) return true;
  return false;
}
