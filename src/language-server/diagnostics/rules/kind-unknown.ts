/** A kind that its version of a Kubernetes group does not have, written nearly as one that it has. */
import { kindSchemas } from "../../../engine/api/schema.ts";
import { kindOfResource } from "../../events/resource-names.ts";
import { nearestName } from "../../nearest-name.ts";
import { underline } from "../../yaml/locate.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import { type DocumentRule, documentPath } from "../rule.ts";

export const kindUnknown: DocumentRule = {
  id: "kind-unknown",
  severity: "error",
  scope: "document",
  keepsOut: true,
  *check({ yaml, objects }) {
    for (const object of objects) {
      const meant = meantKind(object);
      if (meant === undefined) continue;
      const { apiVersion, kind } = object;
      const message = `no matches for kind "${kind}" in version "${apiVersion}"`;
      yield { ...underline(yaml, documentPath(object, ["kind"])), message, meant };
    }
  },
};

/** Undefined for kinds that there may be: Kubernetes has more than those that have to do with storage. */
function meantKind({ apiVersion, kind, served }: ManifestObject): string | undefined {
  const kinds = kindsOf(apiVersion);
  if (served || kinds.length === 0) return undefined;
  const resource = kindOfResource(kind);
  if (resource === kind) return undefined;
  return resource !== undefined && kinds.includes(resource) ? resource : nearestName(kind, kinds);
}

function kindsOf(apiVersion: string): readonly string[] {
  return kindSchemas
    .filter((schema) => schema.apiVersion === apiVersion)
    .map((schema) => schema.kind);
}
