/** A kind that its version of a Kubernetes group does not have, written nearly as one that it has. */
import { meantKind } from "../../workspace/meant-kind.ts";
import { underline } from "../../yaml/locate.ts";
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
