/**
 * Keeps pods in the zone and region that the labels of their volumes name.
 * Upstream: kube-scheduler v1.36 plugins/volumezone/volume_zone.go.
 */

import { compareText } from "../../api/go/text-order.ts";
import { makeKey, makeRef } from "../../api/meta.ts";
import type { Node, PersistentVolume, Pod, StorageClass } from "../../api/types.ts";
import {
  betaRegionLabel,
  betaZoneLabel,
  regionLabel,
  zoneLabel,
} from "../../api/well-known-labels.ts";
import { bindingMode } from "../../matching/storage-class.ts";
import type { PodInfo } from "../cache/pod-info.ts";
import { eventObject } from "../framework/cluster-event.ts";
import {
  hint,
  type Plugin,
  type PreFilterResult,
  type Rejection,
  skip,
} from "../framework/plugin.ts";
import type { VolumeCaches } from "../volume/volume-caches.ts";

/** The current name of each beta label. */
const currentNames: Readonly<Record<string, string>> = {
  [betaZoneLabel]: zoneLabel,
  [betaRegionLabel]: regionLabel,
};

const topologyLabels: readonly string[] = [
  ...Object.keys(currentNames),
  ...Object.values(currentNames),
];

interface VolumeTopology {
  readonly volume: string;
  readonly key: string;
  readonly values: ReadonlySet<string>;
}

/** The volume's zone and region labels, without those whose list has an empty value. */
function topologiesOf(volume: PersistentVolume): readonly VolumeTopology[] {
  return topologyLabels.flatMap((key) => {
    const values = volume.metadata.labels?.[key]?.split("__").map((part) => part.trim());
    if (values === undefined || values.includes("")) return [];
    return [{ volume: volume.metadata.name, key, values: new Set(values) }];
  });
}

/** The topologies as text, equal for the same zones and regions in any order. */
function topologiesText(volume: PersistentVolume | undefined): string {
  if (volume === undefined) return "";
  const texts = topologiesOf(volume).map(({ key, values }) =>
    [key, ...[...values].toSorted(compareText)].join(),
  );
  return texts.join("\n");
}

function isIn(topology: VolumeTopology, { metadata: { labels } }: Node): boolean {
  const value = labels?.[topology.key] ?? labels?.[currentNames[topology.key] ?? ""];
  return value !== undefined && topology.values.has(value);
}

function hasTopology({ metadata: { labels } }: Node): boolean {
  return topologyLabels.some((key) => labels?.[key] !== undefined);
}

function rejectionFor({ volume, key, values }: VolumeTopology, node: Node): Rejection {
  return {
    plugin: "VolumeZone",
    unresolvable: true,
    reasons: ["node(s) had no available volume zone"],
    explain: () => [
      {
        rule: "volume-zone",
        wanted: `${key} ${[...values].join(" or ")}, where ${volume} is`,
        wantedField: "metadata.labels",
        volume: makeRef("PersistentVolume", undefined, volume),
        found: node.metadata.labels?.[key] ?? "no such label",
        foundField: "metadata.labels",
      },
    ],
  };
}

/** Returns the topologies of the pod's bound volumes, or the reason why no node can take the pod. */
function podTopologies(
  pod: Pod,
  caches: VolumeCaches,
  classOf: (name: string) => StorageClass | undefined,
): readonly VolumeTopology[] | string {
  const topologies: VolumeTopology[] = [];
  for (const { persistentVolumeClaim } of pod.spec.volumes ?? []) {
    if (persistentVolumeClaim === undefined) continue;
    const { claimName } = persistentVolumeClaim;
    const claim = caches.claim(makeKey(pod.metadata.namespace, claimName));
    if (claim === undefined) return `persistentvolumeclaim "${claimName}" not found`;
    const volumeName = claim.spec.volumeName ?? "";
    if (volumeName === "") {
      const mode = bindingMode(claim, classOf);
      if (mode.ok && mode.delayed) continue;
      return "PersistentVolume had no name";
    }
    const volume = caches.volume(volumeName);
    if (volume === undefined) return `persistentvolume "${volumeName}" not found`;
    topologies.push(...topologiesOf(volume));
  }
  return topologies;
}

function preFilter(
  { pod }: PodInfo,
  caches: VolumeCaches,
  classOf: (name: string) => StorageClass | undefined,
): PreFilterResult {
  const topologies = podTopologies(pod, caches, classOf);
  if (typeof topologies === "string") {
    const reasons = [topologies];
    return { type: "reject", rejection: { plugin: "VolumeZone", unresolvable: true, reasons } };
  }
  if (topologies.length === 0) return skip;
  const check = ({ node }: { readonly node: Node }): Rejection | undefined => {
    if (!hasTopology(node)) return undefined;
    const missed = topologies.find((topology) => !isIn(topology, node));
    return missed === undefined ? undefined : rejectionFor(missed, node);
  };
  return { type: "filter", filter: { check } };
}

export function volumeZone(
  caches: VolumeCaches,
  classOf: (name: string) => StorageClass | undefined,
): Plugin {
  const usesClaim = ({ claimKeys }: PodInfo, key: string): boolean => claimKeys.includes(key);
  return {
    name: "VolumeZone",
    preFilter: (pod) => preFilter(pod, caches, classOf),
    hints: [
      hint(
        "StorageClassAdd",
        (_, event) => eventObject(event).volumeBindingMode === "WaitForFirstConsumer",
      ),
      hint("NodeAdd"),
      hint("NodeUpdateLabel"),
      hint("PersistentVolumeClaimAdd", (pod, event) => {
        const { metadata } = eventObject(event);
        return usesClaim(pod, makeKey(metadata.namespace, metadata.name));
      }),
      hint("PersistentVolumeClaimUpdate", (pod, event) => {
        const { metadata } = eventObject(event);
        return usesClaim(pod, makeKey(metadata.namespace, metadata.name));
      }),
      hint("PersistentVolumeAdd"),
      hint(
        "PersistentVolumeUpdate",
        (_, { before, after }) => topologiesText(before) !== topologiesText(after),
      ),
    ],
  };
}
