/**
 * What is known about one real driver: traits for the engine, parameters for the checks of StorageClasses, and the source of
 * both.
 */
import { allAccessModes } from "../../api/access-modes.ts";
import type { DriverProfile } from "../driver-profile.ts";
import type { SecretCondition, SecretNeed } from "../secret-need.ts";

export interface CatalogueEntry {
  readonly name: string;
  readonly title: string;
  /** What differs from the defaults of driver-profile.ts. */
  readonly traits: Partial<Omit<DriverProfile, "name">>;
  /** Keys that the driver reads from StorageClass.parameters; absent if the list may be incomplete. */
  readonly parameters?: readonly string[];
  readonly requiredParameters?: readonly string[];
  /** Prefixes of further keys that the driver accepts. */
  readonly parameterPrefixes?: readonly string[];
  /** Values that the driver documents, by parameter. */
  readonly parameterValues?: Readonly<Record<string, readonly string[]>>;
  /** Parameters that accept only their `parameterValues`. */
  readonly closedParameters?: readonly string[];
  /** Secrets that the driver's operator creates, in the namespace of its storage cluster; none if absent. */
  readonly operatorSecrets?: readonly string[];
  /** What it logs in with to mount a volume; absent if it refuses to mount without, or if this was not checked. */
  readonly login?: Login;
  /**
   * True if the root of a new file system keeps root as owner and mode 0755 from mkfs; absent if the driver opens it, or if
   * this was not checked.
   */
  readonly keepsRootOwner?: boolean;
  /** True if mount options are arguments of the driver's own program, with a value after a space. */
  readonly takesArguments?: true;
  /** How it mounts with FUSE, if that keeps users other than root out, or from writing. */
  readonly fuse?: FuseMount;
  /** True if, as the driver is usually installed, it reports each label of a node as a topology key. */
  readonly reportsNodeLabels?: boolean;
  /** Traits not found in the source; the defaults are assumed. */
  readonly unknown?: readonly (keyof CatalogueEntry["traits"])[];
  readonly source: {
    readonly repository: string;
    readonly commit: string;
    readonly files: readonly string[];
  };
}

/** For a driver that leaves missing credentials empty, which a server may accept. */
export interface Login {
  readonly needs: readonly SecretNeed[];
  /** No login is needed if a mount option or a key of the secret contains one of these, in any case. */
  readonly otherwise: readonly string[];
}

/** To the kernel all files of such a mount have one owner and one mode, which the FUSE program decides. */
export interface FuseMount {
  /** Without this mount option only root and the program's own user have access. */
  readonly letsOthersIn?: string;
  readonly ownUser?: number;
  /** A pod's fsGroup gives its group access, including writes. */
  readonly takesGroup?: true;
  /** Only owner and root may write, unless mount options name an owner, a group or modes. */
  readonly isOwnersToWrite?: true;
}

export const readWriteOnce: readonly string[] = ["ReadWriteOnce", "ReadWriteOncePod"];
export const fileSystemOnly: readonly string[] = ["Filesystem"];
/** The texts that drivers read as true and false, in any case. Upstream: Go's strconv.ParseBool. */
export const truths: readonly string[] = ["true", "t", "1"];
export const untruths: readonly string[] = ["false", "f", "0"];

/** Conditions for a call without a secret, and for one whose secret lacks the key. */
export function withoutKey(key: string): readonly SecretCondition[] {
  return [{ lacksSecrets: true }, { secretNeed: { oneOf: [key] } }];
}

/** Traits of a file share: reachable from everywhere, never attached, expanded without a node step. */
export const fileShare: CatalogueEntry["traits"] = {
  attachRequired: false,
  accessModes: allAccessModes,
  volumeModes: fileSystemOnly,
  expansion: { controller: true, node: false, online: true },
  singleNodeMultiWriter: false,
};

export const noExpansion: DriverProfile["expansion"] = {
  controller: false,
  node: false,
  online: false,
};
