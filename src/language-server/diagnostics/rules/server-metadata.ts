/** Metadata that only the server writes, left over from `kubectl get -o yaml`. */
import { own } from "../../own.ts";
import { underlineKey } from "../../yaml/locate.ts";
import { isRecord } from "../../yaml/manifest.ts";
import { type DocumentRule, documentPath } from "../rule.ts";

const serverOwned: readonly string[] = [
  "uid",
  "resourceVersion",
  "generation",
  "managedFields",
  "selfLink",
];

/** Upstream: apimachinery pkg/api/validation/objectmeta.go ValidateObjectMetaAccessorUpdate v1.36, registry/rest BeforeCreate. */
const messages: Readonly<Record<string, string>> = {
  uid: "Server-owned; creation ignores it, but updates are refused if the object in the cluster has another uid",
  resourceVersion:
    "Server-owned; a resourceVersion makes updates conflict, and creation fail with other clients than kubectl",
};

export const serverMetadata: DocumentRule = {
  id: "server-metadata",
  severity: "warning",
  scope: "document",
  *check({ yaml, objects }) {
    for (const object of objects) {
      const metadata = object.value["metadata"];
      if (object.ref === undefined || !isRecord(metadata)) continue;
      for (const field of serverOwned) {
        if (metadata[field] === undefined || metadata[field] === null) continue;
        const message = own(messages, field) ?? "Server-owned; the server ignores or replaces it";
        const path = documentPath(object, ["metadata", field]);
        const fix = { title: `Remove ${field}`, path, value: null };
        yield { ...underlineKey(yaml, path), message, fix };
      }
    }
  },
};
