/** The objects that a folder's kustomization makes, and the problems in it. */
import assert from "node:assert/strict";
import { ChartInflater } from "../../src/language-server/workspace/helm/chart-inflater.ts";
import { localFolderAmong } from "../../src/language-server/workspace/helm/local-folders.ts";
import { buildOf } from "../../src/language-server/workspace/kustomize.ts";
import { Workspace } from "../../src/language-server/workspace/workspace.ts";
import { objectsOfFile } from "../../src/language-server/workspace/workspace-object.ts";
import { readFixture } from "./markers.ts";
import { memoryFolder, memoryUri } from "./memory-workspace.ts";

export interface Kustomization {
  readonly objects: readonly Readonly<Record<string, unknown>>[];
  /** `Kind namespace/name: keys`; the namespace `default` is left out. */
  readonly generated: readonly string[];
  /** `file:line: message`. */
  readonly problems: readonly string[];
}

export function kustomized(text: string): Kustomization {
  const workspace = new Workspace();
  workspace.setFolders([memoryFolder]);
  const files = new Map<string, string>();
  for (const [name, content] of readFixture(text).files) {
    files.set(memoryUri(name), content);
    workspace.setDiskText(memoryUri(name), content);
  }
  const read = workspace.environment(memoryFolder)?.files ?? [];
  const inflate = new ChartInflater().begin({
    ...{ folder: memoryFolder, files: read, version: "1.36", values: [] },
    localFolder: (folder) => localFolderAmong(read, folder),
  });
  const built = buildOf(memoryFolder, { files: read, objectsOf: objectsOfFile, inflate });
  assert.ok(built !== undefined);
  return {
    objects: built.objects.map(({ object }) => object.value as Record<string, unknown>),
    generated: built.generated.map(({ kind, namespace, name, keys }) => {
      const where = namespace === "default" ? "" : `${namespace}/`;
      return `${kind} ${where}${name}: ${keys?.join(", ") ?? "?"}`;
    }),
    problems: built.problems.map(({ uri, start, message }) => {
      const line = (files.get(uri) ?? "").slice(0, start).split("\n").length;
      return `${uri.slice(memoryFolder.length + 1)}:${line}: ${message}`;
    }),
  };
}
