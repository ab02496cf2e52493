/** A kind in a version or group that the API server does not serve. Kinds of other projects are none of our business. */
import { groupOf } from "../../../engine/api/meta.ts";
import { isOfSameGroup, servedInstead, snapshotGroup } from "../../../engine/api/served-instead.ts";
import { underline } from "../../yaml/locate.ts";
import { type DocumentRule, documentPath } from "../rule.ts";

export const apiVersionRemoved: DocumentRule = servedRule(
  "api-version-removed",
  (written, served) => isOfSameGroup(written, served) && groupOf(served) !== snapshotGroup,
  (served) => `; it is served as ${served}`,
);

/** The snapshot kinds are installed apart from Kubernetes, in versions of their own. */
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
        const served = servedInstead(apiVersion, kind);
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
