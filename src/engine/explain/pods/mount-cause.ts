/** The cause of a kubelet's message about one volume of a pod: the claim behind it, or the way it is mounted. */
import { persistentVolumeSources } from "../../api/decoding/go-types.ts";
import { type KubeObject, makeRef, type Ref, refOf } from "../../api/meta.ts";
import { effectiveClassName } from "../../api/storage-class-name.ts";
import { annotation, annotationOf } from "../../matching/annotations.ts";
import { removedSource } from "../../matching/csi-migration.ts";
import { claimNameOf } from "../../matching/pod-claims.ts";
import { insteadOfProvisioner } from "../claims/class-fixes.ts";
import type { JudgeClaim } from "../claims/judge-claim.ts";
import type { RunFacts } from "../run-facts.ts";
import { type Fix, isGood, type Link, type Place } from "../verdict.ts";
import { inlinePlace } from "../volumes/attachments-of.ts";
import { containerPlaces } from "./ended-container.ts";
import { missingKey } from "./missing-key.ts";
import { missingSecret } from "./missing-secret.ts";
import { refusedMount } from "./refused-mount.ts";

type Pod = KubeObject<"Pod">;
type Claim = KubeObject<"PersistentVolumeClaim">;

export interface MountCause {
  /** Added to what fails. */
  readonly why?: string;
  readonly root?: Place;
  readonly chain?: readonly Link[];
  readonly fixes?: readonly Fix[];
}

export function mountCause(
  facts: RunFacts,
  pod: Pod,
  message: string,
  judge: JudgeClaim,
): MountCause {
  return (
    unboundClaim(facts, message, judge) ??
    wrongList(pod, message) ??
    wrongSubPath(pod, message) ??
    absentDirectory(facts, pod, message) ??
    unknownType(facts, pod, message) ??
    secretOfVolume(facts, pod, message) ??
    missingKey(facts, pod, message, volumeNamedIn(message)) ??
    refusedByDriver(facts, pod, message) ??
    namedVolume(facts, pod, message)
  );
}

/** `error processing PVC default/data: PVC is not bound`: the claim's cause is the pod's. */
function unboundClaim(facts: RunFacts, message: string, judge: JudgeClaim): MountCause | undefined {
  const claim = unprocessedClaim(facts, message);
  if (claim === undefined || isBound(claim)) return undefined;
  const verdict = judge(facts, claim);
  if (verdict.root === undefined || isGood(verdict)) return undefined;
  return { root: verdict.root, chain: verdict.chain, fixes: verdict.fixes };
}

/** True if the kubelet complained that a claim is not bound, but it is by now: the kubelet has yet to look again. */
export function hasSinceBound(facts: RunFacts, message: string): boolean {
  const claim = unprocessedClaim(facts, message);
  return claim !== undefined && isBound(claim) && message.endsWith("PVC is not bound");
}

/** Undefined if the message names no claim, or the claim is gone. */
function unprocessedClaim(facts: RunFacts, message: string): Claim | undefined {
  const [, namespace, name = ""] = /error processing PVC ([^/ ]+)\/([^: ]+): /.exec(message) ?? [];
  return facts.get("PersistentVolumeClaim", namespace, name);
}

function isBound({ status, metadata }: Claim): boolean {
  return status?.phase === "Bound" && metadata.deletionTimestamp === undefined;
}

const lists = { volumeMounts: "volumeDevices", volumeDevices: "volumeMounts" } as const;

/** `volume data has volumeMode Block, but is specified in volumeMounts` */
function wrongList(pod: Pod, message: string): MountCause | undefined {
  const pattern =
    /volume (\S+) has volumeMode (\w+), but is specified in (volumeMounts|volumeDevices)/;
  const [, name = "", mode = "", list] = pattern.exec(message) ?? [];
  if (list !== "volumeMounts" && list !== "volumeDevices") return undefined;
  for (const { c, path } of containerPlaces(pod)) {
    const index = (c[list] ?? []).findIndex((entry) => entry.name === name);
    if (index < 0) continue;
    const at = { ref: refOf(pod), field: `${path}.${list}[${index}]` };
    const other = mode === "Block" ? "Filesystem" : "Block";
    return {
      root: at,
      fixes: [
        {
          text: `list "${name}" in ${lists[list]}, or make its claim with volumeMode ${other}`,
          at,
        },
      ],
    };
  }
  return undefined;
}

/** `failed to create subPath directory for volumeMount "data" of container "web"` */
function wrongSubPath(pod: Pod, message: string): MountCause | undefined {
  const pattern =
    /failed to (?:prepare subPath|create subPath directory) for volumeMount "([^"]*)" of container "([^"]*)"/;
  const [, volume, container] = pattern.exec(message) ?? [];
  if (volume === undefined) return undefined;
  for (const { c, path } of containerPlaces(pod)) {
    if (c.name !== container) continue;
    for (const [index, { name, subPath, subPathExpr }] of (c.volumeMounts ?? []).entries()) {
      const field = subPath !== undefined ? "subPath" : "subPathExpr";
      if (name !== volume || (subPath ?? subPathExpr) === undefined) continue;
      return { root: { ref: refOf(pod), field: `${path}.volumeMounts[${index}].${field}` } };
    }
  }
  return undefined;
}

/** `Error: stat /srv/data: no such file or directory`: a hostPath that the kubelet would create only if its type says so. */
function absentDirectory(facts: RunFacts, pod: Pod, message: string): MountCause | undefined {
  const [, path] = /^Error: l?stat (.+): no such file or directory$/.exec(message) ?? [];
  if (path === undefined) return undefined;
  for (const [index, volume] of (pod.spec.volumes ?? []).entries()) {
    if (volume.hostPath?.path === path)
      return {
        root: { ref: refOf(pod), field: `spec.volumes[${index}].hostPath.path` },
        fixes: toMake(refOf(pod), `spec.volumes[${index}].hostPath`),
      };
    const claimName = claimNameOf(pod, volume);
    const claim =
      claimName === undefined
        ? undefined
        : facts.get("PersistentVolumeClaim", pod.metadata.namespace, claimName);
    const bound = facts.get("PersistentVolume", undefined, claim?.spec.volumeName ?? "");
    if (claim === undefined || bound?.spec.hostPath?.path !== path) continue;
    const root = { ref: refOf(bound), field: "spec.hostPath.path" };
    const chain = failingVolume(facts, pod, bound.metadata.name).chain;
    return { root, chain, fixes: toMake(refOf(bound), "spec.hostPath") };
  }
  return undefined;
}

function toMake(ref: Ref, field: string): readonly Fix[] {
  const value = "DirectoryOrCreate";
  return [
    {
      text: `set type: ${value}: the kubelet makes it`,
      at: { ref, field: `${field}.type` },
      value,
    },
    { text: "make the directory on the node" },
    {
      text: "let the node's container mount it at the same path (kind extraMounts, minikube mount)",
    },
  ];
}

/**
 * For a type without a plugin, blames not the pod but the volume, or its class if a provisioner keeps making such volumes.
 * Upstream: pkg/volume/plugins.go FindPluginBySpec, v1.36.
 */
function unknownType(facts: RunFacts, pod: Pod, message: string): MountCause | undefined {
  if (!message.endsWith("err=no volume plugin matched")) return undefined;
  const volume = facts.get("PersistentVolume", undefined, volumeNamedIn(message) ?? "");
  const type = Object.keys(volume?.spec ?? {}).find((field) => persistentVolumeSources.has(field));
  if (volume === undefined || type === undefined) return undefined;
  const { chain } = failingVolume(facts, pod, volume.metadata.name);
  const ofVolume = { root: { ref: refOf(volume), field: `spec.${type}` }, chain };
  const removed = removedSource(type);
  if (removed === undefined) return ofVolume;
  const why = `Kubernetes ${removed.version} removed the type ${type}`;
  const maker = makerClass(facts, volume);
  if (maker === undefined) return { ...ofVolume, why };
  const root = { ref: refOf(maker), field: "provisioner" };
  const link = { ref: root.ref, text: `makes volumes of the type ${type}` };
  const fixes = insteadOfProvisioner(removed.replacement, root);
  return { why, root, chain: [...chain, link], fixes };
}

/** The class of a volume, if it still names the provisioner that made the volume. */
function makerClass(
  facts: RunFacts,
  volume: KubeObject<"PersistentVolume">,
): KubeObject<"StorageClass"> | undefined {
  const storageClass = facts.get("StorageClass", undefined, effectiveClassName(volume));
  const maker = annotationOf(volume, annotation.provisionedBy);
  return storageClass?.provisioner === maker ? storageClass : undefined;
}

function secretOfVolume(facts: RunFacts, pod: Pod, message: string): MountCause | undefined {
  const named = volumeNamedIn(message) ?? "";
  const found = missingSecret(facts, message, named);
  return found === undefined ? undefined : { ...failingVolume(facts, pod, named), ...found };
}

function refusedByDriver(facts: RunFacts, pod: Pod, message: string): MountCause | undefined {
  const named = volumeNamedIn(message) ?? "";
  const found = refusedMount(facts, pod, named, message);
  if (found === undefined) return undefined;
  const { chain } = failingVolume(facts, pod, named);
  const { root, fixes, link } = found;
  return { root, fixes, chain: link === undefined ? chain : [...chain, link] };
}

/** The volume in a message of the kubelet or attach-detach controller: the PersistentVolume's name, or the name in the pod. */
export function volumeNamedIn(message: string): string | undefined {
  return (/for volume "([^"]+)"/.exec(message) ??
    /failed to process volumes=\[([^ \]]+)/.exec(message))?.[1];
}

/** Blames the volume that a mount or attach message names; empty if it names none. */
function namedVolume(facts: RunFacts, pod: Pod, message: string): MountCause {
  const named = volumeNamedIn(message);
  return named === undefined ? {} : failingVolume(facts, pod, named);
}

/** `named` is the PersistentVolume's name, or the volume's name in the pod. */
export function failingVolume(
  facts: RunFacts,
  pod: Pod,
  named: string,
): { readonly root: Place; readonly chain: readonly Link[] } {
  const volume = facts.get("PersistentVolume", undefined, named);
  const owner = volume?.spec.claimRef;
  const index = (pod.spec.volumes ?? []).findIndex(
    (v) => v.name === named || (owner?.name !== undefined && claimNameOf(pod, v) === owner.name),
  );
  const listed = { ref: refOf(pod), field: index < 0 ? "spec.volumes" : `spec.volumes[${index}]` };
  const root = index < 0 ? (inlinePlace(pod, named) ?? listed) : listed;
  const chain: { ref: Ref; text: string }[] = [];
  if (owner?.name !== undefined)
    chain.push({
      ref: makeRef("PersistentVolumeClaim", owner.namespace, owner.name),
      text: "is the claim it mounts",
    });
  if (volume !== undefined) chain.push({ ref: refOf(volume), text: "is the volume that fails" });
  return { root, chain };
}
