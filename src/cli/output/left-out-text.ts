/** Which files hold manifests that nobody has looked at, because they are templates. */
import { baseName, parentUri } from "../../language-server/workspace/uri.ts";
import type { ClusterResult } from "../cluster-result.ts";
import { printPath } from "./place.ts";

/** Empty where there is none. */
export function leftOutText({ environment }: ClusterResult, cwd: string): string {
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
