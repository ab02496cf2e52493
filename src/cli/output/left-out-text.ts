/** What nobody has looked at: files that are templates, and of kustomizations what another one makes otherwise or is not read. */
import { baseName, parentUri } from "../../language-server/workspace/uri.ts";
import type { ClusterResult } from "../cluster-result.ts";
import { printPath, printPlace } from "./place.ts";

/** Empty where there is none. */
export function leftOutText(result: ClusterResult, cwd: string): string {
  return [templatesText(result, cwd), kustomizationsText(result, cwd)]
    .filter((text) => text !== "")
    .join("\n");
}

/** What kustomize refuses is among it. */
function kustomizationsText({ environment, service }: ClusterResult, cwd: string): string {
  const lines = environment.kustomized.problems.flatMap(({ uri, start, message }) => {
    const file = service.file(uri);
    return file === undefined ? [] : [`  ${printPlace(file, start, cwd)} ${message}`];
  });
  if (lines.length === 0) return "";
  return `${["Not all that kustomizations say is judged:", ...lines].join("\n")}\n`;
}

function templatesText({ environment }: ClusterResult, cwd: string): string {
  const templates = environment.files.filter(
    ({ manifest }) => manifest.templateAt !== undefined && manifest.isKubernetes,
  );
  if (templates.length === 0) return "";
  const charts = environment.files
    .filter(({ uri }) => baseName(uri) === "Chart.yaml")
    .map(({ uri }) => parentUri(uri));
  const lines = templates.map(({ uri }) => {
    const chart = charts.find((folder) => uri.startsWith(`${folder}/templates/`));
    const rendered =
      chart === undefined
        ? ""
        : `; \`helm template ${printPath(chart, cwd)}\` makes manifests of it`;
    return `  ${printPath(uri, cwd)}${rendered}`;
  });
  return `${["Not judged, because they are templates:", ...lines].join("\n")}\n`;
}
