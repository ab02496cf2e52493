/**
 * Which version serves a kind that is written in another one: an older version, or a group that the kind has left or never
 * belonged to. Upstream: apimachinery v0.36 pkg/api/meta/errors.go NoKindMatchError, which is what kubectl says of it.
 */
import { groupOf, kindSchema } from "./meta.ts";

/** The snapshot kinds are installed apart from Kubernetes, in versions of their own. */
export const snapshotGroup = "snapshot.storage.k8s.io";

/** Undefined where the kind is served as written, or is one of another project that only has the same name. */
export function servedInstead(apiVersion: string, kind: string): string | undefined {
  const served = kindSchema(kind)?.apiVersion;
  if (served === undefined || served === apiVersion) return undefined;
  const isMeant = isOfSameGroup(apiVersion, served) || isOfWrongGroup(apiVersion, served);
  return isMeant ? served : undefined;
}

/** An older version of the same group, or the group from which the kind has moved. */
export function isOfSameGroup(written: string, served: string): boolean {
  const group = groupOf(written);
  return group === groupOf(served) || (group === "extensions" && groupOf(served) === "apps");
}

function isOfWrongGroup(written: string, served: string): boolean {
  const group = groupOf(written);
  return isKubernetesGroup(group) || groupOf(served).startsWith(`${group}.`);
}

/**
 * Kubernetes' own, or one that nobody can have: the group of a custom resource is a domain with at least one dot. Upstream:
 * apiextensions v1.36 ValidateCustomResourceDefinition.
 */
function isKubernetesGroup(group: string): boolean {
  return !group.includes(".") || /(^|\.)(k8s|kubernetes)\.io$/.test(group);
}
