/** The claim that a manifest names and no file holds, as those who use it need it. */
import { compareText } from "../../engine/api/go/text-order.ts";
import { checkSubdomain } from "../../engine/api/names/names.ts";
import { noProvisioner } from "../../engine/matching/csi-migration.ts";
import { defaultClassOf } from "../diagnostics/facts/default-class.ts";
import { driverOfProvisioner, supportedModes } from "../diagnostics/facts/driver-facts.ts";
import { isPinnedToNode } from "../diagnostics/facts/workload-facts.ts";
import { containersOf, type Fields, itemsOf, textAt } from "../workspace/manifest-fields.ts";
import { podCountOf } from "../workspace/pod-count.ts";
import { type Reference, referencesOf } from "../workspace/references.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import { isRecord, valueAt } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";
import { type ActionContext, type CodeAction, touched } from "./code-action.ts";
import { documentsAfter, mending, rewrite } from "./written-manifest.ts";

/** Offered with the fixes where a finding complains of the name. */
export function missingClaim(
  context: ActionContext,
  entry: WorkspaceObject,
  { namespace, name, path }: Reference,
): readonly CodeAction[] {
  const { names } = context.analysis;
  const isTaken = names.has("PersistentVolumeClaim", namespace, name);
  if (isTaken || checkSubdomain(name).length > 0) return [];
  const finding = touched(context).find(({ message }) =>
    message.includes(`PersistentVolumeClaim “${name}”`),
  );
  const isNear = namespace === entry.object.namespace;
  const written = isNear ? textAt(entry.object.value, "metadata", "namespace") : namespace;
  const volumeMode = isDevice(entry, path) ? "Block" : "Filesystem";
  const isShared = isForManyNodes(context, namespace, name);
  const accessMode = isShared ? "ReadWriteMany" : "ReadWriteOnce";
  const className = classFor(context, volumeMode, accessMode);
  const claim = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name, ...(written !== undefined && { namespace: written }) },
    spec: {
      ...(className !== undefined && { storageClassName: className }),
      accessModes: [accessMode],
      ...(volumeMode === "Block" && { volumeMode }),
      resources: { requests: { storage: "1Gi" } },
    },
  };
  const title = `Write claim “${name}”${isShared ? " for several nodes (ReadWriteMany)" : ""}`;
  return [mending(rewrite(title, documentsAfter(entry, [claim])), finding)];
}

/** Whether containers have the volume, which names its claim at `path`, as a raw device. */
function isDevice(entry: WorkspaceObject, path: Path): boolean {
  const volume = valueAt(entry.object.value, path.slice(0, -2));
  return containersOf(entry.object).some(({ fields }) =>
    itemsOf(fields["volumeDevices"], []).some(
      (device) => isRecord(volume) && device.fields["name"] === volume["name"],
    ),
  );
}

/** Whether several pods use the claim, which may come to be on several nodes. */
function isForManyNodes(
  { analysis }: ActionContext,
  namespace: string | undefined,
  name: string,
): boolean {
  const users = analysis.environment.objects
    .map(({ object }) => object)
    .filter((object) =>
      referencesOf(object).some(
        (reference) =>
          reference.kind === "PersistentVolumeClaim" &&
          reference.name === name &&
          reference.namespace === namespace,
      ),
    )
    .filter((object) => containersOf(object).length > 0 && !isPinnedToNode(object));
  const counts = users.map((object) =>
    object.kind === "DaemonSet" ? Number.POSITIVE_INFINITY : podCountOf(object).count,
  );
  return counts.reduce((sum, count) => sum + count, 0) > 1;
}

/** The first class by name that makes such volumes, those of the files before others; none where the default one will do. */
function classFor(
  { analysis }: ActionContext,
  volumeMode: string,
  accessMode: string,
): string | undefined {
  const { environment } = analysis;
  const { cluster } = analysis.assumed;
  const makes = ({ driver }: ProvisioningClass): boolean =>
    supportedModes(environment, driver, volumeMode)?.includes(accessMode) !== false;
  const own = classesIn(environment.objects.map(({ object }) => object.value));
  const classes = [...own, ...classesIn(cluster.manifests)];
  const standard = defaultClassOf({ environment, cluster });
  const isEnough = classes.some((one) => one.name === standard && makes(one));
  return isEnough ? undefined : classes.find(makes)?.name;
}

interface ProvisioningClass {
  readonly name: string;
  readonly driver: string;
}

function classesIn(values: readonly Fields[]): readonly ProvisioningClass[] {
  return values
    .filter((value) => value["kind"] === "StorageClass")
    .map((value) => ({
      name: textAt(value, "metadata", "name") ?? "",
      driver: driverOfProvisioner(textAt(value, "provisioner") ?? ""),
    }))
    .filter(({ name, driver }) => name !== "" && driver !== noProvisioner)
    .sort((a, b) => compareText(a.name, b.name));
}
