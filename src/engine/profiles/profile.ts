/** A distribution's cluster: machines, installed drivers, shipped classes. */
import type { Manifest, NodeProfile } from "../scenario.ts";

export interface DistributionProfile {
  readonly name: string;
  readonly title: string;
  readonly nodes: readonly NodeProfile[];
  /** Nodes of another kind, in the same zones. */
  readonly otherNodes?: readonly NodeProfile[];
  /** The nodes have these names in every such cluster; other profiles' names are made up. */
  readonly hasRealNames?: true;
  /** Installed CSI drivers and provisioners by name; their traits come from the catalogue. */
  readonly drivers: readonly string[];
  readonly manifests: readonly Manifest[];
  /** True if the driver's node plugin runs on the node; on all nodes where absent. */
  runsOn?(driver: string, node: NodeProfile): boolean;
  /** Drivers that no other distribution ships: one in the workspace suggests this distribution. */
  readonly tellTale: readonly string[];
  /**
   * Returns the region of a zone, or undefined if its name does not tell. Its cloud labels each node with it. Upstream:
   * k8s.io/cloud-provider v0.36 controllers/node/node_controller.go getNodeModifiersFromCloudProvider.
   */
  regionOf?(zone: string): string | undefined;
  /** Where local-path creates its directories, if not where its own manifests say. */
  readonly localPath?: string;
  /** Its drivers need no particular cloud or machine, so they may be installed in another distribution. */
  readonly isPortable?: true;
}

/** A StorageClass as a distribution ships it. */
export function storageClass(
  name: string,
  provisioner: string,
  options: {
    readonly isDefault?: boolean;
    readonly parameters?: Readonly<Record<string, string>>;
    readonly reclaimPolicy?: "Delete" | "Retain";
    readonly binding?: "Immediate" | "WaitForFirstConsumer";
    readonly expandable?: boolean;
    readonly mountOptions?: readonly string[];
  } = {},
): Manifest {
  const {
    isDefault,
    parameters,
    reclaimPolicy = "Delete",
    binding = "Immediate",
    expandable,
    mountOptions,
  } = options;
  return {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: {
      name,
      ...(isDefault === true && {
        annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
      }),
    },
    provisioner,
    ...(parameters !== undefined && { parameters }),
    reclaimPolicy,
    volumeBindingMode: binding,
    ...(expandable !== undefined && { allowVolumeExpansion: expandable }),
    ...(mountOptions !== undefined && { mountOptions }),
  };
}

/** One worker in each zone, named `PREFIX-1`, `PREFIX-2` … */
export function workers(
  prefix: string,
  zones: readonly string[],
  labels: Readonly<Record<string, string>> = {},
): readonly NodeProfile[] {
  return zones.map((zone, i) => ({
    name: `${prefix}-${i + 1}`,
    zone,
    labels: { "topology.kubernetes.io/zone": zone, ...labels },
  }));
}
