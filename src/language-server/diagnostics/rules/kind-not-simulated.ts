/** Storage kinds that Kubernetes' own components act on, but that are not simulated. */
import { underline } from "../../yaml/locate.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import { type DocumentRule, documentPath } from "../rule.ts";

export const kindNotSimulated: DocumentRule = {
  id: "kind-not-simulated",
  severity: "information",
  scope: "document",
  *check({ yaml, objects }) {
    for (const object of objects) {
      if (!isOfGroupSnapshots(object)) continue;
      const message = `A ${object.kind} is not simulated: neither it nor the snapshots that groups create are judged`;
      yield { ...underline(yaml, documentPath(object, ["kind"])), message };
    }
  },
};

export function isOfGroupSnapshots({ apiVersion }: ManifestObject): boolean {
  return apiVersion.startsWith("groupsnapshot.storage.k8s.io/");
}
