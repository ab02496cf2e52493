/**
 * What the clusters of the workspace's folders have. A text outside all folders, such as an unsaved one, is judged by itself,
 * but may be meant for one of these clusters.
 */
import { isKind } from "../../engine/api/meta.ts";
import type { Answers } from "../diagnostics/question.ts";
import type { ServiceState } from "../service-state.ts";
import type { Environment } from "../workspace/environment.ts";
import { isBelow } from "../workspace/files/uri.ts";

export function folderAnswers(state: ServiceState, environment: Environment): Answers {
  const { folders } = state.workspace;
  const isInFolder = ({ id }: Environment): boolean =>
    folders.some((folder) => id === folder || isBelow(id, folder));
  if (folders.length === 0 || isInFolder(environment)) return () => false;
  const known = state
    .environments()
    .filter(isInFolder)
    .map((other) => state.analysis(other).names);
  return (question) => {
    const [, kind = "", name = ""] = /^object (\S+) (.+)$/.exec(question) ?? [];
    if (isKind(kind)) return known.some((names) => names.names(kind).includes(name));
    const carried = /^volume of class (.+)$/.exec(question)?.[1];
    return carried !== undefined && known.some((names) => names.isCarriedClass(carried));
  };
}
