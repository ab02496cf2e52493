/** Which quota is in the way, from the words of the ResourceQuota admission plugin (resourcequota/controller.go, checkRequest). */
import { makeRef } from "../api/meta.ts";
import type { Fix, Place } from "./verdict.ts";

/** Reads `… is forbidden: exceeded quota: compute, requested: requests.storage=10Gi, used: …`; empty for other messages. */
export function exceededQuota(
  namespace: string | undefined,
  message: string,
): { readonly root?: Place; readonly fixes?: readonly Fix[] } {
  const pattern = /exceeded quota: ([^,]+), requested: (.+?), used: .+, limited: (.+)$/;
  const [, name, asked, limits] = pattern.exec(message) ?? [];
  if (name === undefined || asked === undefined || limits === undefined) return {};
  const [resource = ""] = limits.split("=");
  const at = { ref: makeRef("ResourceQuota", namespace, name), field: `spec.hard[${resource}]` };
  // Of a count one cannot ask for less.
  const less = asked.split(",").some(isAmount) ? `, or ask for less than ${asked}` : "";
  const text = `raise ${limits} in spec.hard of quota "${name}"${less}`;
  return { root: at, fixes: [{ text, at }] };
}

/** CPU, memory, sizes and devices, not how many objects there are. */
function isAmount(asked: string): boolean {
  return /(?:cpu|memory|storage)=|hugepages-|^requests\./.test(asked);
}
