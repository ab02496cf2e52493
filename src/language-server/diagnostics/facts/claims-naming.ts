/** The claims that name a volume in spec.volumeName. */
import { push } from "../../../engine/api/go/multi-map.ts";
import type { Environment } from "../../workspace/environment.ts";
import { textAt } from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";

/** In file order; empty if there is none. */
export function claimsNaming(
  { objects }: Environment,
  volumeName: string,
): readonly WorkspaceObject[] {
  const known = recent.get(objects) ?? byVolumeName(objects);
  recent.set(objects, known);
  return known.get(volumeName) ?? [];
}

type ByVolumeName = ReadonlyMap<string, readonly WorkspaceObject[]>;

const recent = new WeakMap<readonly WorkspaceObject[], ByVolumeName>();

function byVolumeName(objects: readonly WorkspaceObject[]): ByVolumeName {
  const found = new Map<string, WorkspaceObject[]>();
  for (const entry of objects) {
    const { kind, served, value } = entry.object;
    const name = textAt(value, "spec", "volumeName") ?? "";
    if (kind === "PersistentVolumeClaim" && served && name !== "") push(found, name, entry);
  }
  return found;
}
