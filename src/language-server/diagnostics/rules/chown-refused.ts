/**
 * Containers that run chown on a volume's files without permission or effect. Upstream: Linux chown(2) requires CAP_CHOWN,
 * which only root has in a container. Amazon EFS treats everybody who comes through an access point as the user of that access
 * point.
 */
import {
  type Fields,
  fieldsAt,
  type Located,
  listAt,
  podSpecOf,
  textAt,
} from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import { boundFacts, type ClaimFacts, claimIndex, driverBasis } from "../facts/claim-facts.ts";
import { isConfigVolume } from "../facts/config-files.ts";
import { baseName, type Command, commandsOf, mountedPath } from "../facts/container-commands.ts";
import { isWindows, nameOfUser, userOf } from "../facts/container-user.ts";
import { isSmb } from "../facts/fuse-mount.ts";
import { groupRefusal } from "../facts/volume-owner.ts";
import type { EnvironmentContext, EnvironmentRule } from "../rule.ts";

export const chownRefused: EnvironmentRule = {
  id: "chown-refused",
  severity: "warning",
  scope: "environment",
  *check(context) {
    const { environment } = context;
    const told = new Set<Command>();
    for (const { entry, command, file, volume, claim } of chowns(context)) {
      // config-volume-written reports these.
      if (told.has(command) || (volume !== undefined && isConfigVolume(volume))) continue;
      const takesGroup =
        claim === undefined
          ? volume?.fields["emptyDir"] !== undefined
          : groupRefusal(environment, claim) === undefined;
      const reason =
        accessPoint(claim) ?? whyNot(entry.object, command.container.fields, takesGroup);
      if (reason === undefined) continue;
      told.add(command);
      yield { entry, path: command.path, message: `chown of ${file} fails: ${reason}` };
    }
  },
};

/** Upstream: cifs-utils mount.cifs.rst, "File and directory ownership and permissions". */
export const chownWithoutEffect: EnvironmentRule = {
  id: "chown-without-effect",
  severity: "information",
  scope: "environment",
  *check(context) {
    const index = claimIndex(context);
    const told = new Set<Command>();
    for (const { entry, command, file, owner, claim } of chowns(context)) {
      const bound = claim && boundFacts(index, claim);
      if (bound === undefined || !isSmb(bound) || told.has(command)) continue;
      const { fields } = command.container;
      if (whyNot(entry.object, fields, false) !== undefined) continue;
      const holder = bound.volume ?? bound.classEntry;
      const at = bound.volume === undefined ? [] : ["spec"];
      const options = listAt(holder?.object.value ?? {}, ...at, "mountOptions");
      if (options.some((option) => /\buid=/.test(String(option)))) continue;
      told.add(command);
      yield {
        entry,
        path: command.path,
        message: `chown of ${file} changes nothing: on an SMB share all files belong to the uid and gid in the mount options${ownersText(holder, owner)}`,
        ...driverBasis(claim),
      };
    }
  },
};

function ownersText(holder: WorkspaceObject | undefined, owner: string): string {
  if (holder === undefined) return "";
  const [uid = "", gid = ""] = owner.split(":");
  const options = [`uid=${uid}`, ...(gid === "" ? [] : [`gid=${gid}`])];
  const { kind, name } = holder.object;
  return /^\d+(?::\d*)?$/.test(owner)
    ? `. Give ${kind} “${name}” the mount options ${options.join(" and ")}`
    : `. Name them in ${kind} “${name}”`;
}

interface Chown {
  readonly entry: WorkspaceObject;
  readonly command: Command;
  readonly owner: string;
  readonly file: string;
  /** Undefined for the volume of a StatefulSet's claim template. */
  readonly volume: Located | undefined;
  readonly claim: ClaimFacts | undefined;
}

/** Commands that change the owner of files in volumes. */
function* chowns(context: EnvironmentContext): Iterable<Chown> {
  for (const entry of context.environment.objects) {
    const { object } = entry;
    for (const command of commandsOf(object)) {
      const { owner, files } = chownedBy(command);
      if (files.length === 0 || command.mayFail || isWindows(object)) continue;
      for (const file of files) {
        const at = mountedPath(object, command.container, file);
        const claim = claimIndex(context)
          .usesBy.get(entry)
          ?.find(({ volumeName }) => volumeName === at?.mount.fields["name"])?.claim;
        const volume = at?.volume;
        if (volume === undefined && claim === undefined) continue;
        yield { entry, command, owner, file, volume, claim };
      }
    }
  }
}

/** No files if the command does not change the user. */
function chownedBy({ words: [program = "", ...rest] }: Command): Pick<Chown, "owner"> & {
  readonly files: readonly string[];
} {
  const [owner = "", ...files] = rest.filter((word) => !word.startsWith("-"));
  const namesUser = baseName(program) === "chown" && owner !== "" && !owner.startsWith(":");
  return { owner, files: namesUser ? files : [] };
}

function whyNot(
  object: ManifestObject,
  container: Fields,
  takesGroup: boolean,
): string | undefined {
  const user = userOf(object, container);
  const { fsGroup } = fieldsAt(podSpecOf(object)?.fields ?? {}, "securityContext");
  const orGroup =
    fsGroup === undefined
      ? "; with fsGroup the kubelet gives the volume to the pod's group"
      : `, or drop the command if it is enough that the kubelet gives the volume to group ${String(fsGroup)} (fsGroup)`;
  const instead = takesGroup ? orGroup : "";
  if (user.is === "other") {
    return `the container runs as ${nameOfUser(user)}, and only root may change the owner of files. Let this container run as root${instead}`;
  }
  const context = fieldsAt(container, "securityContext");
  if (context["privileged"] === true || !lacksChown(context)) return undefined;
  return `the container drops the capability CHOWN, without which not even root may change the owner of files. Add CHOWN${instead}`;
}

function lacksChown(context: Fields): boolean {
  const named = (field: string): readonly string[] =>
    listAt(context, "capabilities", field).map((name) => String(name).replace(/^CAP_/, ""));
  const isChown = (name: string): boolean => name === "ALL" || name === "CHOWN";
  return named("drop").some(isChown) && !named("add").some(isChown);
}

/** Only for volumes that the driver provisions: their access points are known. */
function accessPoint(claim: ClaimFacts | undefined): string | undefined {
  if (claim?.driver !== "efs.csi.aws.com" || claim.volume !== undefined) return undefined;
  const parameters = fieldsAt(claim.storageClass ?? {}, "parameters");
  if (textAt(parameters, "provisioningMode") !== "efs-ap" || parameters["uid"] === "0")
    return undefined;
  return "its EFS access point maps every user, even root, to the one that the class names (uid, gid) or the driver has chosen. Set uid and gid in the class, and leave the owner as it is";
}
