/** The classes that volumes are made of, and which of them makes such as are wanted. */
import { compareText } from "../../engine/api/go/text-order.ts";
import { noProvisioner } from "../../engine/matching/csi-migration.ts";
import { driverOfProvisioner } from "../diagnostics/facts/driver-facts.ts";
import { type Fields, textAt } from "../workspace/manifest-fields.ts";
import { type ActionContext, objectsOfKind } from "./code-action.ts";

export interface ProvisioningClass {
  readonly name: string;
  readonly driver: string;
  /** Volumes are made before a pod wants them. */
  readonly isImmediate: boolean;
}

/** By name, those of the files before those of the cluster. */
export function provisioningClasses(context: ActionContext): readonly ProvisioningClass[] {
  const { own, others } = objectsOfKind(context, "StorageClass");
  return [...classesIn(own), ...classesIn(others)];
}

function classesIn(values: readonly Fields[]): readonly ProvisioningClass[] {
  return values
    .map((value) => ({
      name: textAt(value, "metadata", "name") ?? "",
      driver: driverOfProvisioner(textAt(value, "provisioner") ?? ""),
      isImmediate: textAt(value, "volumeBindingMode") !== "WaitForFirstConsumer",
    }))
    .filter(({ name, driver }) => name !== "" && driver !== noProvisioner)
    .sort((a, b) => compareText(a.name, b.name));
}

/** Undefined where nobody says what the driver can do. */
export function makesVolumes(
  { analysis }: ActionContext,
  { driver }: ProvisioningClass,
  volumeMode: string,
  accessMode: string,
): boolean | undefined {
  const { drivers } = analysis.environment.project;
  return drivers.accessModes(driver, volumeMode)?.includes(accessMode);
}
