/** A name that kustomize puts together of a value that is not known here: a map made of a file that is not read has it. */
import type { Environment } from "../../workspace/environment.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";

export function hasUnknownVar(
  { kustomized }: Environment,
  entry: WorkspaceObject,
  name: string,
): boolean {
  return name.includes("$(") && kustomized.lacksPatch(entry);
}
