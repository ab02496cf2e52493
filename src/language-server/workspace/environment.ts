/** The files that describe one cluster, and its objects. */
import { push } from "../../engine/api/go/multi-map.ts";
import { compareText } from "../../engine/api/go/text-order.ts";
import { type Kind, makeRef, type Ref } from "../../engine/api/meta.ts";
import type { ProjectFile, ProjectProblem } from "../project/project-file.ts";
import type { ManifestObject } from "../yaml/manifest.ts";
import type { Charts } from "./charts.ts";
import type { ImportedCluster } from "./imports/cluster-imports.ts";
import type { Kustomized } from "./kustomize.ts";
import type { WorkspaceFile, WorkspaceObject } from "./workspace-object.ts";

export interface Environment {
  /** URI of its folder. */
  readonly id: string;
  readonly name: string;
  readonly project: ProjectFile;
  /** Problems of the folders that the project file names. */
  readonly folderProblems: readonly ProjectProblem[];
  /** Increases with every change of the environment's files. */
  readonly revision: number;
  /** Sorted by URI in code unit order. */
  readonly files: readonly WorkspaceFile[];
  /** The same object until a kustomization, a patch or a patched object changes, or files are added or removed. */
  readonly kustomized: Kustomized;
  /** The same object until something that charts are rendered from changes. */
  readonly charts: Charts;
  /** In file order, as kustomizations build them, followed by those of charts; without objects in templates and patches. */
  readonly objects: readonly WorkspaceObject[];
  /** All definitions of an object of that name. */
  readonly byRef: ReadonlyMap<Ref, readonly WorkspaceObject[]>;
  /** What the last commit contained of files that differ from it. */
  readonly committed: ReadonlyMap<Ref, ManifestObject>;
  /** The running cluster, if the project file or the command line names files with its objects. */
  readonly imported?: ImportedCluster;
}

/** True if there is anything to simulate: an imported cluster can be explored before any manifest is written. */
export function hasCluster({ objects, imported }: Environment): boolean {
  return objects.length > 0 || (imported?.objects.length ?? 0) > 0;
}

/** The object as files define it, the last applied one of several; undefined if no file does. */
export function lastWritten(
  { byRef }: Pick<Environment, "byRef">,
  kind: Kind,
  namespace: string | undefined,
  name: string | undefined,
): WorkspaceObject | undefined {
  return name === undefined ? undefined : byRef.get(makeRef(kind, namespace, name))?.at(-1);
}

/** Index of a file by its URI; -1 if there is none. */
export function indexOfFile(files: readonly WorkspaceFile[], uri: string): number {
  let low = 0;
  let high = files.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareText(files[middle]?.uri ?? "", uri) < 0) low = middle + 1;
    else high = middle;
  }
  return files[low]?.uri === uri ? low : -1;
}

/** All definitions by name; those in a version that is not served only count if there is no other. */
export function objectsByRef(
  objects: readonly WorkspaceObject[],
): ReadonlyMap<Ref, readonly WorkspaceObject[]> {
  const map = new Map<Ref, WorkspaceObject[]>();
  const refused: (readonly [Ref, WorkspaceObject])[] = [];
  for (const entry of objects) {
    const { ref, served } = entry.object;
    if (ref === undefined) continue;
    if (served) push(map, ref, entry);
    else refused.push([ref, entry]);
  }
  for (const [ref, entry] of refused)
    if (map.get(ref)?.[0]?.object.served !== true) push(map, ref, entry);
  return map;
}
