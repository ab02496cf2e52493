/** Defaults and bounds of LimitRanges. Upstream: plugin/pkg/admission/limitranger/admission.go, v1.36. */
import type { ApiError, Kind } from "../meta.ts";
import type { Mutable } from "../mutable.ts";
import { parseQuantity, type Quantity, quantityCeiling, quantityMilliValue } from "../quantity.ts";
import type { ClusterView } from "../request-context.ts";
import { podTotal } from "../resource-totals.ts";
import { compareText } from "../text-order.ts";
import type { Container, KindMap, LimitRangeItem, PersistentVolumeClaim, Pod } from "../types.ts";
import { forbidden } from "./forbidden.ts";

type Resources = Readonly<Record<string, string>>;

const annotation = "kubernetes.io/limit-ranger";
const milliMax = 9_223_372_036_854_775n;

function itemsOf(
  cluster: ClusterView,
  namespace: string | undefined,
): readonly (readonly LimitRangeItem[])[] {
  return cluster
    .list("LimitRange", namespace ?? "default")
    .map((range) => range.spec?.limits ?? []);
}

/** Gives the containers of a new pod what they do not ask for themselves. True where there was something to give. */
export function setLimitDefaults(pod: Mutable<Pod>, cluster: ClusterView): boolean {
  let isChanged = false;
  for (const items of itemsOf(cluster, pod.metadata.namespace)) {
    const notes: string[] = [];
    const limits: Record<string, string> = {};
    const requests: Record<string, string> = {};
    for (const item of items) {
      if (item.type !== "Container") continue;
      Object.assign(limits, item.default);
      Object.assign(requests, item.defaultRequest);
    }
    for (const container of pod.spec.containers ?? [])
      fill(container, "container", limits, requests, notes);
    for (const container of pod.spec.initContainers ?? [])
      fill(container, "init container", limits, requests, notes);
    if (notes.length === 0) continue;
    isChanged = true;
    pod.metadata.annotations = {
      ...pod.metadata.annotations,
      [annotation]: `LimitRanger plugin set: ${notes.join("; ")}`,
    };
  }
  return isChanged;
}

function fill(
  container: Mutable<Container>,
  what: string,
  limits: Resources,
  requests: Resources,
  notes: string[],
): void {
  container.resources ??= {};
  const missing = (given: Resources | undefined, defaults: Resources): string[] =>
    Object.keys(defaults)
      .filter((name) => given?.[name] === undefined)
      .sort(compareText);
  const addedLimits = missing(container.resources.limits, limits);
  const addedRequests = missing(container.resources.requests, requests);
  if (addedRequests.length > 0) {
    container.resources.requests = { ...requests, ...container.resources.requests };
    notes.push(`${addedRequests.join(", ")} request for ${what} ${container.name}`);
  }
  if (addedLimits.length > 0) {
    container.resources.limits = { ...limits, ...container.resources.limits };
    notes.push(`${addedLimits.join(", ")} limit for ${what} ${container.name}`);
  }
}

/** Claims are looked at on every write until they are deleted, whoever writes; pods only when they are new. */
export function checkLimits(
  object: KindMap[Kind],
  old: KindMap[Kind] | undefined,
  cluster: ClusterView,
): ApiError | undefined {
  if (object.kind !== "PersistentVolumeClaim" && !(object.kind === "Pod" && old === undefined))
    return undefined;
  if (old?.metadata.deletionTimestamp !== undefined) return undefined;
  for (const items of itemsOf(cluster, object.metadata.namespace)) {
    const complaints = items.flatMap((item) =>
      object.kind === "Pod" ? podComplaints(object, item) : claimComplaints(object, item),
    );
    if (complaints.length > 0)
      return forbidden(
        object,
        complaints.length === 1 ? (complaints[0] ?? "") : `[${complaints.join(", ")}]`,
      );
  }
  return undefined;
}

function claimComplaints(claim: PersistentVolumeClaim, item: LimitRangeItem): readonly string[] {
  if (item.type !== "PersistentVolumeClaim") return [];
  const requests = claim.spec.resources?.requests ?? {};
  return [
    ...each(item.min, (name, bound) => belowMinimum(item.type, name, bound, requests, undefined)),
    ...each(item.max, (name, bound) => requestAboveMaximum(item.type, name, bound, requests)),
  ];
}

function podComplaints(pod: Pod, item: LimitRangeItem): readonly string[] {
  const containers = [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])];
  if (item.type === "Container") {
    return containers.flatMap(({ resources }) =>
      bounds(item, resources?.requests ?? {}, resources?.limits ?? {}),
    );
  }
  if (item.type !== "Pod") return [];
  return bounds(item, totalOf(pod, "requests"), totalOf(pod, "limits"));
}

function totalOf({ spec }: Pod, list: "requests" | "limits"): Resources {
  return Object.fromEntries(
    [...podTotal(spec, list)].map(([name, quantity]) => [name, quantity.text]),
  );
}

function bounds(item: LimitRangeItem, requests: Resources, limits: Resources): readonly string[] {
  return [
    ...each(item.min, (name, bound) => belowMinimum(item.type, name, bound, requests, limits)),
    ...each(item.max, (name, bound) => aboveMaximum(item.type, name, bound, requests, limits)),
    ...each(item.maxLimitRequestRatio, (name, bound) =>
      aboveRatio(item.type, name, bound, requests, limits),
    ),
  ];
}

function each(
  list: Resources | undefined,
  check: (name: string, bound: Quantity) => string | undefined,
): readonly string[] {
  return Object.keys(list ?? {})
    .sort(compareText)
    .flatMap((name) => {
      const bound = parseQuantity(list?.[name] ?? "");
      const complaint = bound === undefined ? undefined : check(name, bound);
      return complaint === undefined ? [] : [complaint];
    });
}

/** In thousandths if all of them fit, else in whole numbers. */
function comparable(...quantities: readonly Quantity[]): readonly bigint[] {
  const fits = quantities.every((quantity) => quantityCeiling(quantity) <= milliMax);
  return quantities.map((quantity) =>
    fits ? quantityMilliValue(quantity) : quantityCeiling(quantity),
  );
}

function exceeds(value: Quantity, bound: Quantity): boolean {
  const [v = 0n, b = 0n] = comparable(value, bound);
  return v > b;
}

function read(list: Resources | undefined, name: string): Quantity | undefined {
  const text = list?.[name];
  return text === undefined ? undefined : parseQuantity(text);
}

function belowMinimum(
  type: string,
  name: string,
  bound: Quantity,
  requests: Resources,
  limits: Resources | undefined,
): string | undefined {
  const what = `minimum ${name} usage per ${type} is ${bound.text}`;
  const request = read(requests, name);
  const limit = read(limits, name);
  if (request === undefined) return `${what}.  No request is specified`;
  if (exceeds(bound, request)) return `${what}, but request is ${request.text}`;
  return limit !== undefined && exceeds(bound, limit)
    ? `${what}, but limit is ${limit.text}`
    : undefined;
}

function requestAboveMaximum(
  type: string,
  name: string,
  bound: Quantity,
  requests: Resources,
): string | undefined {
  const what = `maximum ${name} usage per ${type} is ${bound.text}`;
  const request = read(requests, name);
  if (request === undefined) return `${what}.  No request is specified`;
  return exceeds(request, bound) ? `${what}, but request is ${request.text}` : undefined;
}

function aboveMaximum(
  type: string,
  name: string,
  bound: Quantity,
  requests: Resources,
  limits: Resources,
): string | undefined {
  const what = `maximum ${name} usage per ${type} is ${bound.text}`;
  const request = read(requests, name);
  const limit = read(limits, name);
  if (limit === undefined) return `${what}.  No limit is specified`;
  if (exceeds(limit, bound)) return `${what}, but limit is ${limit.text}`;
  return request !== undefined && exceeds(request, bound)
    ? `${what}, but request is ${request.text}`
    : undefined;
}

function aboveRatio(
  type: string,
  name: string,
  bound: Quantity,
  requests: Resources,
  limits: Resources,
): string | undefined {
  const what = `${name} max limit to request ratio per ${type} is ${bound.text}`;
  const request = read(requests, name);
  const limit = read(limits, name);
  if (request === undefined || request.nanos === 0n)
    return `${what}, but no request is specified or request is 0`;
  if (limit === undefined || limit.nanos === 0n)
    return `${what}, but no limit is specified or limit is 0`;
  const ratio = Number(limit.nanos) / Number(request.nanos);
  return ratio > Number(bound.nanos) / 1e9
    ? `${what}, but provided ratio is ${ratio.toFixed(6)}`
    : undefined;
}
