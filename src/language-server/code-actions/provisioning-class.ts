/** The classes that provision volumes, and which volumes their drivers can make. */
import { noProvisioner } from "../../engine/matching/csi-migration.ts";
import { driverOfProvisioner } from "../diagnostics/facts/driver-facts.ts";
import { textAt } from "../workspace/manifest-fields.ts";
import { type ActionContext, classesOfKind } from "./code-action.ts";

export interface ProvisioningClass {
  readonly name: string;
  readonly driver: string;
  /** Volumes are made before a pod needs them. */
  readonly isImmediate: boolean;
}

/** Those whose driver the cluster has come first; then by name. */
export function provisioningClasses(context: ActionContext): readonly ProvisioningClass[] {
  return classesOfKind(context, "StorageClass")
    .map((value) => ({
      name: textAt(value, "metadata", "name") ?? "",
      driver: driverOfProvisioner(textAt(value, "provisioner") ?? ""),
      isImmediate: textAt(value, "volumeBindingMode") !== "WaitForFirstConsumer",
    }))
    .filter(({ name, driver }) => name !== "" && driver !== noProvisioner);
}

/** Undefined if the driver's capabilities are unknown. */
export function makesVolumes(
  { analysis }: ActionContext,
  { driver }: ProvisioningClass,
  volumeMode: string,
  accessMode: string,
): boolean | undefined {
  const { drivers } = analysis.environment.project;
  return drivers.accessModes(driver, volumeMode)?.includes(accessMode);
}
