/** Which quota is exceeded, read from the message of ResourceQuota admission (resourcequota/controller.go, checkRequest). */
import { makeRef } from "../api/meta.ts";
import { formatQuantity, quantityOrZero, subtractQuantities } from "../api/quantity.ts";
import type { Fix, Place } from "./verdict.ts";

/** Reads `… is forbidden: exceeded quota: compute, requested: requests.storage=10Gi, used: …`; empty for other messages. */
export function exceededQuota(
  namespace: string | undefined,
  message: string,
): { readonly root?: Place; readonly fixes?: readonly Fix[] } {
  const pattern = /exceeded quota: ([^,]+), requested: (.+?), used: (.+), limited: (.+)$/;
  const [, name, asked = "", used = "", limits = ""] = pattern.exec(message) ?? [];
  if (name === undefined) return {};
  const [resource = ""] = limits.split("=");
  const at = { ref: makeRef("ResourceQuota", namespace, name), field: `spec.hard[${resource}]` };
  const text = `raise ${limits} in spec.hard of quota "${name}"${instead(asked, used, limits)}`;
  return { root: at, fixes: [{ text, at }] };
}

/** The second half of the fix: to request less. Empty for counts of objects, as one object cannot count for less. */
function instead(asked: string, used: string, limits: string): string {
  if (!asked.split(",").some(isAmount)) return "";
  const amountIn = (text: string): string => text.slice(text.indexOf("=") + 1);
  if (limits.includes(",")) return `, or ask for less than ${asked}`;
  const limit = quantityOrZero(amountIn(limits));
  const rest = subtractQuantities(limit, quantityOrZero(amountIn(used)));
  return rest.nanos > 0n
    ? `, or ask for ${formatQuantity(rest)} at most`
    : ", or have less asked for in all";
}

/** True for CPU, memory, sizes and devices; false for counts of objects. */
function isAmount(asked: string): boolean {
  return /(?:cpu|memory|storage)=|hugepages-|^requests\./.test(asked);
}
