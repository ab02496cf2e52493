/** Mount options that do not reach the mount command as intended. */
import type { DriverKnowledge } from "../../../engine/csi/catalogue/driver-knowledge.ts";
import { isInTreeName, noProvisioner } from "../../../engine/matching/csi-migration.ts";
import { lastWritten } from "../../workspace/environment.ts";
import { type Fields, fieldsAt, listAt, textAt } from "../../workspace/manifest-fields.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule, EnvironmentRule } from "../rule.ts";

/** Upstream: SupportsMountOption of the in-tree plugins. */
const sourcesWithoutOptions: readonly string[] = ["hostPath", "flexVolume"];

export const mountOptionsUnsupported: DocumentRule = objectRule(
  "mount-options-unsupported",
  "warning",
  { kinds: ["PersistentVolume"] },
  function* ({ value }) {
    const spec = fieldsAt(value, "spec");
    if (listAt(spec, "mountOptions").length === 0) return;
    const source = sourcesWithoutOptions.find((name) => spec[name] !== undefined);
    if (source === undefined) return;
    const path = ["spec", "mountOptions"];
    yield {
      path,
      message: `mount options are not supported for this volume type: ${source}`,
      atKey: true,
      fix: { title: "Remove mountOptions", path, value: null },
    };
  },
);

/**
 * Provisioners copy the class's options to the volumes that they make: external-provisioner pkg/controller/controller.go
 * Provision.
 */
export const pvClassMountOptions: EnvironmentRule = {
  id: "pv-class-mount-options",
  severity: "information",
  scope: "environment",
  *check({ environment }) {
    for (const entry of environment.objects) {
      const { object } = entry;
      if (object.kind !== "PersistentVolume" || !object.served) continue;
      const spec = fieldsAt(object.value, "spec");
      if (spec["mountOptions"] !== undefined || spec["volumeMode"] === "Block") continue;
      if (sourcesWithoutOptions.some((name) => spec[name] !== undefined)) continue;
      const name = textAt(spec, "storageClassName") ?? "";
      const ofClass = lastWritten(environment, "StorageClass", undefined, name);
      const options = listAt(ofClass?.object.value ?? {}, "mountOptions");
      if (ofClass === undefined || options.length === 0) continue;
      if (isMountedOtherwise(spec, textAt(ofClass.object.value, "provisioner") ?? "")) continue;
      const [option, ...others] = options;
      const fix = typeof option === "string" &&
        others.length === 0 && {
          title: `Add ${option} to mountOptions`,
          path: ["spec", "mountOptions", 0],
          value: option,
          isChoice: true,
        };
      yield {
        entry,
        path: ["spec", "storageClassName"],
        message: `Class “${name}” has mount options, which are not copied to a volume made by hand: this one is mounted without ${listOf(options)}`,
        related: [{ entry: ofClass, path: ["mountOptions"], message: "The options of the class" }],
        ...(fix && { fix }),
      };
    }
  },
};

/** True if the volume has another driver than the class, or is an NFS share: the class's options are not meant for it. */
function isMountedOtherwise(spec: Fields, provisioner: string): boolean {
  if (provisioner === noProvisioner) return false;
  const driver = textAt(spec, "csi", "driver");
  if (driver !== undefined) return driver !== provisioner;
  return spec["nfs"] !== undefined && !/nfs/i.test(provisioner);
}

function listOf(options: readonly unknown[]): string {
  const first = options.slice(0, 3).join(", ");
  return options.length > 3 ? `${first} and ${options.length - 3} more` : first;
}

export const mountOptionsBlank: DocumentRule = objectRule(
  "mount-options-blank",
  "warning",
  { kinds: ["PersistentVolume", "StorageClass"] },
  function* ({ kind, value }, { drivers }) {
    const path = kind === "StorageClass" ? ["mountOptions"] : ["spec", "mountOptions"];
    const options = listAt(value, ...path);
    if (options.length === 0) return;
    const reader = readerOf(value, drivers);
    for (const [index, option] of options.entries()) {
      // FUSE drivers take whole flags: `-o allow_other`, or names followed by a space and a value.
      if (typeof option !== "string" || option.startsWith("-")) continue;
      // A comma may be part of a value: SELinux's `context="a,b"`, or options of another program, `format=a=b,c=d`.
      const unquoted = option.replace(/"[^"]*"/g, "");
      const isOfOptions = reader !== "mount" && /^[\w.-]+=[^=,]*=/.test(unquoted);
      const hasComma = unquoted.includes(",") && !isOfOptions;
      if (reader === "mount" ? /\S\s+\S/.test(unquoted) : reader === "program" && hasComma)
        yield {
          path: [...path, index],
          message: "Several options in one item: make each an item of the list",
        };
      else if (hasComma)
        yield {
          path: [...path, index],
          message:
            "Several options in one item: mount accepts this, but one option per item is easier to read",
          severity: "hint",
        };
    }
  },
);

/**
 * Who reads the options: the mount command, for which they are joined by commas (mount-utils mount_linux.go MakeMountArgs), the
 * driver's own program, which gets them as arguments, or either, if the driver is unknown.
 */
function readerOf(value: Fields, drivers: DriverKnowledge): "mount" | "program" | "either" {
  const driver = textAt(value, "provisioner") ?? textAt(value, "spec", "csi", "driver");
  if (driver === undefined || isInTreeName(driver)) return "mount";
  const known = drivers.find(driver);
  if (known === undefined) return "either";
  return known.takesArguments === true ? "program" : "mount";
}
