/** What is known of one real driver: traits for the engine, parameters for whoever reads StorageClasses, and where it was read. */
import { allAccessModes } from "../../api/access-modes.ts";
import type { DriverProfile } from "../driver-profile.ts";
import type { SecretCondition, SecretNeed } from "../secret-need.ts";

export interface CatalogueEntry {
  readonly name: string;
  readonly title: string;
  /** What differs from the defaults of driver-profile.ts. */
  readonly traits: Partial<Omit<DriverProfile, "name">>;
  /** Keys that the driver reads from StorageClass.parameters; absent where the list is not known to be complete. */
  readonly parameters?: readonly string[];
  readonly requiredParameters?: readonly string[];
  /** The driver also takes keys that begin so. */
  readonly parameterPrefixes?: readonly string[];
  /** Values that the driver documents, by parameter. */
  readonly parameterValues?: Readonly<Record<string, readonly string[]>>;
  /** Parameters that take nothing but their `parameterValues`. */
  readonly closedParameters?: readonly string[];
  /** Secrets that the driver's operator makes for it, in the namespace of its storage cluster; none where absent. */
  readonly operatorSecrets?: readonly string[];
  /** What it logs in with when it mounts a volume; absent where it refuses to mount without, or nobody has looked. */
  readonly login?: Login;
  /** The root of a new file system is root's own with mode 0755, as mkfs leaves it; absent where the driver opens it or nobody has looked. */
  readonly keepsRootOwner?: boolean;
  /** Mount options are arguments of a program of its own, with a value behind a blank. */
  readonly takesArguments?: true;
  /** How it mounts by FUSE, where that keeps users other than root out, or from writing. */
  readonly fuse?: FuseMount;
  /** Each label of a node is a topology key of it, as the driver is usually installed. */
  readonly reportsNodeLabels?: boolean;
  /** Traits that could not be found in the source: taken to be as the defaults. */
  readonly unknown?: readonly (keyof CatalogueEntry["traits"])[];
  readonly source: {
    readonly repository: string;
    readonly commit: string;
    readonly files: readonly string[];
  };
}

/** The driver goes on with what is missing left empty, and a server may let it. */
export interface Login {
  readonly needs: readonly SecretNeed[];
  /** It needs none where a mount option or a key of the secret has one of these in it, in any case. */
  readonly otherwise: readonly string[];
}

/** To the kernel all files of such a mount have one owner and one mode, which are the program's to say. */
export interface FuseMount {
  /** Without this mount option nobody gets in but root and the program's own user. */
  readonly letsOthersIn?: string;
  readonly ownUser?: number;
  /** A pod's fsGroup lets its group in, and lets it write. */
  readonly takesGroup?: true;
  /** Only owner and root may write, unless mount options name an owner, a group or modes. */
  readonly isOwnersToWrite?: true;
}

export const readWriteOnce: readonly string[] = ["ReadWriteOnce", "ReadWriteOncePod"];
export const fileSystemOnly: readonly string[] = ["Filesystem"];
/** What drivers read as true and as false, in whatever case. Upstream: Go's strconv.ParseBool. */
export const truths: readonly string[] = ["true", "t", "1"];
export const untruths: readonly string[] = ["false", "f", "0"];

/** Of a call that brings no secret, and of one whose secret lacks the key. */
export function withoutKey(key: string): readonly SecretCondition[] {
  return [{ lacksSecrets: true }, { secretNeed: { oneOf: [key] } }];
}

/** A file share: reachable from everywhere, never attached, grown without a node step. */
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
