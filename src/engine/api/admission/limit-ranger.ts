/** Defaults and bounds of LimitRanges. Upstream: plugin/pkg/admission/limitranger/admission.go, v1.36. */
import { aggregated, goFloat } from "../go/text.ts";
import { compareText } from "../go/text-order.ts";
import type { ApiError, KubeObject } from "../meta.ts";
import type { Mutable } from "../mutable.ts";
import { containersAtCreation } from "../pod-containers.ts";
import {
  parseQuantity,
  type Quantity,
  quantityCeiling,
  quantityMilliValue,
  zeroQuantity,
} from "../quantity.ts";
import type { ClusterView } from "../request-context.ts";
import { containerTotal } from "../resource-totals.ts";
import type { Container, LimitRangeItem, PersistentVolumeClaim, Pod } from "../types.ts";
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

/** Fills in the missing requests and limits of a new pod's containers. True if it changed the pod. */
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

/** Claims are checked on every write until they are being deleted, whoever writes; pods only on create. */
export function checkLimits(
  object: KubeObject,
  old: KubeObject | undefined,
  cluster: ClusterView,
): ApiError | undefined {
  if (object.kind !== "PersistentVolumeClaim" && !(object.kind === "Pod" && old === undefined))
    return undefined;
  if (old?.metadata.deletionTimestamp !== undefined) return undefined;
  for (const items of itemsOf(cluster, object.metadata.namespace)) {
    const complaints = items.flatMap((item) =>
      object.kind === "Pod" ? podComplaints(object, item) : claimComplaints(object, item),
    );
    if (complaints.length > 0) return forbidden(object, aggregated(complaints));
  }
  return undefined;
}

function claimComplaints(claim: PersistentVolumeClaim, item: LimitRangeItem): readonly string[] {
  if (item.type !== "PersistentVolumeClaim") return [];
  const asked = { requests: claim.spec.resources?.requests ?? {}, limits: {} };
  return [
    ...each(item.min, (name, bound) => belowMinimum(item.type, bound, amounts(asked, name))),
    ...each(item.max, (name, bound) => requestAboveMaximum(item.type, bound, amounts(asked, name))),
  ];
}

function podComplaints(pod: Pod, item: LimitRangeItem): readonly string[] {
  if (item.type === "Container") {
    return containersAtCreation(pod.spec).flatMap(({ resources }) =>
      outOfBounds(item, { requests: resources?.requests ?? {}, limits: resources?.limits ?? {} }),
    );
  }
  if (item.type !== "Pod") return [];
  return outOfBounds(item, { requests: totalOf(pod, "requests"), limits: totalOf(pod, "limits") });
}

/** A pod's own cpu and memory replace its containers'; huge pages do not. Upstream: podRequests, podLimits of this plugin. */
function totalOf({ spec }: Pod, list: "requests" | "limits"): Resources {
  const total: Record<string, string> = {};
  for (const [name, quantity] of containerTotal(spec, list)) total[name] = quantity.text;
  for (const name of ["cpu", "memory"]) {
    const amount = spec.resources?.[list]?.[name];
    if (amount !== undefined) total[name] = amount;
  }
  return total;
}

interface Asked {
  readonly requests: Resources;
  readonly limits: Resources;
}

function outOfBounds(
  { type, min, max, maxLimitRequestRatio }: LimitRangeItem,
  asked: Asked,
): readonly string[] {
  return [
    ...each(min, (name, bound) => belowMinimum(type, bound, amounts(asked, name))),
    ...each(max, (name, bound) => aboveMaximum(type, bound, amounts(asked, name))),
    ...each(maxLimitRequestRatio, (name, bound) => aboveRatio(type, bound, amounts(asked, name))),
  ];
}

function each(
  bounds: Resources | undefined,
  check: (name: string, bound: Quantity) => string | undefined,
): readonly string[] {
  return Object.keys(bounds ?? {})
    .sort(compareText)
    .flatMap((name) => {
      const bound = read(bounds, name);
      const complaint = bound === undefined ? undefined : check(name, bound);
      return complaint === undefined ? [] : [complaint];
    });
}

/** The request and the limit for one resource; undefined if there is none. */
interface Amounts {
  readonly name: string;
  readonly request: Quantity | undefined;
  readonly limit: Quantity | undefined;
}

function amounts({ requests, limits }: Asked, name: string): Amounts {
  return { name, request: read(requests, name), limit: read(limits, name) };
}

function read(resources: Resources | undefined, name: string): Quantity | undefined {
  const text = resources?.[name];
  return text === undefined ? undefined : parseQuantity(text);
}

/** In thousandths if all values fit, else in whole numbers. */
function comparable(...quantities: readonly Quantity[]): readonly bigint[] {
  const fits = quantities.every((quantity) => quantityCeiling(quantity) <= milliMax);
  return quantities.map((quantity) =>
    fits ? quantityMilliValue(quantity) : quantityCeiling(quantity),
  );
}

/** A missing value counts as 0; the largest value decides the precision. Upstream: requestLimitEnforcedValues. */
function observed({ request, limit }: Amounts, bound: Quantity): readonly bigint[] {
  return comparable(request ?? zeroQuantity, limit ?? zeroQuantity, bound);
}

/** Upstream: minConstraint. */
function belowMinimum(type: string, bound: Quantity, asked: Amounts): string | undefined {
  const { name, request, limit } = asked;
  const [requested = 0n, limited = 0n, least = 0n] = observed(asked, bound);
  const what = `minimum ${name} usage per ${type} is ${bound.text}`;
  if (request === undefined) return `${what}.  No request is specified`;
  if (requested < least) return `${what}, but request is ${request.text}`;
  return limit !== undefined && limited < least ? `${what}, but limit is ${limit.text}` : undefined;
}

/** Upstream: maxRequestConstraint. */
function requestAboveMaximum(
  type: string,
  bound: Quantity,
  { name, request }: Amounts,
): string | undefined {
  const what = `maximum ${name} usage per ${type} is ${bound.text}`;
  if (request === undefined) return `${what}.  No request is specified`;
  const [requested = 0n, most = 0n] = comparable(request, bound);
  return requested > most ? `${what}, but request is ${request.text}` : undefined;
}

/** Upstream: maxConstraint. */
function aboveMaximum(type: string, bound: Quantity, asked: Amounts): string | undefined {
  const { name, request, limit } = asked;
  const [requested = 0n, limited = 0n, most = 0n] = observed(asked, bound);
  const what = `maximum ${name} usage per ${type} is ${bound.text}`;
  if (limit === undefined) return `${what}.  No limit is specified`;
  if (limited > most) return `${what}, but limit is ${limit.text}`;
  return request !== undefined && requested > most
    ? `${what}, but request is ${request.text}`
    : undefined;
}

/** Upstream: limitRequestRatioConstraint. */
function aboveRatio(
  type: string,
  bound: Quantity,
  { name, request, limit }: Amounts,
): string | undefined {
  const what = `${name} max limit to request ratio per ${type} is ${bound.text}`;
  if (request === undefined || request.nanos === 0n)
    return `${what}, but no request is specified or request is 0`;
  if (limit === undefined || limit.nanos === 0n)
    return `${what}, but no limit is specified or limit is 0`;
  const [requested = 0n, limited = 0n] = comparable(request, limit, bound);
  const ratio = Number(limited) / Number(requested);
  const whole = quantityCeiling(bound);
  // Floating-point numbers as the server computes them: even a ratio that is just the bound can come out above it.
  const isAbove =
    whole <= milliMax ? ratio * 1000 > Number(quantityMilliValue(bound)) : ratio > Number(whole);
  return isAbove ? `${what}, but provided ratio is ${goFloat(ratio)}` : undefined;
}
