/**
 * The version that serves a kind which a manifest gives in an older version, or in a group that the kind has left or never
 * belonged to. Upstream: apimachinery v0.36 pkg/api/meta/errors.go NoKindMatchError, kubectl's error for such a manifest.
 */
import { groupOf, kindSchema } from "./meta.ts";

/** The snapshot kinds are installed separately from Kubernetes and have versions of their own. */
export const snapshotGroup = "snapshot.storage.k8s.io";

/** Undefined if the kind is served as written, or if another project has a kind of the same name. */
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
 * True for Kubernetes' own groups, and for those that no custom resource can have: theirs are domains with at least one dot.
 * Upstream: apiextensions v1.36 ValidateCustomResourceDefinition.
 */
function isKubernetesGroup(group: string): boolean {
  return !group.includes(".") || /(^|\.)(k8s|kubernetes)\.io$/.test(group);
}
