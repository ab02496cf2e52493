/**
 * Refuses requests that would exceed a quota, and charges the others. Upstream: apiserver v0.36 pkg/admission/plugin/
 * resourcequota/controller.go CheckRequest. The charge is written to the quota's status before the object is stored, so two
 * requests in a row cannot both take the last place. Not modeled: limitedResources of a configuration file.
 */
import { forbidden } from "../api/admission/forbidden.ts";
import { compareText } from "../api/go/text-order.ts";
import type { ApiError, KubeObject } from "../api/meta.ts";
import { compareQuantities, zeroQuantity } from "../api/quantity.ts";
import type { Instant } from "../trace/instant.ts";
import { missingRequirements } from "./pod-usage.ts";
import {
  addLists,
  formatList,
  mask,
  parseList,
  printList,
  type ResourceList,
  subtractLists,
} from "./resource-list.ts";
import { concerns, isInScope, usageOf } from "./usage.ts";

type Quota = KubeObject<"ResourceQuota">;

export type Charge =
  /** The quotas with their updated usage. */
  | { readonly ok: true; readonly charged: readonly Quota[] }
  | { readonly ok: false; readonly error: ApiError };

/**
 * Charges the object to the quotas. `before` is its previous version in an update: a quota that already covered it is charged
 * the growth, any other the full usage. A status write is charged but never refused for exceeding a quota.
 */
export function charge(
  quotas: readonly Quota[],
  object: KubeObject,
  before: KubeObject | undefined,
  subresource: "" | "status",
  now: Instant,
): Charge {
  const interesting = quotas.filter(
    (quota) => limitedBy(quota, object).length > 0 && isInScope(quota, object),
  );
  for (const quota of interesting) {
    const problem = unmet(quota, object);
    if (problem !== undefined) return { ok: false, error: forbidden(object, problem) };
  }
  const usage = usageOf(object, now);
  const growth = before === undefined ? usage : subtractLists(usage, usageOf(before, now));
  const charged: Quota[] = [];
  for (const quota of [...interesting].sort((a, b) =>
    a.metadata.name < b.metadata.name ? -1 : 1,
  )) {
    const limited = limitedBy(quota, object);
    const delta = before !== undefined && isInScope(quota, before) ? growth : usage;
    const requested = mask(
      delta,
      (name) => limited.includes(name) && (delta.get(name)?.nanos ?? 0n) > 0n,
    );
    if (requested.size === 0) continue;
    const used = addLists(parseList(quota.status?.used), requested);
    const exceeded = subresource === "status" ? [] : overdrawn(quota, requested, used);
    if (exceeded.length > 0)
      return { ok: false, error: forbidden(object, exceededText(quota, requested, exceeded)) };
    charged.push({ ...quota, status: { ...quota.status, used: formatList(used) } });
  }
  return { ok: true, charged };
}

/** The names of the quota's limits for this kind. Those in its status count: the quota controller copies them from spec. */
function limitedBy(quota: Quota, object: KubeObject): readonly string[] {
  return Object.keys(quota.status?.hard ?? {}).filter((name) => concerns(object.kind, name));
}

function unmet(quota: Quota, object: KubeObject): string | undefined {
  const limited = limitedBy(quota, object);
  const missing = object.kind === "Pod" ? missingRequirements(object, limited) : undefined;
  if (missing !== undefined) return `failed quota: ${quota.metadata.name}: ${missing}`;
  if (limited.every((name) => quota.status?.used?.[name] !== undefined)) return undefined;
  const names = [...limited].sort(compareText);
  return `status unknown for quota: ${quota.metadata.name}, resources: ${names.join(",")}`;
}

function overdrawn(quota: Quota, requested: ResourceList, used: ResourceList): readonly string[] {
  const hard = parseList(quota.status?.hard);
  return [...requested.keys()].filter(
    (name) => compareQuantities(used.get(name) ?? zeroQuantity, hard.get(name) ?? zeroQuantity) > 0,
  );
}

function exceededText(quota: Quota, requested: ResourceList, exceeded: readonly string[]): string {
  const only = (list: ResourceList): string =>
    printList(mask(list, (name) => exceeded.includes(name)));
  const { hard, used } = quota.status ?? {};
  const numbers = `requested: ${only(requested)}, used: ${only(parseList(used))}, limited: ${only(parseList(hard))}`;
  return `exceeded quota: ${quota.metadata.name}, ${numbers}`;
}
