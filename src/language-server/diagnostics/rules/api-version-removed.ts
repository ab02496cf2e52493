/** Known kinds in a version or group that the API server does not serve. Kinds of other projects are left alone. */
import { servesKind } from "../../../engine/api/decoding/later-fields.ts";
import { groupOf } from "../../../engine/api/meta.ts";
import { isOfSameGroup, servedInstead, snapshotGroup } from "../../../engine/api/served-instead.ts";
import { underline } from "../../yaml/locate.ts";
import { type DocumentRule, documentPath } from "../rule.ts";

export const apiVersionRemoved: DocumentRule = servedRule(
  "api-version-removed",
  (written, served) => isOfSameGroup(written, served) && groupOf(served) !== snapshotGroup,
  (served) => `; it is served as ${served}`,
);

/** The snapshot kinds are installed separately from Kubernetes and have their own versions. */
export const snapshotBetaVersion: DocumentRule = servedRule(
  "snapshot-beta-version",
  (written, served) => isOfSameGroup(written, served) && groupOf(served) === snapshotGroup,
  (served) => `: the version is no longer served; use ${served}`,
);

export const kindWrongGroup: DocumentRule = servedRule(
  "kind-wrong-group",
  (written, served) => !isOfSameGroup(written, served),
  (served) => `; it belongs to ${served}`,
);

/** No fix: its empty selector means no pod in v1beta1, but every pod in v1. */
const changedKind = "PodDisruptionBudget";

/** No fix: its fields have other names. */
const alphaSnapshots = `${snapshotGroup}/v1alpha1`;

/** A rule on kinds that are served in another version than the written one, if `matches` accepts both. */
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
    *check({ yaml, objects }, { version }) {
      for (const object of objects) {
        const { apiVersion, kind } = object;
        const served = servedInstead(apiVersion, kind);
        if (served === undefined || !matches(apiVersion, served)) continue;
        const path = documentPath(object, ["apiVersion"]);
        const isServed = servesKind(kind, version);
        const later = isServed ? "" : `, but not by Kubernetes ${version}`;
        yield {
          ...underline(yaml, path),
          message: `no matches for kind "${kind}" in version "${apiVersion}"${advice(served)}${later}`,
          ...(isServed &&
            kind !== changedKind &&
            apiVersion !== alphaSnapshots && {
              fix: { title: `Change to ${served}`, path, value: served },
            }),
        };
      }
    },
  };
}
