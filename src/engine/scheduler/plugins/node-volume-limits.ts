/**
 * Limits how many volumes of a driver a node can have. Upstream: kube-scheduler v1.36 plugins/nodevolumelimits/csi.go. Not
 * modeled: the gate VolumeLimitScaling, off by default.
 */
import { keyOf } from "../../api/meta.ts";
import type { CSINode, Pod, Volume, VolumeAttachment } from "../../api/types.ts";
import { migratedDriver, migratedPluginOf } from "../../matching/csi-migration.ts";
import { claimNameOf } from "../../matching/pod-claims.ts";
import type { Informer } from "../../runtime/informer.ts";
import type { KubernetesVersion } from "../../scenario.ts";
import {
  asksWhoseAttachmentGoes,
  retriesOnVolumeLimitIncrease,
} from "../../version-differences.ts";
import type { NodeInfo } from "../cache/node-info.ts";
import type { PodInfo } from "../cache/pod-info.ts";
import { eventObject } from "../framework/cluster-event.ts";
import { hint, type Plugin, type PodFilter, type Rejection, skip } from "../framework/plugin.ts";
import {
  type AttachedVolumes,
  type AttachingNode,
  type CsiVolumes,
  limitsOf,
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

function hasCountedVolumes(pod: Pod): boolean {
  return (pod.spec.volumes ?? []).some(
    (volume) => claimNameOf(pod, volume) !== undefined || migratedPluginOf(volume) !== undefined,
  );
}

class LimitsFilter implements PodFilter {
  readonly #pod: Pod;
  readonly #volumes: AttachedVolumes;
  /** The same for all nodes: nothing changes within a scheduling cycle. */
  #answer: VolumesAnswer | undefined;

  constructor(pod: Pod, volumes: AttachedVolumes) {
    this.#pod = pod;
    this.#volumes = volumes;
  }

  check(node: NodeInfo): Rejection | undefined {
    const answer = (this.#answer ??= this.#volumes.ofPod(this.#pod));
    if (!answer.ok)
      return { plugin: "NodeVolumeLimits", unresolvable: true, reasons: [answer.error] };
    const there = this.#volumes.at(node.name);
    if (answer.volumes.size === 0 || there.limits.size === 0) return undefined;
    this.#volumes.collect(there, node);
    return there.hasRoom(answer.countMax) ? undefined : this.#beyond(there, node, answer);
  }

  /**
   * The exact count: leaves out volumes that the node has already, adds attachments without a pod. That is slow, so it runs
   * only near the limit.
   */
  #beyond(there: AttachingNode, node: NodeInfo, wanted: CsiVolumes): Rejection | undefined {
    const { limits, volumes: attached, attachmentCount } = there;
    for (const [driver, count] of wanted.countByDriver) {
      const limit = limits.get(driver);
      if (limit === undefined) continue;
      let known = there.countOf(driver);
      if (known + count + attachmentCount <= limit) continue;
      let more = 0;
      for (const [volume, other] of wanted.volumes)
        if (other === driver && !attached.volumes.has(volume)) more++;
      if (more === 0) continue;
      known += this.#volumes.attachedBeyond(node.name, attached).get(driver) ?? 0;
      if (known + more > limit) return tooMany({ driver, wanted: more, attached: known, limit });
    }
    return undefined;
  }
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
      return { type: "filter", filter: new LimitsFilter(pod, volumes) };
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
        (pod, event) => !asksWhoseAttachmentGoes(version) || mayBeAttached(pod, eventObject(event)),
      ),
    ],
  };
}

/** Overlooks claims of ephemeral volumes, as upstream does. Upstream: isSchedulableAfterVolumeAttachmentDeleted. */
function mayBeAttached({ claimKeys, pod }: PodInfo, { spec }: VolumeAttachment): boolean {
  const isOfAttacher = (volume: Volume): boolean =>
    migratedDriver(migratedPluginOf(volume) ?? "") === spec.attacher;
  return claimKeys.length > 0 || (pod.spec.volumes ?? []).some(isOfAttacher);
}

/** A driver that was absent or had no limit counts as having had a limit of 0. */
function limitGrew(before: CSINode | undefined, after: CSINode | undefined): boolean {
  if (before === undefined || after === undefined) return false;
  const was = limitsOf(before);
  return [...limitsOf(after)].some(([driver, limit]) => limit > (was.get(driver) ?? 0));
}
