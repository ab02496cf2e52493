/**
 * Hosts that the manifests' volumes are on, or that classes may place volumes on. A profile's machine names are made up, so any
 * other name is that of a machine of the real cluster.
 */

import { checkSubdomain } from "../api/names/names.ts";
import { hostnameLabel, zoneLabel } from "../api/well-known-labels.ts";
import type { Manifest, NodeProfile } from "../scenario.ts";
import { field, isRecord, text } from "./clues.ts";

/** The labels that each host needs, by its name. */
export type NamedHosts = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** Returns the hosts that PersistentVolumes and classes name. Names that no machine can have are left out. */
export function namedHosts(objects: readonly Manifest[]): NamedHosts {
  const hosts = new Map<string, Record<string, string>>();
  for (const object of objects) {
    for (const expressions of placesOf(object)) {
      const wanted = expressions.flatMap((expression) => {
        const { operator = "In" } = expression;
        const values = operator === "In" ? expression["values"] : undefined;
        const names = Array.isArray(values) ? values.map(text).filter((name) => name !== "") : [];
        return names.length === 0 ? [] : [[text(expression["key"]), names] as const];
      });
      const given = wanted.find(([key]) => key === hostnameLabel)?.[1] ?? [];
      const names = given.filter((name) => checkSubdomain(name).length === 0);
      const labels = wanted
        .filter(([key]) => key !== hostnameLabel)
        .map(([key, [first = ""]]) => [key, first] as const);
      for (const name of names)
        hosts.set(name, { ...hosts.get(name), ...Object.fromEntries(labels) });
    }
  }
  return hosts;
}

/** Returns the requirements on a node's labels, one list for each alternative. */
function placesOf(object: Manifest): readonly (readonly Manifest[])[] {
  switch (object["kind"]) {
    case "PersistentVolume":
      return listOf(field(object, "spec", "nodeAffinity", "required", "nodeSelectorTerms")).map(
        (term) => listOf(term["matchExpressions"]),
      );
    case "StorageClass":
      return listOf(object["allowedTopologies"]).map((term) =>
        listOf(term["matchLabelExpressions"]),
      );
    default:
      return [];
  }
}

function listOf(value: unknown): readonly Manifest[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Renames machines that no volume names to the hosts; if there are more hosts, adds copies of machines. */
export function withNamedHosts(
  nodes: readonly NodeProfile[],
  hosts: NamedHosts,
): readonly NodeProfile[] {
  const known = new Set(nodes.map(({ name }) => name));
  const missing = [...hosts].filter(([name]) => !known.has(name));
  const placed = nodes.map((node) => {
    if (hosts.has(node.name)) return node;
    const next = missing.shift();
    return next === undefined ? node : asHost(node, ...next);
  });
  const more = missing.flatMap(([name, labels], index) => {
    const like = nodes[index % nodes.length];
    return like === undefined ? [] : [asHost(like, name, labels)];
  });
  return [...placed, ...more];
}

function asHost(
  like: NodeProfile,
  name: string,
  labels: Readonly<Record<string, string>>,
): NodeProfile {
  const zone = labels[zoneLabel] ?? like.zone;
  return {
    ...like,
    name,
    labels: { ...like.labels, ...labels },
    ...(zone !== undefined && { zone }),
  };
}
