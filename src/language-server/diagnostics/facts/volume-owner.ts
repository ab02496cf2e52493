/** Who owns the files of a claim's volume, as far as driver and volume tell. The kubelet's rule is in the engine. */
import { knownDriver } from "../../../engine/csi/catalogue/catalogue.ts";
import { type FsGroupRefusal, fsGroupRefusal } from "../../../engine/matching/fs-group.ts";
import { own } from "../../own.ts";
import type { Environment } from "../../workspace/environment.ts";
import { fieldsAt, listAt, textAt } from "../../workspace/manifest-fields.ts";
import type { ClaimFacts } from "./claim-facts.ts";
import { driverTrait } from "./driver-facts.ts";

/** In-tree plugins that do not change the owner, with the reason. */
const unmanaged: Readonly<Record<string, string>> = {
  nfs: "the NFS server decides about owners",
  hostPath: "a hostPath directory keeps its owner",
};

/** Why the kubelet does not apply a pod's fsGroup to the volume; undefined if it does, or that is unknown. */
export function groupRefusal(environment: Environment, claim: ClaimFacts): string | undefined {
  const { driver, volume } = claim;
  const spec = fieldsAt(volume?.object.value ?? {}, "spec");
  const plugin = Object.keys(unmanaged).find((field) => spec[field] !== undefined);
  if (plugin !== undefined) return own(unmanaged, plugin);
  if (driver === undefined) return undefined;
  const policy = driverTrait(environment, driver, "fsGroupPolicy");
  if (policy === undefined || isMountedForGroup(environment, claim)) return undefined;
  const refusal = fsGroupRefusal({
    policy,
    readOnly: fieldsAt(spec, "csi")["readOnly"] === true,
    fsType: fileSystemOf(environment, claim),
    accessModes: volume === undefined ? claim.modes : listAt(spec, "accessModes").map(String),
  });
  return refusal === undefined ? undefined : refusalText(refusal, driver);
}

/** True if the driver mounts the volume for the pod's group, so that files need no change. */
export function isMountedForGroup(environment: Environment, { driver }: ClaimFacts): boolean {
  return driver !== undefined && driverTrait(environment, driver, "volumeMountGroup") === true;
}

function refusalText(refusal: FsGroupRefusal, driver: string): string {
  const both = `driver “${driver}” has the policy ReadWriteOnceWithFSType, and the claim`;
  switch (refusal) {
    case "policy-none":
      return `driver “${driver}” has the policy None`;
    case "read-only":
      return "the volume is read-only";
    case "several-nodes":
      return `${both} is not ReadWriteOnce`;
    case "no-fstype":
      return `${both} has no fsType`;
  }
}

/** The fsType that the kubelet gets: "" for none. `ext4` also if the driver may fill in another one that no file names. */
export function fileSystemOf(
  { project }: Environment,
  { driver = "", volume, storageClass }: ClaimFacts,
): string {
  const filledIn = "ext4";
  if (volume !== undefined) {
    const spec = fieldsAt(volume.object.value, "spec");
    // For an in-tree source, the plugin fills in the default.
    return spec["csi"] === undefined ? filledIn : (textAt(spec, "csi", "fsType") ?? "");
  }
  const parameters = fieldsAt(storageClass ?? {}, "parameters");
  const named = ["csi.storage.k8s.io/fstype", "fstype"].find((key) => key in parameters);
  if (named !== undefined) return textAt(parameters, named) ?? filledIn;
  // Nearly all disk drivers are installed with a default.
  const { attachRequired = true, sidecars } = project.drivers.find(driver)?.traits ?? {};
  return attachRequired ? filledIn : (sidecars?.defaultFsType ?? "");
}

/** True if the volume is new and its root directory belongs to root. */
export function isRootsOwn({ driver, volume, spec, volumeMode }: ClaimFacts): boolean {
  const isCopy = spec["dataSource"] !== undefined || spec["dataSourceRef"] !== undefined;
  if (driver === undefined || volume !== undefined || isCopy || volumeMode === "Block")
    return false;
  return knownDriver(driver)?.keepsRootOwner === true;
}
