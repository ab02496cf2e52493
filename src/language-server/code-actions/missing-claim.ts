/** Writes a claim that a manifest refers to and that does not exist, such that its users can work with it. */
import { makeRef } from "../../engine/api/meta.ts";
import { checkSubdomain } from "../../engine/api/names/names.ts";
import { type ClaimFacts, claimIndex } from "../diagnostics/facts/claim-facts.ts";
import { defaultClassOf } from "../diagnostics/facts/default-class.ts";
import { snapshotClassOf } from "../diagnostics/facts/snapshot-facts.ts";
import { isPinnedToNode } from "../diagnostics/facts/workload-facts.ts";
import { containersOf, itemsOf, textAt } from "../workspace/manifest-fields.ts";
import { podCountOf } from "../workspace/objects/pod-count.ts";
import { type Reference, referencesOf } from "../workspace/references.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import { isRecord, valueAt } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";
import { type ActionContext, type CodeAction, offer, ruleContext, touched } from "./code-action.ts";
import { makesVolumes, provisioningClasses } from "./provisioning-class.ts";
import { documentsAfter } from "./written-manifest.ts";

/** A quick fix if a finding is about the missing claim. */
export function missingClaim(
  context: ActionContext,
  entry: WorkspaceObject,
  { namespace, name, path }: Reference,
): readonly CodeAction[] {
  const { names } = context.analysis;
  const isTaken = names.has("PersistentVolumeClaim", namespace, name);
  if (isTaken || checkSubdomain(name).length > 0) return [];
  const ref = makeRef("PersistentVolumeClaim", namespace, name);
  const finding = touched(context).find(({ misses }) => misses === ref);
  const isNear = namespace === entry.object.namespace;
  const written = isNear ? textAt(entry.object.value, "metadata", "namespace") : namespace;
  const users = podsOf(context, namespace, name);
  const copy = copyAt(context, entry, path);
  const accessMode = isForManyNodes(users) ? "ReadWriteMany" : "ReadWriteOnce";
  const volumeMode = copy?.volumeMode ?? (isDevice(entry, path) ? "Block" : "Filesystem");
  const chosen = classFor(context, {
    volumeMode,
    accessMode,
    className: copy?.className,
    driver: copy?.driver ?? driverOfSnapshots(context, entry),
    isMounted: users.length > 0,
  });
  if (chosen === undefined) return [];
  const { className } = chosen;
  const storage = textAt(copy?.spec ?? {}, "resources", "requests", "storage") ?? "1Gi";
  const claim = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name, ...(written !== undefined && { namespace: written }) },
    spec: {
      ...(className !== undefined && { storageClassName: className }),
      accessModes: [accessMode],
      ...(volumeMode === "Block" && { volumeMode }),
      resources: { requests: { storage } },
    },
  };
  const isShared = accessMode === "ReadWriteMany";
  const title = `Create claim “${name}”${isShared ? " for several nodes (ReadWriteMany)" : ""}`;
  return offer(title, [documentsAfter(entry, [claim])], finding);
}

/** True if a container uses the volume, whose claim is named at `path`, as a raw device. */
function isDevice(entry: WorkspaceObject, path: Path): boolean {
  const volume = valueAt(entry.object.value, path.slice(0, -2));
  return containersOf(entry.object).some(({ fields }) =>
    itemsOf(fields["volumeDevices"], []).some(
      (device) => isRecord(volume) && device.fields["name"] === volume["name"],
    ),
  );
}

/** The claim that copies the missing claim's volume; undefined if the reference is not a data source. */
function copyAt(
  context: ActionContext,
  entry: WorkspaceObject,
  path: Path,
): ClaimFacts | undefined {
  const spec = path.slice(0, -2).join("\0");
  return claimIndex(ruleContext(context)).claims.find(
    (claim) => claim.entry === entry && claim.path.join("\0") === spec,
  );
}

/** Driver of the class that a VolumeSnapshot of the missing claim has; undefined for other objects. */
function driverOfSnapshots(context: ActionContext, entry: WorkspaceObject): string | undefined {
  if (entry.object.kind !== "VolumeSnapshot") return undefined;
  return textAt(snapshotClassOf(ruleContext(context), entry)?.object.value ?? {}, "driver");
}

/** The pods, and workloads, that use the claim. */
function podsOf(
  { analysis }: ActionContext,
  namespace: string,
  name: string,
): readonly WorkspaceObject[] {
  return analysis.environment.objects.filter(
    ({ object }) =>
      containersOf(object).length > 0 &&
      referencesOf(object).some(
        (reference) =>
          reference.kind === "PersistentVolumeClaim" &&
          reference.name === name &&
          reference.namespace === namespace,
      ),
  );
}

/** True if several pods use the claim, which may run on several nodes. */
function isForManyNodes(users: readonly WorkspaceObject[]): boolean {
  const counts = users
    .filter(({ object }) => !isPinnedToNode(object))
    .map(({ object }) =>
      object.kind === "DaemonSet" ? Number.POSITIVE_INFINITY : podCountOf(object).count,
    );
  return counts.reduce((sum, count) => sum + count, 0) > 1;
}

interface WantedClass {
  readonly volumeMode: string;
  readonly accessMode: string;
  /** The class of the claim that copies it, which is preferred. */
  readonly className: string | undefined;
  /** The driver of the copy or snapshot; undefined if there is none, or it is unknown. */
  readonly driver: string | undefined;
  /** Without a pod, only classes with binding mode Immediate get a volume, and a copy needs one. */
  readonly isMounted: boolean;
}

/** Without a name if the default class will do, or no class fits. Undefined if a copy would wait forever. */
function classFor(
  context: ActionContext,
  { volumeMode, accessMode, className, driver, isMounted }: WantedClass,
): { readonly className?: string | undefined } | undefined {
  const { environment, assumed } = context.analysis;
  const classes = provisioningClasses(context).filter(
    (one) => makesVolumes(context, one, volumeMode, accessMode) !== false,
  );
  if (driver !== undefined) {
    const copied = classes.filter((one) => one.driver === driver && (isMounted || one.isImmediate));
    const { name } = copied.find((one) => one.name === className) ?? copied[0] ?? {};
    return name === undefined ? undefined : { className: name };
  }
  const standard = defaultClassOf({ environment, cluster: assumed.cluster });
  const isEnough = classes.some(({ name }) => name === standard);
  return { className: isEnough ? undefined : classes[0]?.name };
}
