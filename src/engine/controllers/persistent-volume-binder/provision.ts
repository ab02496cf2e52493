/**
 * Starts provisioning for a claim: by an external provisioner, which an annotation asks to start, or by a plugin inside the
 * controller manager. P1 to P14 label the branches here and in provision-internal.ts.
 * Upstream: pv_controller.go provisionClaim, provisionClaimOperationExternal v1.36.
 * Not modeled: a migrated plugin whose CSI name is unknown; all migrated plugins have one.
 */
import { keyOf, refOf } from "../../api/meta.ts";
import type { PersistentVolumeClaim } from "../../api/types.ts";
import { isInTreeName } from "../../matching/csi-migration.ts";
import { event, type Task } from "../../runtime/effects.ts";
import { type Binder, type SyncEnd, unsettled } from "./binder.ts";
import type { OperationResult } from "./operations.ts";
import { provisionInternally } from "./provision-internal.ts";
import { setClaimProvisioner } from "./set-claim-provisioner.ts";

export function* provisionClaim(
  binder: Binder,
  claim: PersistentVolumeClaim,
  className: string,
  decide: (reason: string, text?: string) => void,
): Task<SyncEnd> {
  const { plugins, migratedDriver, dynamicProvisioning } = binder.settings;
  if (!dynamicProvisioning) {
    decide("ProvisioningDisabled");
    return unsettled("ProvisioningDisabled"); // P1
  }
  const storageClass = binder.classes.get(className);
  if (storageClass === undefined) {
    return yield* refuse(claim, `storageclass.storage.k8s.io "${className}" not found`, decide); // P2
  }
  const { provisioner } = storageClass;
  const found = plugins.provisioner(provisioner);
  if (migratedDriver(provisioner) === undefined && found.ok) {
    decide("Provisioning", provisioner);
    binder.operations.run(operationName(claim), () =>
      provisionInternally(binder, claim, storageClass, found.plugin),
    );
    return unsettled("Provisioning"); // P4
  } else if (migratedDriver(provisioner) === undefined && !found.ok && isInTreeName(provisioner)) {
    return yield* refuse(claim, found.error, decide); // P4
  } else {
    const driver = migratedDriver(provisioner) ?? provisioner;
    decide("ExternalProvisioning", driver);
    binder.operations.run(operationName(claim), () => provisionExternally(binder, claim, driver));
    return unsettled("ExternalProvisioning"); // P3, P4
  }
}

function* refuse(
  claim: PersistentVolumeClaim,
  message: string,
  decide: (reason: string, text?: string) => void,
): Task<SyncEnd> {
  decide("ProvisioningFailed", message);
  yield* event(refOf(claim), "Warning", "ProvisioningFailed", message);
  return unsettled("ProvisioningFailed");
}

function operationName(claim: PersistentVolumeClaim): string {
  return `provision-${keyOf(claim)}[${claim.metadata.uid}]`;
}

/** P6: asks the external provisioner to start. Ends at once, so the next sync repeats the event without back-off. */
function* provisionExternally(
  binder: Binder,
  claim: PersistentVolumeClaim,
  driver: string,
): Task<OperationResult> {
  const saved = yield* setClaimProvisioner(binder, claim, driver);
  if (!saved.ok) {
    const message = `Error saving claim: ${saved.error.message}`;
    yield* event(refOf(claim), "Warning", "ProvisioningFailed", message);
    return { ok: false, error: message };
  }
  const message =
    `Waiting for a volume to be created either by the external provisioner '${driver}' or manually by the system administrator. ` +
    "If volume creation is delayed, please verify that the provisioner is running and correctly registered.";
  yield* event(refOf(claim), "Normal", "ExternalProvisioning", message);
  return { ok: true };
}
