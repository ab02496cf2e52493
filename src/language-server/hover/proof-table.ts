/** The evidence for an outcome as a table: what was asked for beside what there is. */
import { requestedStorage } from "../../engine/api/claim-size.ts";
import type { KubeObject } from "../../engine/api/meta.ts";
import { makeRef } from "../../engine/api/meta.ts";
import { effectiveClassName } from "../../engine/api/storage-class-name.ts";
import { attachmentsOf } from "../../engine/explain/volumes/attachments-of.ts";
import { claimOf, volumeOf } from "../../engine/explain/volumes/bound-pair.ts";
import { reclaimWords } from "../../engine/explain/volumes/reclaim-words.ts";
import { linkTo } from "../features/explanation.ts";
import { cell, escapeMarkdown } from "../markdown.ts";
import { isTokenVolume } from "../names/derived-names.ts";
import type { Prediction } from "../prediction/prediction.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;
type Volume = KubeObject<"PersistentVolume">;
type Pod = KubeObject<"Pod">;

/** As many rows as fit into a hover. */
const rowCountMax = 5;

/** Returns Markdown; undefined if there is nothing to compare. */
export function proofTable(prediction: Prediction, object: KubeObject): string | undefined {
  switch (object.kind) {
    case "PersistentVolumeClaim": {
      const volume = volumeOf(prediction.facts, object);
      return volume === undefined ? undefined : boundPair(prediction, object, volume);
    }
    case "PersistentVolume": {
      const claim = claimOf(prediction.facts, object);
      // The claim may have been deleted, and another one of its name may have another volume.
      const { volumeName = object.metadata.name } = claim?.spec ?? {};
      return claim === undefined || volumeName !== object.metadata.name
        ? undefined
        : boundPair(prediction, claim, object);
    }
    case "Pod":
      return podVolumes(prediction, object);
    default:
      return podsOfWorkload(prediction, object);
  }
}

function boundPair(prediction: Prediction, claim: Claim, volume: Volume): string {
  const rows: readonly (readonly [string, string, string])[] = [
    ["size", requestedStorage(claim) ?? "", volume.spec.capacity?.["storage"] ?? ""],
    [
      "access modes",
      (claim.spec.accessModes ?? []).join(" "),
      (volume.spec.accessModes ?? []).join(" "),
    ],
    ["class", effectiveClassName(claim), effectiveClassName(volume)],
    ["volume mode", claim.spec.volumeMode ?? "Filesystem", volume.spec.volumeMode ?? "Filesystem"],
  ];
  const claimRef = makeRef("PersistentVolumeClaim", claim.metadata.namespace, claim.metadata.name);
  const volumeRef = makeRef("PersistentVolume", undefined, volume.metadata.name);
  const head = `| | ${linkTo(prediction, claimRef)} | ${linkTo(prediction, volumeRef)} |`;
  const lines = rows.map(([name, asked, has]) => `| ${name} | ${cell(asked)} | ${cell(has)} |`);
  const table = `${head}\n|---|---|---|\n${lines.join("\n")}`;
  const words = claim.status?.phase === "Bound" ? reclaimWords(volume) : undefined;
  return words === undefined ? table : `${table}\n\n${words}`;
}

/** What each volume of a pod is, and whether it is attached to the pod's node. */
function podVolumes(prediction: Prediction, pod: Pod): string | undefined {
  const volumes = (pod.spec.volumes ?? []).filter(({ name }) => !isTokenVolume(name));
  const lines = volumes.slice(0, rowCountMax).map((volume) => {
    const claimName =
      volume.persistentVolumeClaim?.claimName ??
      (volume.ephemeral === undefined ? undefined : `${pod.metadata.name}-${volume.name}`);
    if (claimName === undefined) {
      const type = Object.keys(volume).find((key) => key !== "name") ?? "";
      return `| ${escapeMarkdown(volume.name)} | ${escapeMarkdown(type)} | |`;
    }
    const ref = makeRef("PersistentVolumeClaim", pod.metadata.namespace, claimName);
    return `| ${escapeMarkdown(volume.name)} | ${linkTo(prediction, ref)} | ${claimState(prediction, pod, claimName)} |`;
  });
  if (lines.length === 0) return undefined;
  const more = volumes.length - lines.length;
  const rest = more > 0 ? `\n\nand ${more} more` : "";
  return `| volume | is | |\n|---|---|---|\n${lines.join("\n")}${rest}`;
}

function claimState({ facts }: Prediction, pod: Pod, claimName: string): string {
  const claim = facts.get("PersistentVolumeClaim", pod.metadata.namespace, claimName);
  if (claim === undefined) return "does not exist";
  const { volumeName } = claim.spec;
  const phase = claim.status?.phase ?? "Pending";
  if (volumeName === undefined || phase !== "Bound") return phase;
  const attachment = attachmentsOf(facts, volumeName).find(
    ({ spec }) => spec.nodeName === pod.spec.nodeName,
  );
  const attached =
    attachment?.status?.attached === true
      ? `, attached to ${escapeMarkdown(pod.spec.nodeName ?? "")}`
      : "";
  return `${phase}${attached}`;
}

function podsOfWorkload(prediction: Prediction, workload: KubeObject): string | undefined {
  const pods = podsMadeBy(prediction, workload.metadata.uid);
  if (pods.length === 0) return undefined;
  const lines = pods.slice(0, rowCountMax).map((pod) => {
    const ref = makeRef("Pod", pod.metadata.namespace, pod.metadata.name);
    return `| ${linkTo(prediction, ref)} | ${escapeMarkdown(pod.spec.nodeName ?? "no node")} | ${pod.status?.phase ?? ""} |`;
  });
  const more = pods.length - lines.length;
  const rest = more > 0 ? `\n\nand ${more} more` : "";
  return `| pod | node | phase |\n|---|---|---|\n${lines.join("\n")}${rest}`;
}

/** The pods that the workload owns, directly or through ReplicaSets and Jobs. */
function podsMadeBy({ facts }: Prediction, uid: string): readonly Pod[] {
  const owners = new Set([uid]);
  for (const kind of ["Job", "ReplicaSet"] as const)
    for (const { metadata } of facts.list(kind))
      if (metadata.ownerReferences?.some((owner) => owners.has(owner.uid)) === true)
        owners.add(metadata.uid);
  return facts
    .list("Pod")
    .filter(({ metadata }) => metadata.ownerReferences?.some((o) => owners.has(o.uid)) === true)
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}
