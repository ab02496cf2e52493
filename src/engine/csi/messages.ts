/** CSI messages with the field names of csi.proto (v1.12); 64-bit numbers are strings, zero values are left out. */
import type { Secret } from "../api/types.ts";

export interface VolumeCapability {
  readonly block?: Readonly<Record<string, never>>;
  readonly mount?: MountCapability;
  readonly access_mode?: { readonly mode: string };
}

export interface MountCapability {
  readonly fs_type?: string;
  readonly mount_flags?: readonly string[];
  readonly volume_mount_group?: string;
}

export interface CapacityRange {
  readonly required_bytes?: string;
  readonly limit_bytes?: string;
}

export interface Topology {
  readonly segments: Readonly<Record<string, string>>;
}

export interface TopologyRequirement {
  readonly requisite?: readonly Topology[];
  readonly preferred?: readonly Topology[];
}

export interface VolumeContentSource {
  readonly snapshot?: { readonly snapshot_id: string };
  readonly volume?: { readonly volume_id: string };
}

export interface VolumeMessage {
  readonly volume_id: string;
  readonly capacity_bytes: string;
  readonly volume_context: Readonly<Record<string, string>>;
  readonly content_source?: VolumeContentSource;
  readonly accessible_topology?: readonly Topology[];
}

export interface SnapshotMessage {
  readonly snapshot_id: string;
  readonly source_volume_id: string;
  readonly size_bytes: string;
  readonly creation_time: { readonly seconds: string; readonly nanos: number };
  readonly ready_to_use: boolean;
}

/** Stands for a secret in a request, so that none gets into traces and files; csi-lib-utils prints the same. */
export const strippedSecrets = "***stripped***";

/** A secret as its driver gets it: its keys, the only part that is checked, if they are known. */
export type GivenSecrets = typeof strippedSecrets | readonly string[];

/** An empty Secret counts as one with unknown keys, filled by somebody else. */
export function givenSecrets({ data = {} }: Secret): GivenSecrets {
  const keys = Object.keys(data);
  return keys.length === 0 ? strippedSecrets : keys;
}

/** The request as it may be recorded. */
export function withoutSecrets<T extends object>(request: T): T {
  return "secrets" in request ? { ...request, secrets: strippedSecrets } : request;
}

/** Every field that a request of any call has. */
export interface CsiRequest {
  readonly name?: string;
  readonly volume_id?: string;
  readonly node_id?: string;
  readonly snapshot_id?: string;
  readonly source_volume_id?: string;
  readonly capacity_range?: CapacityRange;
  readonly volume_capabilities?: readonly VolumeCapability[];
  readonly volume_capability?: VolumeCapability;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly mutable_parameters?: Readonly<Record<string, string>>;
  readonly volume_content_source?: VolumeContentSource;
  readonly accessibility_requirements?: TopologyRequirement;
  readonly accessible_topology?: Topology;
  readonly readonly?: boolean;
  readonly volume_context?: Readonly<Record<string, string>>;
  readonly secrets?: GivenSecrets;
  readonly publish_context?: Readonly<Record<string, string>>;
  readonly staging_target_path?: string;
  readonly target_path?: string;
  readonly volume_path?: string;
}
