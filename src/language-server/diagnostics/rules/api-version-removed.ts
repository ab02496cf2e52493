/** A kind in a version or group that the API server does not serve. Kinds of other projects are none of our business. */
import { kindSchema } from "../../../engine/api/meta.ts";
import { underline } from "../../yaml/locate.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import { type DocumentRule, documentPath } from "../rule.ts";

export const apiVersionRemoved: DocumentRule = servedRule(
  "api-version-removed",
  (written, served) => sameGroupFamily(written, served) && groupOf(served) !== snapshotGroup,
  (served) => `; it is served as ${served}`,
);

/** The snapshot kinds are installed apart from Kubernetes, in versions of their own. */
export const snapshotBetaVersion: DocumentRule = servedRule(
  "snapshot-beta-version",
  (written, served) => groupOf(served) === snapshotGroup && groupOf(written) === snapshotGroup,
  (served) => `: the version is no longer served; use ${served}`,
);

export const kindWrongGroup: DocumentRule = servedRule(
  "kind-wrong-group",
  (written, served) =>
    !sameGroupFamily(written, served) &&
    (isKubernetesGroup(groupOf(written)) || groupOf(served).startsWith(`${groupOf(written)}.`)),
  (served) => `; it belongs to ${served}`,
);

const snapshotGroup = "snapshot.storage.k8s.io";

/** Its empty selector means no pod in v1beta1 and every pod in v1: somebody has to look. */
const changedKind = "PodDisruptionBudget";

/** On kinds that are served in another version than the one written, where `matches` says that it is about both. */
function servedRule(
  id: string,
  matches: (written: string, served: string) => boolean,
  advice: (served: string) => string,
): DocumentRule {
  return {
    id,
    severity: "error",
    scope: "document",
    keepsOut: true,
    *check({ yaml, objects }) {
      for (const object of objects) {
        const { apiVersion, kind } = object;
        const served = servedInstead(object);
        if (served === undefined || !matches(apiVersion, served)) continue;
        const path = documentPath(object, ["apiVersion"]);
        yield {
          ...underline(yaml, path),
          message: `no matches for kind "${kind}" in version "${apiVersion}"${advice(served)}`,
          ...(kind !== changedKind && {
            fix: { title: `Change to ${served}`, path, value: served },
          }),
        };
      }
    },
  };
}

/** The version that serves the kind, where it is not the one written. */
function servedInstead({ apiVersion, kind }: ManifestObject): string | undefined {
  const served = kindSchema(kind)?.apiVersion;
  return served === apiVersion ? undefined : served;
}

/** An older version of the same group, or the group from which the kind has moved. */
function sameGroupFamily(written: string, served: string): boolean {
  const group = groupOf(written);
  return group === groupOf(served) || (group === "extensions" && groupOf(served) === "apps");
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}

/**
 * Kubernetes' own, or one that nobody can have: the group of a custom resource is a domain with at least one dot. Upstream:
 * apiextensions v1.36 ValidateCustomResourceDefinition.
 */
function isKubernetesGroup(group: string): boolean {
  return !group.includes(".") || /(^|\.)(k8s|kubernetes)\.io$/.test(group);
}
