/**
 * The image volume whose invalid reference keeps a container waiting.
 * Upstream: pkg/kubelet/kuberuntime/kuberuntime_manager.go toKubeContainerImageVolumes v1.36.
 */
import { goQuote } from "../../api/go/text.ts";
import { type KubeObject, refOf } from "../../api/meta.ts";
import type { EventEntry } from "../../trace/entry.ts";
import type { Place } from "../verdict.ts";
import { statusesOf } from "./ended-container.ts";

/** The image volume of the event; undefined if the event is about something else, or no container waits for the volume. */
export function awaitedImageVolume(
  pod: KubeObject<"Pod">,
  { reason, message, container }: Pick<EventEntry, "reason" | "message" | "container">,
): { readonly name: string; readonly place: Place } | undefined {
  if (!isOfImageVolume({ reason, container })) return undefined;
  if (!statusesOf(pod).some(({ state }) => state?.waiting?.message === message)) return undefined;
  const volumes = pod.spec.volumes ?? [];
  const index = volumes.findIndex(
    ({ image }) =>
      image !== undefined && message.includes(` tag ${goQuote(image.reference ?? "")}: `),
  );
  const name = volumes[index]?.name;
  if (name === undefined) return undefined;
  return { name, place: { ref: refOf(pod), field: `spec.volumes[${index}].image.reference` } };
}

/** True if the event is about an image volume: events about a container's own image name the container. */
export function isOfImageVolume({
  reason,
  container,
}: Pick<EventEntry, "reason" | "container">): boolean {
  return reason === "InspectFailed" && container === undefined;
}
