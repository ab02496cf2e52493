/**
 * The message of the Multi-Attach event on a pod whose volume another node holds.
 * Upstream: pkg/controller/volume/attachdetach/reconciler/reconciler.go reportMultiAttachError v1.36.
 */
import { compareText } from "../../api/go/text-order.ts";
import type { DesiredPod } from "./desired-state.ts";

export function multiAttachMessage(
  specName: string,
  pod: DesiredPod,
  others: readonly DesiredPod[],
): string {
  const prefix = `Multi-Attach error for volume "${specName}" Volume is already`;
  if (others.length === 0) {
    return `${prefix} exclusively attached to one node and can't be attached to another`;
  }
  const names = others
    .filter((other) => other.namespace === pod.namespace)
    .map((other) => other.name)
    .sort(compareText);
  const foreign = others.length - names.length;
  const elsewhere = `${foreign} pod(s) in different namespaces`;
  if (names.length === 0) return `${prefix} used by ${elsewhere}`;
  const here = `${prefix} used by pod(s) ${names.join(", ")}`;
  return foreign === 0 ? here : `${here} and ${elsewhere}`;
}
