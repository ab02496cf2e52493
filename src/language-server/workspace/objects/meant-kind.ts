/** Guesses which kind of a Kubernetes API group is meant by an unknown one. */
import { kindSchemas } from "../../../engine/api/schema.ts";
import { kindOfResource } from "../../events/resource-names.ts";
import { nearestName } from "../../nearest-name.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";

/** Undefined for kinds that may exist: Kubernetes has more than those related to storage. */
export function meantKind({ apiVersion, kind, served }: ManifestObject): string | undefined {
  return served ? undefined : kindNear(apiVersion, kind);
}

/** For a kind that is not served; undefined if none is near. */
export function kindNear(apiVersion: string, kind: string): string | undefined {
  const kinds = kindsOf(apiVersion);
  if (kinds.length === 0) return undefined;
  const resource = kindOfResource(kind);
  if (resource === kind) return undefined;
  return resource !== undefined && kinds.includes(resource) ? resource : nearestName(kind, kinds);
}

function kindsOf(apiVersion: string): readonly string[] {
  return kindSchemas
    .filter((schema) => schema.apiVersion === apiVersion)
    .map((schema) => schema.kind);
}
