/**
 * Decides when an environment may be judged in parts. Pods of different islands share the nodes, so parts give the right
 * outcome only if nothing can take room from anything else: if all pods together fit on each single node. When in doubt, the
 * answer is no.
 */
import { nanosPerOne, parseQuantity } from "../../../engine/api/quantity.ts";
import { capacitiesOfNodes } from "../../../engine/profiles/assume-cluster.ts";
import type { ClusterProfile } from "../../../engine/scenario.ts";
import type { Environment } from "../../workspace/environment.ts";
import {
  type Fields,
  fieldsAt,
  itemsOf,
  listAt,
  podSpecOf,
} from "../../workspace/manifest-fields.ts";
import { podCountOf } from "../../workspace/objects/pod-count.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import { plainText } from "../../yaml/manifest.ts";
import { textOf } from "../object-text.ts";

/** Up to this many objects, parting saves no noticeable time. */
const smallEnvironment = 40;
/** From this many objects on, parts take longer at first than one run of everything. */
const largeEnvironment = 1500;

/** `small` replaces the usual lower bound. */
export function isWorthParting(
  { objects, imported }: Environment,
  small: number = smallEnvironment,
): boolean {
  // Anything that already runs in an imported cluster may be related to any object.
  return imported === undefined && objects.length > small;
}

export function mayBeParted(
  environment: Environment,
  cluster: ClusterProfile,
  small?: number,
): boolean {
  const { objects } = environment;
  if (!isWorthParting(environment, small) || objects.length > largeEnvironment) return false;
  const sharesMore = objects.some(({ object: { kind } }) => coupledByRoom.has(kind));
  return !sharesMore && fitsOnEachNode(objects, cluster);
}

/** Everything about an object that decides whether the environment may be parted; "" if nothing does. */
export function shownToParting(entry: WorkspaceObject): string {
  const { object } = entry;
  const counts = coupledByRoom.has(object.kind) || object.kind === "CSINode";
  return counts || askedByOnePod(entry) !== undefined ? textOf(object) : "";
}

/** Defaults for containers, overhead of pods, and pools of storage: all pods and claims share them. */
const coupledByRoom: ReadonlySet<string> = new Set([
  "CSIStorageCapacity",
  "LimitRange",
  "RuntimeClass",
]);

function fitsOnEachNode(objects: readonly WorkspaceObject[], cluster: ClusterProfile): boolean {
  const asked = new Map<string, bigint>();
  let attached = 0;
  for (const entry of objects) {
    const one = askedByOnePod(entry);
    if (one === undefined) continue;
    const pods = podCountMax(entry, cluster.nodes.length);
    if (!Number.isSafeInteger(pods)) return false;
    add(asked, "pods", BigInt(pods) * nanosPerOne);
    for (const [resource, nanos] of one.requests) add(asked, resource, BigInt(pods) * nanos);
    attached += pods * one.volumeCount;
  }
  const hasRoom = capacitiesOfNodes(cluster).every((capacity) =>
    [...asked].every(([resource, nanos]) => {
      const room = parseQuantity(capacity[resource] ?? "0")?.nanos ?? 0n;
      return nanos <= room;
    }),
  );
  return hasRoom && attached <= attachLimit(objects, cluster);
}

export interface PodNeeds {
  /** In billionths of a unit. */
  readonly requests: ReadonlyMap<string, bigint>;
  /** True if the scheduler counts exactly this: no more because of a class, no less. */
  readonly isExact: boolean;
  readonly volumeCount: number;
}

/** Undefined for objects that make no pods. */
export function askedByOnePod(entry: WorkspaceObject): PodNeeds | undefined {
  const known = needs.get(entry.object);
  if (known !== undefined) return known;
  const podSpec = podSpecOf(entry.object)?.fields;
  if (podSpec === undefined) return undefined;
  const found = {
    requests: requestsOf(podSpec),
    isExact: ["initContainers", "resources", "runtimeClassName"].every(
      (field) => podSpec[field] === undefined,
    ),
    volumeCount: volumeCount(entry, podSpec),
  };
  needs.set(entry.object, found);
  return found;
}

// Cached, because every edit sums up what all objects ask for.
const needs = new WeakMap<WorkspaceObject["object"], PodNeeds>();

function add(sums: Map<string, bigint>, key: string, value: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + value);
}

/** Doubled, because during a rollout there may be twice as many. */
export function podCountMax({ object }: WorkspaceObject, nodeCount: number): number {
  if (object.kind === "Pod") return 1;
  return 2 * (object.kind === "DaemonSet" ? nodeCount : podCountOf(object).count);
}

/** Sums all containers as if they ran at once; a missing request is taken from the limit. */
function requestsOf(podSpec: Fields): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const list of ["initContainers", "containers"])
    for (const { fields } of itemsOf(podSpec[list], []))
      addAll(sums, {
        ...fieldsAt(fields, "resources", "limits"),
        ...fieldsAt(fields, "resources", "requests"),
      });
  addAll(sums, {
    ...fieldsAt(podSpec, "resources", "limits"),
    ...fieldsAt(podSpec, "resources", "requests"),
  });
  addAll(sums, fieldsAt(podSpec, "overhead"));
  return sums;
}

function addAll(sums: Map<string, bigint>, quantities: Fields): void {
  for (const [resource, given] of Object.entries(quantities))
    add(sums, resource, parseQuantity(plainText(given))?.nanos ?? 0n);
}

/** Counts the volumes that a driver may count against its limit. */
function volumeCount({ object: { value } }: WorkspaceObject, podSpec: Fields): number {
  const volumes = itemsOf(podSpec["volumes"], []).filter(
    ({ fields }) => !Object.keys(fields).some((source) => unlimited.has(source)),
  );
  return volumes.length + listAt(value, "spec", "volumeClaimTemplates").length;
}

const unlimited: ReadonlySet<string> = new Set([
  "configMap",
  "downwardAPI",
  "emptyDir",
  "hostPath",
  "nfs",
  "projected",
  "secret",
]);

/** The lowest limit of any driver on any node; infinite if there is none. */
function attachLimit(objects: readonly WorkspaceObject[], { drivers }: ClusterProfile): number {
  const ofDrivers = drivers.map(({ maxVolumesPerNode }) => maxVolumesPerNode);
  const ofNodes = objects
    .filter(({ object: { kind } }) => kind === "CSINode")
    .flatMap(({ object }) => itemsOf(listAt(object.value, "spec", "drivers"), []))
    .map(({ fields }) => fieldsAt(fields, "allocatable")["count"]);
  const limits = [...ofDrivers, ...ofNodes].filter(
    (limit): limit is number => typeof limit === "number" && limit > 0,
  );
  return Math.min(Number.POSITIVE_INFINITY, ...limits);
}
