/**
 * SQLite databases on NFS that two pods open at the same time. Upstream: sqlite.org/faq.html, question 5, and
 * sqlite.org/wal.html: locks over NFS are unreliable with several processes, and the write-ahead log requires all of them to be
 * on one machine.
 */

import { podCountOf } from "../../workspace/objects/pod-count.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import { driverBasis } from "../facts/claim-facts.ts";
import { isNfs } from "../facts/fuse-mount.ts";
import { knownImageOf } from "../facts/known-images.ts";
import { sqliteMounts } from "../facts/sqlite-mounts.ts";
import { surgeOf } from "../facts/surging-pod.ts";
import { isPinnedToNode } from "../facts/workload-facts.ts";
import type { EnvironmentRule, ValueFix } from "../rule.ts";

export const sqliteOnNfs: EnvironmentRule = {
  id: "sqlite-on-nfs",
  severity: "warning",
  scope: "environment",
  *check(context) {
    for (const { use, path, container, directory } of sqliteMounts(context)) {
      const { claim, workload } = use;
      if (!use.isDirect || use.readOnly || !isNfs(claim)) continue;
      const two = twoPodsOf(workload.object);
      if (two === undefined) continue;
      yield {
        entry: workload,
        path: [...path, "mountPath"],
        message: `The image ${knownImageOf(container)?.name} keeps an SQLite database in ${directory}, and ${two.who} write to it: locks over NFS are unreliable, so it may become corrupt. ${two.advice}`,
        ...(two.fix !== undefined && { fix: two.fix }),
        ...driverBasis(claim),
      };
    }
  },
};

interface TwoPods {
  /** Part of a sentence. */
  readonly who: string;
  readonly advice: string;
  readonly fix?: ValueFix;
}

/** Undefined if there is only one pod at a time, or all pods are on one node, where locks work. */
function twoPodsOf(object: ManifestObject): TwoPods | undefined {
  if (isPinnedToNode(object)) return undefined;
  const { count } = podCountOf(object);
  if (count > 1)
    return { who: `its ${count} pods`, advice: "Run one, or have it use another database" };
  const surge = count === 1 ? surgeOf(object) : undefined;
  if (surge === undefined) return undefined;
  const advice = "Use the strategy Recreate";
  return {
    who: "at each rollout two pods",
    advice,
    ...(surge.fix !== undefined && { fix: surge.fix }),
  };
}
