/** The folders that project files add to their clusters; each belongs to only one cluster, as every file does. */
import { compareText } from "../../../engine/api/go/text-order.ts";
import type { ProjectFile, ProjectProblem } from "../../project/project-file.ts";
import { decoded, isBelow, resolveUri } from "./uri.ts";

export interface JoinedFolders {
  /** By added folder (decoded), the folder of the project file that adds it. */
  readonly hosts: ReadonlyMap<string, string>;
  /** By folder of a project file, the problems of the folders that it names. */
  readonly problems: ReadonlyMap<string, readonly ProjectProblem[]>;
}

/**
 * `open` are the workspace's folders: nothing is read outside them. If several project files name a folder, the first one by
 * path gets it.
 */
export function joinedFolders(
  projects: ReadonlyMap<string, ProjectFile>,
  open: readonly string[],
): JoinedFolders {
  const hosts = new Map<string, string>();
  const around: Around = {
    projects: new Set([...projects.keys()].map(decoded)),
    open: open.map(decoded),
  };
  const problems = new Map<string, ProjectProblem[]>();
  for (const [folder, project] of [...projects].sort(([a], [b]) => compareText(a, b))) {
    const wrong: ProjectProblem[] = [];
    for (const { path, folder: named } of project.folders) {
      const uri = decoded(resolveUri(folder, named));
      const isTaken = (hosts.get(uri) ?? folder) !== folder;
      const why = isTaken
        ? "is in the cluster of another claimcheck.yaml already"
        : obstacle(uri, decoded(folder), around);
      if (why === undefined) hosts.set(uri, folder);
      else wrong.push({ path, message: `“${named}” ${why}` });
    }
    if (wrong.length > 0) problems.set(folder, wrong);
  }
  return { hosts, problems };
}

/** Folders with project files, and the open ones; decoded, because programs differ in what they encode. */
interface Around {
  readonly projects: ReadonlySet<string>;
  readonly open: readonly string[];
}

/** Why the project file in `folder` cannot add the folder at `uri`; undefined if it can. */
function obstacle(uri: string, folder: string, { projects, open }: Around): string | undefined {
  if (uri === folder || isBelow(uri, folder)) return "is in this cluster anyway";
  if (isBelow(folder, uri)) return "holds this file itself; move the file there";
  if (projects.has(uri)) return "has a claimcheck.yaml, which makes it a cluster of its own";
  const isOpen = open.some((one) => uri === one || isBelow(uri, one));
  return isOpen ? undefined : "is in no folder that is open here, and is not read";
}
