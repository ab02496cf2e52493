/**
 * Whether a driver says that it has room for a claim where a node is. Upstream: kube-scheduler v1.36
 * plugins/volumebinding/binder.go hasEnoughCapacity, capacitySufficient. Each claim is compared alone; nothing is reserved.
 */
import { labelSelectorMatches } from "../../api/label-selector.ts";
import { compareQuantities, parseQuantity, type Quantity } from "../../api/quantity.ts";
import type {
  CSIStorageCapacity,
  Node,
  PersistentVolumeClaim,
  StorageClass,
} from "../../api/types.ts";
import type { ComponentContext } from "../../runtime/component.ts";

const byClass = "storage class";

/** The largest volume that fits; undefined where the driver does not say. Upstream: volumeLimit. */
export function volumeLimit(capacity: CSIStorageCapacity): Quantity | undefined {
  const text = capacity.maximumVolumeSize ?? capacity.capacity;
  return text === undefined ? undefined : parseQuantity(text);
}

/** Tells for one claim after the other which nodes have room; undefined where any node has. */
export type CapacityCheck = (
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
) => ((node: Node) => boolean) | undefined;

/** Drivers that do not publish capacity have room everywhere. */
export function capacityCheck(context: ComponentContext): CapacityCheck {
  const drivers = context.informer("CSIDriver");
  const capacities = context.informer("CSIStorageCapacity");
  capacities.index(byClass, (capacity) => [capacity.storageClassName]);
  return (claim, storageClass) => {
    if (drivers.get(storageClass.provisioner)?.spec.storageCapacity !== true) return undefined;
    const wanted = claim.spec.resources?.requests?.["storage"];
    const size = wanted === undefined ? undefined : parseQuantity(wanted);
    if (size === undefined) return undefined;
    const sufficient = capacities
      .byIndex(byClass, storageClass.metadata.name)
      .filter((capacity) => {
        const limit = volumeLimit(capacity);
        return limit !== undefined && compareQuantities(limit, size) >= 0;
      });
    return ({ metadata }) =>
      sufficient.some(({ nodeTopology }) => labelSelectorMatches(nodeTopology, metadata.labels));
  };
}
