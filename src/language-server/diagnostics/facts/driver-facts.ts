/** What is known of a CSI driver by its name. Rules on what drivers can do are silent where nobody has described one. */
import type { DriverTrait } from "../../../engine/csi/catalogue/driver-knowledge.ts";
import type { DriverProfile } from "../../../engine/csi/driver-profile.ts";
import { migratedDriver } from "../../../engine/matching/csi-migration.ts";
import { type Environment, lastWritten } from "../../workspace/environment.ts";
import { fieldsAt, textAt } from "../../workspace/manifest-fields.ts";

/** A trait of a described driver; undefined where nobody says. The user's own CSIDriver object comes first. */
export function driverTrait<T extends DriverTrait>(
  environment: Environment,
  name: string,
  trait: T,
): DriverProfile[T] | undefined {
  const declared = declaredTraits(environment, name);
  if (trait in declared) return (declared as Partial<DriverProfile>)[trait];
  return environment.project.drivers.trait(name, trait);
}

/** The name of the CSI driver behind a provisioner, be it an in-tree one. */
export function driverOfProvisioner(provisioner: string): string {
  return migratedDriver(provisioner) ?? provisioner;
}

type DeclaredTraits = Partial<Pick<DriverProfile, "attachRequired" | "fsGroupPolicy">>;

function declaredTraits(environment: Environment, name: string): DeclaredTraits {
  const object = lastWritten(environment, "CSIDriver", undefined, name)?.object;
  if (object === undefined) return {};
  const policy = textAt(object.value, "spec", "fsGroupPolicy");
  return {
    attachRequired: fieldsAt(object.value, "spec")["attachRequired"] !== false,
    fsGroupPolicy: policy === "File" || policy === "None" ? policy : "ReadWriteOnceWithFSType",
  };
}
