/**
 * Which limit on local storage a pod exceeded that was evicted for it, read from the kubelet's message. Upstream:
 * pkg/kubelet/eviction/eviction_manager.go emptyDirLimitEviction, podEphemeralStorageLimitEviction,
 * containerEphemeralStorageLimitEviction v1.36.
 */
import { type KubeObject, refOf } from "../../api/meta.ts";
import type { PodSpec } from "../../api/types.ts";
import type { VerdictParts } from "../make-verdict.ts";
import { containerPlaces } from "./ended-container.ts";

type Pod = KubeObject<"Pod">;

/** The exceeded limit and its fix; empty if the pod was evicted for another reason. */
export function outgrownLimit(pod: Pod, message = ""): VerdictParts {
  const field = outgrownField(pod.spec, message);
  if (field === undefined) return {};
  const at = { ref: refOf(pod), field };
  return { root: at, fixes: [{ text: `raise ${field}, or write less, or to a claim`, at }] };
}

/** The field of the pod that has the limit; undefined if the message is about something else. */
export function outgrownField(spec: PodSpec, message: string): string | undefined {
  return sizeLimit(spec, message) ?? storageLimit(spec, message);
}

function sizeLimit({ volumes = [] }: PodSpec, message: string): string | undefined {
  const [, volume] = /^Usage of EmptyDir volume "([^"]+)" exceeds the limit /.exec(message) ?? [];
  const index = volumes.findIndex(({ name }) => name === volume);
  return index < 0 ? undefined : `spec.volumes[${index}].emptyDir.sizeLimit`;
}

/** The container's limit; if the total of all containers is exceeded, the first container's. */
function storageLimit(spec: PodSpec, message: string): string | undefined {
  const isOfAll = message.startsWith("Pod ephemeral local storage usage exceeds the total limit ");
  const [, container] =
    /^Container (\S+) exceeded its local ephemeral storage limit /.exec(message) ?? [];
  const limited = containerPlaces({ spec }).find(
    ({ c: { name, resources } }) =>
      resources?.limits?.[resource] !== undefined && (isOfAll || name === container),
  );
  return limited === undefined ? undefined : `${limited.path}.resources.limits[${resource}]`;
}

const resource = "ephemeral-storage";
