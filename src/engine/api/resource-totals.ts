/**
 * The resources of a whole pod: its containers run at once, its init containers one by one beside the sidecars before them.
 * Upstream: component-helpers v0.36 resource AggregateContainerRequests, AggregateContainerLimits, PodRequests, PodLimits.
 */
import { isPodLevelResource } from "./names/resource-names.ts";
import { isSidecar } from "./pod-containers.ts";
import { addQuantities, parseQuantity, type Quantity } from "./quantity.ts";
import type { PodSpec } from "./types.ts";

type Amounts = Readonly<Record<string, string>> | undefined;

function add(sums: Map<string, Quantity>, amounts: Amounts): void {
  for (const name in amounts) {
    const quantity = parseQuantity(amounts[name] ?? "");
    const known = sums.get(name);
    if (quantity !== undefined)
      sums.set(name, known === undefined ? quantity : addQuantities(known, quantity));
  }
}

function raise(most: Map<string, Quantity>, amounts: ReadonlyMap<string, Quantity>): void {
  for (const [name, quantity] of amounts) {
    const known = most.get(name);
    if (known === undefined || quantity.nanos > known.nanos) most.set(name, quantity);
  }
}

export function containerTotal(
  spec: PodSpec,
  list: "requests" | "limits",
): ReadonlyMap<string, Quantity> {
  const total = new Map<string, Quantity>();
  for (const { resources } of spec.containers ?? []) add(total, resources?.[list]);
  const sidecars = new Map<string, Quantity>();
  const peak = new Map<string, Quantity>();
  for (const container of spec.initContainers ?? []) {
    const amounts = container.resources?.[list];
    const during = new Map(sidecars);
    add(during, amounts);
    if (isSidecar(container)) {
      add(total, amounts);
      add(sidecars, amounts);
    }
    raise(peak, during);
  }
  raise(total, peak);
  return total;
}

/** Like `containerTotal`, but the pod's own values take precedence. Its overhead is not included. */
export function podTotal(
  spec: PodSpec,
  list: "requests" | "limits",
): ReadonlyMap<string, Quantity> {
  const total = new Map(containerTotal(spec, list));
  const whole = spec.resources?.[list];
  for (const name in whole) {
    const quantity = parseQuantity(whole[name] ?? "");
    if (quantity !== undefined && isPodLevelResource(name)) total.set(name, quantity);
  }
  return total;
}

/** Adds the overhead of the pod's runtime class; a limit that is absent or zero stays so. */
export function podTotalWithOverhead(
  spec: PodSpec,
  list: "requests" | "limits",
): ReadonlyMap<string, Quantity> {
  const total = new Map(podTotal(spec, list));
  const counts = (name: string): boolean =>
    list === "requests" || (total.get(name)?.nanos ?? 0n) !== 0n;
  add(
    total,
    Object.fromEntries(Object.entries(spec.overhead ?? {}).filter(([name]) => counts(name))),
  );
  return total;
}
