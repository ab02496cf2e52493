/**
 * The resources that a pod requests of a node. CPU is in thousandths, everything else in whole units. Upstream:
 * component-helpers v0.36 resource/helpers.go PodRequests; kube-scheduler pkg/scheduler/util/pod_resources.go. Not modeled:
 * in-place resizes, where actual and allocated amounts differ from the spec's.
 */
import { isSidecar } from "../../api/pod-containers.ts";
import { parseQuantity, quantityCeiling, quantityMilliValue } from "../../api/quantity.ts";
import type { Container, Node, PodSpec } from "../../api/types.ts";

export type Resources = ReadonlyMap<string, number>;
type Amounts = Map<string, number>;

export const noResources: Resources = new Map();

export type Amount = readonly [resource: string, amount: number];

/** Shortages of these are reported in this order, before those of all other resources. */
export const mainResources: readonly string[] = ["cpu", "memory", "ephemeral-storage"];

/**
 * Upstream: noderesources/fit.go fitsRequest, where the other resources come in the order of a Go map; here they are sorted by
 * name.
 */
export function inOrderOfReport(requests: Resources): readonly Amount[] {
  const rank = (name: string): number => {
    const at = mainResources.indexOf(name);
    return at < 0 ? mainResources.length : at;
  };
  return [...requests]
    .filter(([, amount]) => amount > 0)
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** The most used amounts, as plain numbers. Upstream: pkg/scheduler/framework/types.go Resource. */
export interface MainAmounts {
  cpu: number;
  memory: number;
  ephemeralStorage: number;
}

export function mainAmounts(amounts: Resources): MainAmounts {
  return {
    cpu: amounts.get("cpu") ?? 0,
    memory: amounts.get("memory") ?? 0,
    ephemeralStorage: amounts.get("ephemeral-storage") ?? 0,
  };
}

/** The resources that scores look at. */
export interface ScoredAmounts {
  readonly cpu: number;
  readonly memory: number;
}

/** What scores assume for a container without requests, so that such containers still spread. */
const scoreDefaults: Resources = new Map([
  ["cpu", 100],
  ["memory", 200 * 1024 * 1024],
]);

/** Returns the amounts of a resource list, without those that cannot be parsed. */
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

const allocatableByList = new WeakMap<object, Resources>();

/** Computed once per list of a node's status, because kubelet and scheduler ask for it with each pod. */
export function allocatableOf({ status }: Node): Resources {
  const list = status?.allocatable;
  if (list === undefined) return noResources;
  let amounts = allocatableByList.get(list);
  if (amounts === undefined) allocatableByList.set(list, (amounts = resourceAmounts(list)));
  return amounts;
}

export function scoredAmounts(amounts: Resources): ScoredAmounts {
  return { cpu: amounts.get("cpu") ?? 0, memory: amounts.get("memory") ?? 0 };
}

export function podRequests(spec: PodSpec): Resources {
  const total = totalRequests(spec, ({ resources }) => resourceAmounts(resources?.requests));
  return total.size === 0 ? noResources : total;
}

/** As `podRequests`, with the defaults that scores use for containers without requests. */
export function podRequestsForScore(spec: PodSpec): ScoredAmounts {
  const total = totalRequests(spec, ({ resources }) =>
    resources?.requests === undefined
      ? scoreDefaults
      : new Map([...scoreDefaults, ...resourceAmounts(resources.requests)]),
  );
  return scoredAmounts(total);
}

/**
 * Containers and sidecars run together; an ordinary init container runs with the sidecars that started before it. The pod
 * requests whichever is more.
 */
function totalRequests(spec: PodSpec, requestsOf: (container: Container) => Resources): Resources {
  const total: Amounts = new Map();
  for (const container of spec.containers) add(total, requestsOf(container));
  if (spec.initContainers !== undefined) addInitial(total, spec.initContainers, requestsOf);
  for (const [name, amount] of resourceAmounts(spec.resources?.requests)) total.set(name, amount);
  add(total, resourceAmounts(spec.overhead));
  return total;
}

function addInitial(
  total: Amounts,
  initContainers: readonly Container[],
  requestsOf: (container: Container) => Resources,
): void {
  const sidecars: Amounts = new Map();
  const initial: Amounts = new Map();
  for (const container of initContainers) {
    const needed = new Map(requestsOf(container));
    if (isSidecar(container)) {
      add(total, needed);
      add(sidecars, needed);
      raise(initial, sidecars);
    } else {
      add(needed, sidecars);
      raise(initial, needed);
    }
  }
  raise(total, initial);
}

function add(amounts: Amounts, more: Resources): void {
  for (const [name, amount] of more) amounts.set(name, (amounts.get(name) ?? 0) + amount);
}

function raise(amounts: Amounts, least: Resources): void {
  for (const [name, amount] of least) amounts.set(name, Math.max(amounts.get(name) ?? 0, amount));
}
