/** Raw devices used as file systems, and file systems used as raw devices. */

import { type Fields, fieldsAt, listAt, textAt } from "../../workspace/manifest-fields.ts";
import type { Path } from "../../yaml/place.ts";
import { type ClaimFacts, claimIndex } from "../facts/claim-facts.ts";
import { type ClaimMount, claimMounts } from "../facts/claim-mounts.ts";
import { subPathField } from "../facts/sub-path-field.ts";
import type { EnvironmentContext, EnvironmentRule, ObjectReport, RelatedReport } from "../rule.ts";

export const blockClaimMounted: EnvironmentRule = {
  id: "block-claim-mounted",
  severity: "error",
  scope: "environment",
  explainsOutcome: "of-field",
  *check(context) {
    for (const mount of blockMounts(context)) {
      if (subPathField(mount.fields) !== undefined) continue;
      yield mountReport(
        mount,
        "mountPath",
        "A Block volume cannot be mounted; use volumeDevices, or a claim with volumeMode Filesystem",
      );
    }
  },
};

/** More specific than block-claim-mounted: the volume cannot have sub-directories. */
export const subpathOnBlock: EnvironmentRule = {
  id: "subpath-on-block",
  severity: "error",
  scope: "environment",
  explainsOutcome: "of-field",
  *check(context) {
    for (const mount of blockMounts(context)) {
      const field = subPathField(mount.fields);
      if (field === undefined) continue;
      yield mountReport(
        mount,
        field,
        "The claim is a raw device, which has no sub-directories; use a claim with volumeMode Filesystem",
      );
    }
  },
};

export const filesystemClaimDevice: EnvironmentRule = {
  id: "filesystem-claim-device",
  severity: "error",
  scope: "environment",
  explainsOutcome: "of-field",
  *check(context) {
    for (const device of claimMounts(context, "volumeDevices")) {
      if (device.use.claim.volumeMode !== "Filesystem") continue;
      yield mountReport(
        device,
        "devicePath",
        "The claim has volumeMode Filesystem; only a claim with volumeMode Block is a device",
      );
    }
  },
};

function blockMounts(context: EnvironmentContext): readonly ClaimMount[] {
  return claimMounts(context, "volumeMounts").filter(({ use }) => use.claim.volumeMode === "Block");
}

function mountReport({ use, path }: ClaimMount, field: string, message: string): ObjectReport {
  return {
    entry: use.workload,
    path: [...path, field],
    message,
    related: [volumeModeOf(use.claim)],
  };
}

function volumeModeOf({ entry, path, spec, volumeMode }: ClaimFacts): RelatedReport {
  const field = spec["volumeMode"] === undefined ? path : [...path, "volumeMode"];
  return { entry, path: field, message: `The claim has volumeMode ${volumeMode}` };
}

export const blockMountOptions: EnvironmentRule = ignoredForBlock(
  "block-mount-options",
  "Mount options are ignored for Block volumes",
  (volume) => (listAt(volume, "mountOptions").length > 0 ? ["mountOptions"] : undefined),
  (storageClass) =>
    listAt(storageClass, "mountOptions").length > 0 ? ["mountOptions"] : undefined,
);

const fsTypeKeys: readonly string[] = ["csi.storage.k8s.io/fstype", "fstype", "fsType"];

export const blockFstype: EnvironmentRule = ignoredForBlock(
  "block-fstype",
  "fsType is ignored for Block volumes",
  (volume) => {
    const source = Object.keys(volume).find(
      (field) => (textAt(volume, field, "fsType") ?? "") !== "",
    );
    return source === undefined ? undefined : [source, "fsType"];
  },
  (storageClass) => {
    const parameters = fieldsAt(storageClass, "parameters");
    const key = fsTypeKeys.find((candidate) => parameters[candidate] !== undefined);
    return key === undefined ? undefined : ["parameters", key];
  },
);

/** A rule on what is ignored in a volume with volumeMode Block, and in a class that makes only such volumes. */
function ignoredForBlock(
  id: string,
  message: string,
  ofVolume: (spec: Fields) => Path | undefined,
  ofClass: (storageClass: Fields) => Path | undefined,
): EnvironmentRule {
  return {
    id,
    severity: "warning",
    scope: "environment",
    looksAtAll: true,
    *check(context) {
      const modes = volumeModesByClass(context);
      for (const entry of context.environment.objects) {
        const { kind, served, name, value } = entry.object;
        if (!served) continue;
        const spec = fieldsAt(value, "spec");
        if (kind === "PersistentVolume" && spec["volumeMode"] === "Block") {
          const path = ofVolume(spec);
          if (path !== undefined) yield { entry, message, ...left(["spec", ...path]) };
        }
        const [mode, ...others] = modes.get(kind === "StorageClass" ? name : "") ?? [];
        if (kind !== "StorageClass" || mode !== "Block" || others.length > 0) continue;
        const path = ofClass(value);
        if (path !== undefined)
          yield {
            entry,
            ...left(path),
            message: `${message}, and all claims of this class are`,
            severity: "information",
          };
      }
    },
  };
}

/**
 * The fix removes the ignored field. Not part of Fix all, because the server refuses some of these changes for an existing
 * volume or class.
 */
function left(path: Path): Pick<ObjectReport, "path" | "fix"> {
  const title = `Remove ${path.at(-1)}`;
  return { path, fix: { title, path, value: null, isChoice: true } };
}

function volumeModesByClass(context: EnvironmentContext): ReadonlyMap<string, ReadonlySet<string>> {
  const modes = new Map<string, Set<string>>();
  for (const { className = "", volumeMode } of claimIndex(context).claims)
    modes.set(className, (modes.get(className) ?? new Set()).add(volumeMode));
  return modes;
}
