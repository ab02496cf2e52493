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
  /** URI of the folder, which is what makes an environment. */
  readonly id: string;
  readonly name: string;
  readonly project: ProjectFile;
  /** What is wrong with the folders that the project file names. */
  readonly folderProblems: readonly ProjectProblem[];
  /** Grows with every change of the environment's files. */
  readonly revision: number;
  /** In code unit order of their URIs. */
  readonly files: readonly WorkspaceFile[];
  /** The same until a kustomization, a patch or what it is for changes, or files come and go. */
  readonly kustomized: Kustomized;
  /** The same until something changes that charts are made of. */
  readonly charts: Charts;
  /** In file order, as kustomizations have made them, and those of charts behind them; objects of templates and patches are left out. */
  readonly objects: readonly WorkspaceObject[];
  /** All places that define an object of that name. */
  readonly byRef: ReadonlyMap<Ref, readonly WorkspaceObject[]>;
  /** What the last commit held of the files that differ from it. */
  readonly committed: ReadonlyMap<Ref, ManifestObject>;
  /** The cluster that runs, where the project file or the command line names files with its objects. */
  readonly imported?: ImportedCluster;
}

/** Whether there is anything to simulate: a cluster that runs can be looked at before anybody writes a manifest for it. */
export function hasCluster({ objects, imported }: Environment): boolean {
  return objects.length > 0 || (imported?.objects.length ?? 0) > 0;
}

/** What the files make of an object: of several of its name the last that is applied. Undefined where they have none. */
export function lastWritten(
  { byRef }: Pick<Environment, "byRef">,
  kind: Kind,
  namespace: string | undefined,
  name: string | undefined,
): WorkspaceObject | undefined {
  return name === undefined ? undefined : byRef.get(makeRef(kind, namespace, name))?.at(-1);
}

/** In the files of an environment; -1 where there is none of that URI. */
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

/** All places that define an object of each name: those in a version that is not served where there is no other. */
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
