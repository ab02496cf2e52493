/** How many pods an object makes, and where they may run. */
import { own } from "../../own.ts";
import {
  fieldsAt,
  itemsOf,
  oncePerObject,
  podSpecOf,
  textAt,
} from "../../workspace/manifest-fields.ts";
import { isRecord, type ManifestObject } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";

export interface PodCount {
  readonly count: number;
  /** The field that says so; undefined where its default does. */
  readonly path?: Path;
}

const countFields: Readonly<Record<string, readonly string[]>> = {
  Deployment: ["spec", "replicas"],
  ReplicaSet: ["spec", "replicas"],
  ReplicationController: ["spec", "replicas"],
  StatefulSet: ["spec", "replicas"],
  Job: ["spec", "parallelism"],
  CronJob: ["spec", "jobTemplate", "spec", "parallelism"],
};

/** Pods that run at the same time; one for each node of a DaemonSet is not counted. */
export function podCountOf({ kind, value }: ManifestObject): PodCount {
  const path = own(countFields, kind);
  if (path === undefined) return { count: 1 };
  const parent = fieldsAt(value, ...path.slice(0, -1));
  const given = parent[path.at(-1) ?? ""];
  const count = typeof given === "number" ? given : 1;
  const { completions } = parent;
  const needed = typeof completions === "number" ? Math.min(count, completions) : count;
  return given === undefined ? { count: needed } : { count: needed, path };
}

const hostname = "kubernetes.io/hostname";

/** Whether all pods of an object end up on one node. */
export function isPinnedToNode(object: ManifestObject): boolean {
  const spec = podSpecOf(object)?.fields ?? {};
  if (textAt(spec, "nodeName") !== undefined) return true;
  if (fieldsAt(spec, "nodeSelector")[hostname] !== undefined) return true;
  const affinity = fieldsAt(spec, "affinity");
  const required = "requiredDuringSchedulingIgnoredDuringExecution";
  const together = itemsOf(fieldsAt(affinity, "podAffinity")[required], []);
  if (together.some(({ fields }) => fields["topologyKey"] === hostname)) return true;
  const terms = fieldsAt(affinity, "nodeAffinity", required)["nodeSelectorTerms"];
  const [term, ...others] = itemsOf(terms, []);
  if (term === undefined || others.length > 0) return false;
  return itemsOf(term.fields["matchExpressions"], []).some(
    ({ fields: { key, operator, values } }) =>
      key === hostname && operator === "In" && Array.isArray(values) && values.length === 1,
  );
}

/** Made by another object, which speaks for it. */
export const isOwned: (object: ManifestObject) => boolean = oncePerObject(({ value }) => {
  const owners = fieldsAt(value, "metadata")["ownerReferences"];
  return Array.isArray(owners) && owners.some(isRecord);
});
