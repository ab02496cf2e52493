/**
 * Which template a refused claim was made from, and which size a LimitRange allows, read from the messages of the StatefulSet
 * controller and of the LimitRanger admission plugin (limitranger/admission.go).
 */
import { type KubeObject, refOf } from "../../api/meta.ts";
import type { Fix, Place } from "../verdict.ts";

interface Blame {
  readonly root?: Place;
  readonly fixes?: readonly Fix[];
}

/**
 * Reads `… maximum storage usage per PersistentVolumeClaim is 5Gi, but request is 10Gi`; empty for other messages. The first
 * argument is the place of the claim or of its template.
 */
export function limitedSize({ ref, field }: Place, message: string): Blame {
  const pattern = /(maximum|minimum) storage usage per PersistentVolumeClaim is ([^,]+), but/;
  const [, bound, limit] = pattern.exec(message) ?? [];
  if (bound === undefined || limit === undefined) return {};
  const size = "spec.resources.requests.storage";
  const at = { ref, field: field === undefined ? size : `${field}.${size}` };
  const text = `ask for ${limit}, the ${bound} that a LimitRange allows`;
  return { root: at, fixes: [{ text, at, value: limit }, { text: "change the LimitRange" }] };
}

/** Blames the template of a claim that the StatefulSet could not make (stateful_pod_control.go); empty for other messages. */
export function refusedTemplate(set: KubeObject<"StatefulSet">, message: string): Blame {
  const claim = /failed to create PVC ([^:]+): /.exec(message)?.[1];
  const templates = set.spec?.volumeClaimTemplates ?? [];
  const isOf = (template: string | undefined): boolean =>
    claim?.startsWith(`${template}-${set.metadata.name}-`) === true;
  const index = templates.findLastIndex(({ metadata }) => isOf(metadata?.name));
  if (index < 0) return {};
  const root = { ref: refOf(set), field: `spec.volumeClaimTemplates[${index}]` };
  return { root, ...limitedSize(root, message) };
}
