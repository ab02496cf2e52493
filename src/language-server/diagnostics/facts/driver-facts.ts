/** What is known of a CSI driver by its name. Rules about drivers are silent if the driver is unknown. */
import type {
  DriverKnowledge,
  DriverTrait,
} from "../../../engine/csi/catalogue/driver-knowledge.ts";
import type { DriverProfile } from "../../../engine/csi/driver-profile.ts";
import { migratedDriver, noProvisioner } from "../../../engine/matching/csi-migration.ts";
import { type Environment, lastWritten } from "../../workspace/environment.ts";
import { type Fields, fieldsAt, textAt } from "../../workspace/manifest-fields.ts";

/** A trait of the driver; undefined if unknown. A CSIDriver object in files takes precedence. */
export function driverTrait<T extends DriverTrait>(
  environment: Environment,
  name: string,
  trait: T,
): DriverProfile[T] | undefined {
  const declared = declaredTraits(environment, name);
  if (trait in declared) return (declared as Partial<DriverProfile>)[trait];
  return environment.project.drivers.trait(name, trait);
}

/** The CSI driver of a provisioner, including that of an in-tree one. */
export function driverOfProvisioner(provisioner: string): string {
  return migratedDriver(provisioner) ?? provisioner;
}

/** True if volumes of the class can grow once it allows that; also if the driver is unknown. */
export function growsVolumes(storageClass: Fields, drivers: DriverKnowledge): boolean {
  const provisioner = textAt(storageClass, "provisioner") ?? noProvisioner;
  if (provisioner === noProvisioner) return false;
  const expansion = drivers.find(driverOfProvisioner(provisioner))?.traits.expansion;
  return expansion === undefined || expansion.controller || expansion.node;
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
