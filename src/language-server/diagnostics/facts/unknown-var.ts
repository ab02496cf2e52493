/** True for a name with a kustomize variable whose value is unknown, such as one from a map made of an unread file. */
import type { Environment } from "../../workspace/environment.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";

export function hasUnknownVar(
  { kustomized }: Environment,
  entry: WorkspaceObject,
  name: string,
): boolean {
  return name.includes("$(") && kustomized.lacksPatch(entry);
}
