/** Databases that cannot start in the directory that is mounted for them. */

import { pathProvisionerType } from "../../../engine/csi/catalogue/path-provisioners.ts";
import { bucketDrivers } from "../../../engine/csi/catalogue/shares-and-buckets.ts";
import type { Environment } from "../../workspace/environment.ts";
import { type Fields, fieldsAt, itemsOf, podSpecOf } from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import type { Path } from "../../yaml/place.ts";
import { type ClaimFacts, driverBasis } from "../facts/claim-facts.ts";
import { type ClaimMount, claimMounts, containerOf } from "../facts/claim-mounts.ts";
import { userOf } from "../facts/container-user.ts";
import { isSmb, speaksNfs } from "../facts/fuse-mount.ts";
import { dataDirectoryOf, type KnownImage, knownImageOf } from "../facts/known-images.ts";
import { mountPathOf } from "../facts/mounted-volumes.ts";
import { subPathField } from "../facts/sub-path-field.ts";
import { fileSystemOf, groupRefusal, isRootsOwn } from "../facts/volume-owner.ts";
import { ownerSetter } from "../facts/writable-mounts.ts";
import type { EnvironmentContext, EnvironmentRule, FieldFix, ObjectReport } from "../rule.ts";

export const dataDirLostFound: EnvironmentRule = {
  id: "data-dir-lost-found",
  severity: "warning",
  scope: "environment",
  *check(context) {
    for (const { mount, container, image } of databaseMounts(context)) {
      const { use, fields, path } = mount;
      if (image.data?.isEmptyAtFirst !== true || subPathField(fields) !== undefined) continue;
      if (!hasLostFound(context.environment, use.claim)) continue;
      if (!isDataDirectory(context.environment, { mount, container, image })) continue;
      const { variable } = image.data;
      // The sub-directory would belong to root, which also keeps the program from starting.
      const isPartEnough = closerOf(use.workload, container, image) === undefined;
      const ways = [
        ...(isPartEnough ? ["mount a part of the volume with subPath"] : []),
        ...(variable === undefined ? [] : [`set ${variable} to a directory below it`]),
      ];
      yield {
        entry: use.workload,
        path: [...path, "mountPath"],
        message: `A new volume of “${use.claim.driver}” contains lost+found, like every ext4 file system, and ${image.program} does not start in a directory that is not empty: ${ways.join(", or ")}`,
        ...driverBasis(use.claim),
        // More likely wanted: a directory that the program creates itself.
        ...(isPartEnough && { fix: { ...partFix(path), isChoice: variable !== undefined } }),
      };
    }
  },
};

export const dataDirOwnedByRoot: EnvironmentRule = {
  id: "data-dir-owned-by-root",
  severity: "warning",
  scope: "environment",
  *check(context) {
    const isOwnerSet = ownerSetter(context);
    for (const databaseMount of databaseMounts(context)) {
      const { mount, container, image } = databaseMount;
      const { use, path } = mount;
      const user = closerOf(use.workload, container, image);
      if (user === undefined || isOwnerSet(mount)) continue;
      if (!isDataDirectory(context.environment, databaseMount)) continue;
      if (!isRootsButWritable(context.environment, mount)) continue;
      yield {
        entry: use.workload,
        path: [...path, "mountPath"],
        message: `The directory of a new volume belongs to root, even if fsGroup lets user ${user} write to it, and ${image.program} does not start in a directory whose permissions it cannot change (could not change permissions of directory): let ${image.data?.variable} name one below the mount, which it makes itself`,
        ...driverBasis(use.claim),
      };
    }
  },
};

export const databaseOnSmb: EnvironmentRule = {
  id: "database-on-smb",
  severity: "warning",
  scope: "environment",
  check: (context) =>
    databasesOn(
      context,
      ({ wantsOwnModes }, claim) => wantsOwnModes === true && isSmb(claim),
      "an SMB share has no hard links, and owners and modes of its files are those of the mount (Operation not permitted)",
    ),
};

export const databaseOnBucket: EnvironmentRule = {
  id: "database-on-bucket",
  severity: "warning",
  scope: "environment",
  check: (context) =>
    databasesOn(
      context,
      (_, claim) => bucketDrivers.has(claim.driver) && !speaksNfs(claim),
      "a bucket is mounted without hard links, locks and owners, and its files can only be written whole, from beginning to end",
    ),
};

function* databasesOn(
  context: EnvironmentContext,
  isUnfit: (image: KnownImage, claim: ClaimFacts) => boolean,
  why: string,
): Iterable<ObjectReport> {
  for (const database of databaseMounts(context)) {
    const { mount, image } = database;
    const { use, path } = mount;
    if (!isUnfit(image, use.claim) || !holdsData(context.environment, database)) continue;
    yield {
      entry: use.workload,
      path: [...path, "mountPath"],
      message: `${image.program} does not run on “${use.claim.driver}”: ${why}. Use a class of disks, or of NFS`,
      ...driverBasis(use.claim),
    };
  }
}

function partFix(path: Path): FieldFix {
  return {
    title: "Mount the volume's directory “data”",
    path: [...path, "subPath"],
    value: "data",
  };
}

/**
 * The user, if the pod sets one, of a program that closes its directory to others; else undefined. If image or cluster choose
 * the user, the cluster may also choose the directory's owner.
 */
function closerOf(
  { object }: WorkspaceObject,
  container: Fields,
  { closesDirectory }: KnownImage,
): number | undefined {
  const user = userOf(object, container);
  if (closesDirectory !== true || user.is !== "other" || user.image !== undefined) return undefined;
  return user.uid;
}

interface DatabaseMount {
  readonly mount: ClaimMount;
  readonly container: Fields;
  readonly image: KnownImage;
}

function* databaseMounts(context: EnvironmentContext): Iterable<DatabaseMount> {
  for (const mount of claimMounts(context, "volumeMounts")) {
    const container = containerOf(mount);
    const image = knownImageOf(container);
    if (image?.program !== undefined) yield { mount, container, image };
  }
}

/** True if the mount point is the data directory itself. */
function isDataDirectory(environment: Environment, database: DatabaseMount): boolean {
  const directory = directoryOf(environment, database);
  return directory !== undefined && directory === mountPathOf(database.mount.fields);
}

/** True if the data directory is in this mount, and not in one further inside, including that of the image. */
function holdsData(environment: Environment, database: DatabaseMount): boolean {
  const directory = directoryOf(environment, database);
  if (directory === undefined) return false;
  const { mount, container, image } = database;
  const mounted = itemsOf(container["volumeMounts"], []).map(({ fields }) => mountPathOf(fields));
  const within = [...mounted, image.data?.declared ?? ""].filter((path) =>
    `${directory}/`.startsWith(`${path}/`),
  );
  return mountPathOf(mount.fields) === within.reduce((a, b) => (b.length > a.length ? b : a), "");
}

function directoryOf(
  environment: Environment,
  { mount: { use }, container, image }: DatabaseMount,
): string | undefined {
  return dataDirectoryOf(environment, use.workload.object.namespace, container, image);
}

/**
 * True if the directory is new, made by root, and writable for the pod: by its fsGroup, or for everybody. The kubelet also
 * makes subPath directories as root.
 */
function isRootsButWritable(environment: Environment, { use, fields }: ClaimMount): boolean {
  const { claim, workload } = use;
  const isPart = subPathField(fields) !== undefined;
  // data-dir-lost-found reports these.
  if (!isPart && hasLostFound(environment, claim)) return false;
  if (isOpenDirectory(claim)) return true;
  const group = fieldsAt(podSpecOf(workload.object)?.fields ?? {}, "securityContext")["fsGroup"];
  return isRootsOwn(claim) && group !== undefined && groupRefusal(environment, claim) === undefined;
}

const makesOpenDirectories: ReadonlySet<string> = new Set([
  "local-path",
  "microk8s-hostpath",
  "minikube-hostpath",
  "openebs-local",
]);

/** True for provisioners that make directories with mode 0777, unless their class changes that. */
function isOpenDirectory({ driver = "", volume, spec, storageClass }: ClaimFacts): boolean {
  const type = pathProvisionerType(driver);
  if (type === undefined || !makesOpenDirectories.has(type) || volume !== undefined) return false;
  if (spec["dataSource"] !== undefined || spec["dataSourceRef"] !== undefined) return false;
  const parameters = fieldsAt(storageClass ?? {}, "parameters");
  return !["userPattern", "groupPattern", "permPattern"].some((key) => key in parameters);
}

/** True if the driver provisions the volume: a disk that its node plugin formats as ext. */
function hasLostFound(environment: Environment, claim: ClaimFacts): boolean {
  const { driver, volume, spec, volumeMode } = claim;
  if (driver === undefined || volume !== undefined || volumeMode === "Block") return false;
  if (spec["dataSource"] !== undefined || spec["dataSourceRef"] !== undefined) return false;
  const isDisk = environment.project.drivers.trait(driver, "attachRequired") === true;
  return isDisk && /^ext[234]$/.test(fileSystemOf(environment, claim));
}
