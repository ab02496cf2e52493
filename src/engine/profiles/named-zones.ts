/**
 * Zones and regions that the manifests name. Those of a profile's machines are made up, so the zones that a class, a volume or
 * a pod requires are those of the real cluster.
 */
import { regionLabel, zoneLabel } from "../api/well-known-labels.ts";
import type { Manifest, NodeProfile } from "../scenario.ts";
import { field, isRecord, podSpec, text } from "./clues.ts";

/** Each once, in the order in which the manifests name them. */
export interface NamedZones {
  readonly zones: readonly string[];
  readonly regions: readonly string[];
}

/** Matches the stable labels, the beta labels and the drivers' own. */
const zoneKey = /\/zone$/;
const regionKey = /\/region$/;
/** More than any region has: a folder of examples may name the zones of all regions. */
const zoneCountMax = 16;

export function namedZones(objects: readonly Manifest[]): NamedZones {
  const zones = new Set<string>();
  const regions = new Set<string>();
  for (const object of objects)
    for (const [key, value] of askedLabels(object)) {
      // A disk in two zones has both in one value.
      const values = value.split("__").filter((one) => /^[\w.-]+$/.test(one));
      if (zoneKey.test(key)) for (const zone of values) zones.add(zone);
      if (regionKey.test(key)) for (const region of values) regions.add(region);
    }
  return { zones: [...zones].slice(0, zoneCountMax), regions: [...regions].slice(0, zoneCountMax) };
}

type Label = readonly [key: string, value: string];

/** Returns the node labels that an object requires or prefers; each may be one of several alternatives. */
function askedLabels(object: Manifest): readonly Label[] {
  switch (object["kind"]) {
    case "StorageClass":
      return [
        ...recordsOf(object["allowedTopologies"]).flatMap((term) =>
          ofExpressions(term["matchLabelExpressions"]),
        ),
        ...ofParameters(object),
      ];
    case "PersistentVolume":
      return ofTerms(field(object, "spec", "nodeAffinity", "required"));
    default: {
      const pod = podSpec(object);
      const affinity = field(pod, "affinity", "nodeAffinity");
      const preferred = field(affinity, "preferredDuringSchedulingIgnoredDuringExecution");
      return [
        ...ofMap(field(pod, "nodeSelector")),
        ...ofTerms(field(affinity, "requiredDuringSchedulingIgnoredDuringExecution")),
        ...recordsOf(preferred).flatMap(({ preference }) =>
          ofExpressions(field(preference, "matchExpressions")),
        ),
      ];
    }
  }
}

/** In-tree plugins accept zones in their parameters. Upstream: csi-translation-lib plugins/{aws_ebs,azure_disk,gce_pd}.go. */
function ofParameters({ provisioner, parameters }: Manifest): readonly Label[] {
  if (!/^kubernetes\.io\/(?:aws-ebs|azure-disk|gce-pd)$/.test(text(provisioner))) return [];
  return ofMap(parameters).flatMap(([key, value]) =>
    /^zones?$/i.test(key) ? value.split(",").map((zone): Label => [zoneLabel, zone]) : [],
  );
}

function ofTerms(selector: unknown): readonly Label[] {
  return recordsOf(field(selector, "nodeSelectorTerms")).flatMap((term) =>
    ofExpressions(term["matchExpressions"]),
  );
}

function ofExpressions(expressions: unknown): readonly Label[] {
  return recordsOf(expressions).flatMap(({ key, operator = "In", values }) =>
    operator === "In" && Array.isArray(values)
      ? values.map((value): Label => [text(key), text(value)])
      : [],
  );
}

function ofMap(labels: unknown): readonly Label[] {
  return isRecord(labels) ? Object.entries(labels).map(([key, value]) => [key, text(value)]) : [];
}

function recordsOf(value: unknown): readonly Manifest[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/**
 * Moves the machines to these zones. All of them move to the named region, or to that of the first zone; zones still missing
 * replace those that no manifest names, and further zones get a machine of their own. Machines without a zone stay unchanged.
 */
export function withNamedZones(
  nodes: readonly NodeProfile[],
  { zones, regions }: NamedZones,
): readonly NodeProfile[] {
  const [first] = nodes;
  if (first?.zone === undefined || (zones.length === 0 && regions.length === 0)) return nodes;
  const usual = first.labels?.[regionLabel];
  // The suffix after the region has the length of the usual one: eu-west-1 in eu-west-1a, westeurope in westeurope-1.
  const suffixLength = usual === undefined ? 0 : first.zone.length - usual.length;
  const regionOf = (zone: string): string | undefined =>
    regions.find((region) => zone.startsWith(region)) ??
    (usual === undefined ? regions[0] : zone.slice(0, -suffixLength));
  const [named] = zones;
  const home = regions[0] ?? (named === undefined ? usual : regionOf(named));
  const place = (node: NodeProfile, zone: string, region: string | undefined): NodeProfile => ({
    ...node,
    zone,
    labels: {
      ...node.labels,
      [zoneLabel]: zone,
      ...(region !== undefined && { [regionLabel]: region }),
    },
  });
  const zoneIn = (region: string | undefined, { zone = "" }: NodeProfile): string =>
    usual === undefined || region === undefined ? zone : region + zone.slice(-suffixLength);
  const placed = nodes.map((node) => place(node, zoneIn(home, node), home));
  const isSpare = ({ zone = "", labels }: NodeProfile): boolean =>
    !zones.includes(zone) && (labels?.[regionLabel] === home || usual === undefined);
  const put = (zone: (like: NodeProfile) => string, region: string | undefined): void => {
    const at = placed.findIndex(isSpare);
    const like = placed[at] ?? first;
    if (at >= 0) placed[at] = place(like, zone(like), region);
    else placed.push(place(withNumber(like, placed.length + 1), zone(like), region));
  };
  for (const zone of zones)
    if (!placed.some((node) => node.zone === zone)) put(() => zone, regionOf(zone));
  for (const region of regions)
    if (!placed.some(({ labels }) => labels?.[regionLabel] === region))
      put((like) => zoneIn(region, like), region);
  return placed;
}

function withNumber(node: NodeProfile, number: number): NodeProfile {
  return { ...node, name: node.name.replace(/\d+$/, String(number)) };
}
