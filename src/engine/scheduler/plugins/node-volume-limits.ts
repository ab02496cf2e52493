/**
 * A node takes only so many volumes of a driver. Upstream: kube-scheduler v1.36 plugins/nodevolumelimits/csi.go. Not
 * modelled: the gate VolumeLimitScaling, off by default.
 */
import { keyOf } from "../../api/meta.ts";
import type { CSINode, Pod } from "../../api/types.ts";
import { migratedPluginOf } from "../../matching/csi-migration.ts";
import { claimNameOf } from "../../matching/pod-claims.ts";
import type { Informer } from "../../runtime/informer.ts";
import type { KubernetesVersion } from "../../scenario.ts";
import { retriesOnVolumeLimitIncrease } from "../../version-differences.ts";
import type { NodeInfo } from "../cache/node-info.ts";
import { eventObject } from "../framework/cluster-event.ts";
import { hint, type Plugin, type Rejection, skip } from "../framework/plugin.ts";
import {
  type AttachedVolumes,
  migratedPlugins,
  type VolumesAnswer,
} from "../volume/attached-volumes.ts";

interface LimitReached {
  readonly driver: string;
  readonly wanted: number;
  readonly attached: number;
  readonly limit: number;
}

function tooMany({ driver, wanted, attached, limit }: LimitReached): Rejection {
  return {
    plugin: "NodeVolumeLimits",
    unresolvable: false,
    reasons: ["node(s) exceed max volume count"],
    explain: () => [
      {
        rule: "volume-limit",
        wanted: `${wanted} more of ${driver}`,
        found: `${attached} of at most ${limit}`,
        foundField: "spec.drivers.allocatable.count",
      },
    ],
  };
}

type Limits = ReadonlyMap<string, number>;

/** Of each version of a CSINode, which every pod's check of the node asks for. */
const limitsByCsiNode = new WeakMap<CSINode, Limits>();

/** The largest number of volumes that the node takes of each driver that has such a number. */
function limitsOf(csiNode: CSINode): Limits {
  const known = limitsByCsiNode.get(csiNode);
  if (known !== undefined) return known;
  const limits = new Map<string, number>();
  for (const { name, allocatable } of csiNode.spec.drivers) {
    if (allocatable?.count !== undefined) limits.set(name, allocatable.count);
  }
  limitsByCsiNode.set(csiNode, limits);
  return limits;
}

function hasCountedVolumes(pod: Pod): boolean {
  return (pod.spec.volumes ?? []).some(
    (volume) => claimNameOf(pod, volume) !== undefined || migratedPluginOf(volume) !== undefined,
  );
}

function check(
  answer: VolumesAnswer,
  node: NodeInfo,
  csiNode: CSINode,
  volumes: AttachedVolumes,
): Rejection | undefined {
  if (!answer.ok) {
    return { plugin: "NodeVolumeLimits", unresolvable: true, reasons: [answer.error] };
  }
  const limits = limitsOf(csiNode);
  if (answer.volumes.size === 0 || limits.size === 0) return undefined;
  const attached = volumes.onNode(node, csiNode);
  for (const [driver, count] of answer.countByDriver) {
    const limit = limits.get(driver);
    if (limit === undefined) continue;
    let there = attached.countByDriver.get(driver) ?? 0;
    // Telling apart what is there already, or is attached without a pod, is dear: most nodes are far from their limits.
    if (there + count + volumes.attachmentCount(node.name) <= limit) continue;
    let more = 0;
    for (const [volume, other] of answer.volumes)
      if (other === driver && !attached.volumes.has(volume)) more++;
    if (more === 0) continue;
    there += volumes.attachedBeyond(node.name, attached).get(driver) ?? 0;
    if (there + more > limit) return tooMany({ driver, wanted: more, attached: there, limit });
  }
  return undefined;
}

export function nodeVolumeLimits(
  version: KubernetesVersion,
  volumes: AttachedVolumes,
  csiNodes: Informer<"CSINode">,
): Plugin {
  let hasLimits: boolean | undefined;
  const forget = (): void => {
    hasLimits = undefined;
  };
  csiNodes.on({ add: forget, update: forget, delete: forget });
  return {
    name: "NodeVolumeLimits",
    preFilter: ({ pod }) => {
      if (!hasCountedVolumes(pod)) return skip;
      hasLimits ??= csiNodes.list().some((csiNode) => limitsOf(csiNode).size > 0);
      if (!hasLimits && volumes.missingClaim(pod) === undefined) return skip;
      // Nothing changes within a scheduling cycle, and nodes differ only in the plugins that have moved to CSI.
      const answers = new Map<string, VolumesAnswer>();
      const answerFor = (csiNode: CSINode): VolumesAnswer => {
        const plugins = migratedPlugins(csiNode);
        let answer = answers.get(plugins);
        if (answer === undefined) answers.set(plugins, (answer = volumes.ofPod(pod, csiNode)));
        return answer;
      };
      const filter = {
        check: (node: NodeInfo): Rejection | undefined => {
          const csiNode = csiNodes.get(node.name);
          if (csiNode === undefined) return undefined;
          return check(answerFor(csiNode), node, csiNode, volumes);
        },
      };
      return { type: "filter", filter };
    },
    hints: [
      hint("CSINodeAdd"),
      ...(retriesOnVolumeLimitIncrease(version)
        ? [hint("CSINodeUpdate", (_, { before, after }) => limitGrew(before, after))]
        : []),
      hint("AssignedPodDelete", (_, event) => hasCountedVolumes(eventObject(event))),
      hint("PersistentVolumeClaimAdd", ({ allClaimKeys }, event) =>
        allClaimKeys.includes(keyOf(eventObject(event))),
      ),
      hint(
        "VolumeAttachmentDelete",
        ({ claimKeys, pod }) =>
          claimKeys.length > 0 ||
          (pod.spec.volumes ?? []).some((v) => migratedPluginOf(v) !== undefined),
      ),
    ],
  };
}

/** A driver that was not there, or had no limit, counts as having had none to give. */
function limitGrew(before: CSINode | undefined, after: CSINode | undefined): boolean {
  if (before === undefined || after === undefined) return false;
  const was = limitsOf(before);
  return [...limitsOf(after)].some(([driver, limit]) => limit > (was.get(driver) ?? 0));
}
