/**
 * Whether a driver reports enough capacity for a claim at a node. Upstream: kube-scheduler v1.36
 * plugins/volumebinding/binder.go hasEnoughCapacity, capacitySufficient. Each claim is compared alone; nothing is reserved.
 */
import { requestedStorage } from "../../api/claim-size.ts";
import { compareText } from "../../api/go/text-order.ts";
import { compareQuantities, parseQuantity, type Quantity } from "../../api/quantity.ts";
import { type Labels, labelSelectorMatches } from "../../api/selection/label-selector.ts";
import type {
  CSIStorageCapacity,
  LabelSelector,
  Node,
  PersistentVolumeClaim,
  StorageClass,
} from "../../api/types.ts";
import type { ComponentContext } from "../../runtime/component.ts";

const byClass = "storage class";

/** The largest volume that fits; undefined if the driver does not say. Upstream: volumeLimit. */
export function volumeLimit(capacity: CSIStorageCapacity): Quantity | undefined {
  const text = capacity.maximumVolumeSize ?? capacity.capacity;
  return text === undefined ? undefined : parseQuantity(text);
}

/** The largest volume of a class that the driver reports to fit on a node; undefined if it reports none. For explanations. */
export type MostRoom = (className: string, node: Node) => Quantity | undefined;

export function mostRoom(context: ComponentContext): MostRoom {
  const capacities = context.informer("CSIStorageCapacity");
  return (className, node) =>
    capacities
      .byIndex(byClass, className)
      .flatMap((capacity) => {
        const isThere = labelSelectorMatches(capacity.nodeTopology, node.metadata.labels);
        return (isThere ? volumeLimit(capacity) : undefined) ?? [];
      })
      .reduce<Quantity | undefined>(
        (most, limit) => (most === undefined || compareQuantities(limit, most) > 0 ? limit : most),
        undefined,
      );
}

/** Returns which nodes have room for a claim; undefined if every node has. */
export type CapacityCheck = (
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
) => RoomCheck | undefined;

export type RoomCheck = (node: Node) => boolean;

/** Drivers that do not publish capacity have room everywhere. */
export function capacityCheck(context: ComponentContext): CapacityCheck {
  const drivers = context.informer("CSIDriver");
  const capacities = context.informer("CSIStorageCapacity");
  capacities.index(byClass, (capacity) => [capacity.storageClassName]);
  /** By class and size, until a capacity changes: most claims request one of a few sizes. */
  const known = new Map<string, RoomCheck>();
  const forget = (): void => known.clear();
  capacities.on({ add: forget, update: forget, delete: forget });
  return (claim, { metadata: { name }, provisioner }) => {
    if (drivers.get(provisioner)?.spec.storageCapacity !== true) return undefined;
    const wanted = requestedStorage(claim);
    const size = wanted === undefined ? undefined : parseQuantity(wanted);
    if (size === undefined) return undefined;
    const key = `${name} ${wanted ?? ""}`;
    let check = known.get(key);
    if (check === undefined) {
      const sufficient = capacities.byIndex(byClass, name).filter((capacity) => {
        const limit = volumeLimit(capacity);
        return limit !== undefined && compareQuantities(limit, size) >= 0;
      });
      check = roomCheck(sufficient.map(({ nodeTopology }) => nodeTopology));
      known.set(key, check);
    }
    return check;
  };
}

/** True for nodes that match one of the selectors. Drivers select by the values of few labels, which are looked up in a set. */
function roomCheck(selectors: readonly (LabelSelector | undefined)[]): RoomCheck {
  const byLabels = new Map<string, { readonly keys: readonly string[]; values: Set<string> }>();
  const others: LabelSelector[] = [];
  for (const selector of selectors) {
    if (selector === undefined) continue;
    const { matchLabels = {}, matchExpressions = [] } = selector;
    if (matchExpressions.length > 0) {
      others.push(selector);
      continue;
    }
    const keys = Object.keys(matchLabels).sort(compareText);
    const group = byLabels.get(keys.join()) ?? { keys, values: new Set() };
    group.values.add(valuesText(keys, matchLabels));
    byLabels.set(keys.join(), group);
  }
  const groups = [...byLabels.values()];
  return ({ metadata: { labels } }) =>
    groups.some(({ keys, values }) => values.has(valuesText(keys, labels))) ||
    others.some((selector) => labelSelectorMatches(selector, labels));
}

/** Label values contain no commas, so a missing label differs from every value. */
function valuesText(keys: readonly string[], labels: Labels | undefined): string {
  return keys.map((key) => labels?.[key] ?? ",").join();
}
