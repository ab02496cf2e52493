/** Metadata that only the server writes, left over from `kubectl get -o yaml`. */
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
        const message =
          field === "resourceVersion"
            ? "Server-owned; a resourceVersion makes updates conflict, and creation fail with other clients than kubectl"
            : "Server-owned; the server ignores or replaces it";
        const path = documentPath(object, ["metadata", field]);
        const fix = { title: `Remove ${field}`, path, value: null };
        yield { ...underlineKey(yaml, path), message, fix };
      }
    }
  },
};
