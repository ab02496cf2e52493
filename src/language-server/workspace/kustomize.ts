/**
 * Which files a kustomization applies as patches: they hold parts of objects. Nothing else of kustomize is looked at; its
 * prefixes, namespaces and generators change names only when it is run.
 */
import { isRecord } from "../yaml/manifest.ts";
import type { ManifestFile } from "../yaml/manifest-file.ts";
import { readYamlDocument } from "../yaml/yaml-document.ts";
import { baseName, parentUri, resolveUri } from "./uri.ts";
import type { WorkspaceFile } from "./workspace.ts";

const kustomizationNames: ReadonlySet<string> = new Set([
  "kustomization.yaml",
  "kustomization.yml",
]);

/** Their URIs, over all kustomizations and components among the files. */
export function patchFiles(files: readonly WorkspaceFile[]): ReadonlySet<string> {
  const patches = new Set<string>();
  for (const { uri, manifest } of files) {
    if (!isKustomization(uri)) continue;
    const paths = known.get(manifest) ?? patchPaths(manifest);
    known.set(manifest, paths);
    for (const path of paths) patches.add(resolveUri(parentUri(uri), path));
  }
  return patches;
}

const known = new WeakMap<ManifestFile, readonly string[]>();

export function isKustomization(uri: string): boolean {
  return kustomizationNames.has(baseName(uri));
}

/** Patches may be written out in place as well. */
function patchPaths({ text }: ManifestFile): readonly string[] {
  const { value } = readYamlDocument(text);
  if (!isRecord(value)) return [];
  const listOf = (field: string): readonly unknown[] => {
    const list = value[field];
    return Array.isArray(list) ? list : [];
  };
  const paths = [...listOf("patches"), ...listOf("patchesJson6902")].map((patch) =>
    isRecord(patch) ? patch["path"] : undefined,
  );
  return [...paths, ...listOf("patchesStrategicMerge")].filter(
    (path): path is string => typeof path === "string" && !path.includes("\n"),
  );
}
