/** Where the pods of an object may run, and whether another object made it. */
import { hostnameLabel } from "../../../engine/api/well-known-labels.ts";
import {
  fieldsAt,
  itemsOf,
  oncePerObject,
  podSpecOf,
  textAt,
} from "../../workspace/manifest-fields.ts";
import { isRecord, type ManifestObject } from "../../yaml/manifest.ts";

/** True if all pods of the object run on one node. */
export function isPinnedToNode(object: ManifestObject): boolean {
  const spec = podSpecOf(object)?.fields ?? {};
  if (textAt(spec, "nodeName") !== undefined) return true;
  if (fieldsAt(spec, "nodeSelector")[hostnameLabel] !== undefined) return true;
  const affinity = fieldsAt(spec, "affinity");
  const required = "requiredDuringSchedulingIgnoredDuringExecution";
  const together = itemsOf(fieldsAt(affinity, "podAffinity")[required], []);
  if (together.some(({ fields }) => fields["topologyKey"] === hostnameLabel)) return true;
  const terms = fieldsAt(affinity, "nodeAffinity", required)["nodeSelectorTerms"];
  const [term, ...others] = itemsOf(terms, []);
  if (term === undefined || others.length > 0) return false;
  return itemsOf(term.fields["matchExpressions"], []).some(
    ({ fields: { key, operator, values } }) =>
      key === hostnameLabel && operator === "In" && Array.isArray(values) && values.length === 1,
  );
}

/** True if another object made it: findings go to that one. */
export const isOwned: (object: ManifestObject) => boolean = oncePerObject(({ value }) => {
  const owners = fieldsAt(value, "metadata")["ownerReferences"];
  return Array.isArray(owners) && owners.some(isRecord);
});
