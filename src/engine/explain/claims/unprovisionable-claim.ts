/** A claim for which the binder asks no provisioner: its class does not exist, or makes no volumes. */
import { type KubeObject, makeRef, refOf } from "../../api/meta.ts";
import { classNameField, effectiveClassName } from "../../api/storage-class-name.ts";
import { customaryClass } from "../../csi/catalogue/customary-classes.ts";
import { driverInstead, noProvisioner, removedPlugin } from "../../matching/csi-migration.ts";
import type { EventEntry } from "../../trace/entry.ts";
import { makeVerdict } from "../make-verdict.ts";
import { missingText } from "../refused-object.ts";
import type { RunFacts } from "../run-facts.ts";
import type { Verdict } from "../verdict.ts";
import {
  claimFixes,
  nearMissFixes,
  ofAnotherClass,
  ofSameClass,
  onlyFailure,
} from "./claim-fixes.ts";
import { chooseClass, insteadOfProvisioner } from "./class-fixes.ts";
import { keptVerdict } from "./kept-volume.ts";
import { rivalVerdict } from "./unmatched-claim.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;

/** The verdict for a ProvisioningFailed event of the binder itself: no such class, or a class that cannot provision. */
export function cannotProvision(facts: RunFacts, claim: Claim, event: EventEntry): Verdict {
  const className = effectiveClassName(claim);
  const storageClass = facts.get("StorageClass", undefined, className);
  // The write was a conflict, or the binder did not know the class yet: its next sync reads the current objects.
  const hasSinceCome = storageClass !== undefined && event.message.endsWith(" not found");
  if (hasSinceCome || event.message.includes("the object has been modified"))
    return makeVerdict(claim, "will-happen", "is Pending until the binder looks again", { event });
  const decision = facts.lastDecision(refOf(claim), "persistentvolume-binder");
  const place = { ref: refOf(claim), field: classNameField(claim) };
  const why =
    storageClass === undefined
      ? `and class "${className}" does not exist to provision another`
      : `and class "${className}" cannot provision another`;
  const taken = rivalVerdict(facts, claim, event, why) ?? keptVerdict(facts, claim, event, why);
  if (taken !== undefined) return taken;
  if (storageClass === undefined) {
    const volumes = ofSameClass(decision);
    const nearest = onlyFailure(volumes);
    const headline =
      volumes.length === 0
        ? `class "${className}" ${missingText(facts, makeRef("StorageClass", undefined, className))}`
        : `no volume of class "${className}" fits, and the class does not exist to provision one`;
    return makeVerdict(claim, "stuck", `stays Pending: ${headline}`, {
      event,
      decision,
      root: { ref: place.ref, field: nearest?.wantedField ?? place.field },
      fixes: [
        ...nearMissFixes(claim, volumes),
        ...chooseClass(facts, claim, facts.list("StorageClass")),
        ...nearMissFixes(claim, ofAnotherClass(decision)).slice(0, 1),
        { text: `create a StorageClass "${className}"${shipperText(className)}` },
      ],
    });
  }
  // A class that is not meant to provision is not to blame if a volume fails a single rule.
  const nearest =
    storageClass.provisioner === noProvisioner
      ? onlyFailure(decision?.candidates ?? [])
      : undefined;
  const { provisioner } = storageClass;
  const at = { ref: refOf(storageClass), field: "provisioner" };
  const fixes = claimFixes(facts, claim, decision);
  const nearMisses = nearMissFixes(claim, decision?.candidates ?? []).length;
  const headline = `stays Pending: no volume fits, and class "${className}" cannot provision one`;
  return makeVerdict(claim, "stuck", headline + removalText(provisioner), {
    event,
    decision,
    root:
      nearest === undefined ? at : { ref: place.ref, field: nearest.wantedField ?? place.field },
    chain: [{ ref: at.ref, text: `has provisioner "${provisioner}"` }],
    fixes: [
      ...fixes.slice(0, nearMisses),
      ...insteadOfProvisioner(driverInstead(provisioner), at),
      ...fixes.slice(nearMisses),
    ],
  });
}

/** Where the class would exist without being created. */
function shipperText(className: string): string {
  const { shipper } = customaryClass(className) ?? {};
  return shipper === undefined ? "" : `, unless your cluster is of ${shipper}, which has it`;
}

function removalText(provisioner: string): string {
  const { version } = removedPlugin(provisioner) ?? {};
  return version === undefined ? "" : `: Kubernetes ${version} removed ${provisioner}`;
}
