/** Who owns the files of a claim's volume, as far as driver and volume tell. The kubelet's rule is the engine's. */
import { knownDriver } from "../../../engine/csi/catalogue/catalogue.ts";
import { type FsGroupRefusal, fsGroupRefusal } from "../../../engine/matching/fs-group.ts";
import { own } from "../../own.ts";
import type { Environment } from "../../workspace/environment.ts";
import { fieldsAt, listAt, textAt } from "../../workspace/manifest-fields.ts";
import type { ClaimFacts } from "./claim-facts.ts";
import { driverTrait } from "./driver-facts.ts";

/** In-tree plugins that leave the owner as it is, and who decides instead. */
const unmanaged: Readonly<Record<string, string>> = {
  nfs: "the NFS server decides about owners",
  hostPath: "a hostPath directory keeps its owner",
};

/** Why the kubelet does not hand the volume to a pod's fsGroup; undefined where it does, or where nobody can tell. */
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

/** The driver itself mounts the volume for the pod's group, without going through its files. */
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

/** As the kubelet is told; "" for none, `ext4` also where the driver may fill in another that the files do not name. */
export function fileSystemOf(
  { project }: Environment,
  { driver = "", volume, storageClass }: ClaimFacts,
): string {
  const filledIn = "ext4";
  if (volume !== undefined) {
    const spec = fieldsAt(volume.object.value, "spec");
    // What an in-tree source leaves out, its driver fills in.
    return spec["csi"] === undefined ? filledIn : (textAt(spec, "csi", "fsType") ?? "");
  }
  const parameters = fieldsAt(storageClass ?? {}, "parameters");
  const named = ["csi.storage.k8s.io/fstype", "fstype"].find((key) => key in parameters);
  if (named !== undefined) return textAt(parameters, named) ?? filledIn;
  // Nearly every driver of disks is installed with a default.
  const { attachRequired = true, sidecars } = project.drivers.find(driver)?.traits ?? {};
  return attachRequired ? filledIn : (sidecars?.defaultFsType ?? "");
}

/** Whether the volume is new, with a root directory that is root's own. */
export function isRootsOwn({ driver, volume, spec, volumeMode }: ClaimFacts): boolean {
  const isCopy = spec["dataSource"] !== undefined || spec["dataSourceRef"] !== undefined;
  if (driver === undefined || volume !== undefined || isCopy || volumeMode === "Block")
    return false;
  return knownDriver(driver)?.keepsRootOwner === true;
}
