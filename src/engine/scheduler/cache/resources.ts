/**
 * How much of a node's resources a pod asks for. Upstream: component-helpers v0.36 resource/helpers.go PodRequests;
 * kube-scheduler pkg/scheduler/util/pod_resources.go. CPU counts in thousandths, everything else in whole units. Not modelled: resizes in
 * place, whose actual and allocated amounts differ from the spec's.
 */
import { parseQuantity, quantityCeiling, quantityMilliValue } from "../../api/quantity.ts";
import type { Container, PodSpec } from "../../api/types.ts";

export type Resources = ReadonlyMap<string, number>;
type Amounts = Map<string, number>;

export const noResources: Resources = new Map();

/** What a container without a request counts for in scores, so that such containers still spread. */
const scoreDefaults: Readonly<Record<string, number>> = { cpu: 100, memory: 200 * 1024 * 1024 };

/** The amounts of a resource list; what is unreadable counts as nothing. */
export function resourceAmounts(list: Readonly<Record<string, string>> | undefined): Resources {
  if (list === undefined) return noResources;
  const amounts: Amounts = new Map();
  for (const [name, text] of Object.entries(list)) {
    const quantity = parseQuantity(text);
    if (quantity === undefined) continue;
    amounts.set(
      name,
      Number(name === "cpu" ? quantityMilliValue(quantity) : quantityCeiling(quantity)),
    );
  }
  return amounts;
}

export function podRequests(spec: PodSpec): Resources {
  return totalRequests(spec, (container) => resourceAmounts(container.resources?.requests));
}

/** As `podRequests`, with the defaults that scores use for containers without requests. */
export function podRequestsForScore(spec: PodSpec): Resources {
  return totalRequests(spec, (container) => {
    const amounts = new Map(resourceAmounts(container.resources?.requests));
    for (const [name, amount] of Object.entries(scoreDefaults)) {
      if (!amounts.has(name)) amounts.set(name, amount);
    }
    return amounts;
  });
}

/**
 * Containers and sidecars run together; an ordinary init container runs with the sidecars that started before it. The pod
 * asks for whichever is more.
 */
function totalRequests(spec: PodSpec, requestsOf: (container: Container) => Resources): Resources {
  const total: Amounts = new Map();
  for (const container of spec.containers) add(total, requestsOf(container));
  const sidecars: Amounts = new Map();
  const initial: Amounts = new Map();
  for (const container of spec.initContainers ?? []) {
    const needed = new Map(requestsOf(container));
    if (container.restartPolicy === "Always") {
      add(total, needed);
      add(sidecars, needed);
      raise(initial, sidecars);
    } else {
      add(needed, sidecars);
      raise(initial, needed);
    }
  }
  raise(total, initial);
  for (const [name, amount] of resourceAmounts(spec.resources?.requests)) total.set(name, amount);
  add(total, resourceAmounts(spec.overhead));
  return total;
}

function add(amounts: Amounts, more: Resources): void {
  for (const [name, amount] of more) amounts.set(name, (amounts.get(name) ?? 0) + amount);
}

function raise(amounts: Amounts, least: Resources): void {
  for (const [name, amount] of least) amounts.set(name, Math.max(amounts.get(name) ?? 0, amount));
}
