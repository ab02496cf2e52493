/**
 * Guesses what was meant by a path in a kustomization that leads nowhere: a file below its folder, or another kustomization's
 * folder.
 */
import { nearestName } from "../../nearest-name.ts";
import { isBelow, parentUri, pathOf, relativePath } from "../files/uri.ts";
import type { BuildFiles } from "./build.ts";
import type { KustomizeProblem } from "./loaded-patch.ts";

type KnownFiles = Pick<BuildFiles, "findFile" | "kustomizations"> & {
  readonly uris: readonly string[];
};

export function withMeantPath(problem: KustomizeProblem, files: KnownFiles): KustomizeProblem {
  const { uri, start, end, isUnread } = problem;
  if (isUnread !== true) return problem;
  const text = files.findFile(uri)?.manifest.text.slice(start, end) ?? "";
  const meant = nearestName(text.replace(/^(["'])(.*)\1$/, "$2"), pathsFrom(uri, files));
  return meant === undefined ? problem : { ...problem, meant };
}

/** Paths as the kustomization would write them. Kustomize does not read files outside of its folder. */
function pathsFrom(kustomization: string, { uris, kustomizations }: KnownFiles): readonly string[] {
  const folder = parentUri(kustomization);
  const ownFiles = uris.filter((uri) => isBelow(uri, folder) && !kustomizations.has(uri));
  const folders = [...kustomizations.keys()].filter((uri) => uri !== kustomization).map(parentUri);
  return [...ownFiles, ...folders].map((uri) => relativePath(pathOf(folder), pathOf(uri)));
}
