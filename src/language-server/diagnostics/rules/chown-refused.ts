/**
 * Containers that give files of a volume to another user and may not. Upstream: Linux chown(2) asks for CAP_CHOWN, which only
 * root has in a container, and Amazon EFS takes whoever comes through an access point for that point's own user.
 */
import { type Fields, fieldsAt, listAt, textAt } from "../../workspace/manifest-fields.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import { type ClaimFacts, claimIndex } from "../facts/claim-facts.ts";
import { baseName, type Command, commandsOf, mountedPath } from "../facts/container-commands.ts";
import { isWindows, nameOfUser, userOf } from "../facts/container-user.ts";
import { groupRefusal } from "../facts/volume-owner.ts";
import type { EnvironmentRule } from "../rule.ts";

export const chownRefused: EnvironmentRule = {
  id: "chown-refused",
  severity: "warning",
  scope: "environment",
  *check(context) {
    const { environment } = context;
    for (const entry of environment.objects) {
      const { object } = entry;
      for (const command of commandsOf(object)) {
        const files = chownedBy(command);
        if (files.length === 0 || command.mayFail || isWindows(object)) continue;
        const { container, path } = command;
        for (const file of files) {
          const at = mountedPath(object, container, file);
          if (at === undefined) continue;
          const claim = claimIndex(context)
            .usesBy.get(entry)
            ?.find(({ volumeName }) => volumeName === at.volume.fields["name"])?.claim;
          const takesGroup =
            claim === undefined
              ? at.volume.fields["emptyDir"] !== undefined
              : groupRefusal(environment, claim) === undefined;
          const reason = accessPoint(claim) ?? whyNot(object, container.fields, takesGroup);
          if (reason === undefined) continue;
          yield { entry, path, message: `chown of ${file} fails: ${reason}` };
          break;
        }
      }
    }
  },
};

/** Files of a `chown` that names a user. */
function chownedBy({ words: [program = "", ...rest] }: Command): readonly string[] {
  if (baseName(program) !== "chown") return [];
  const [owner = "", ...files] = rest.filter((word) => !word.startsWith("-"));
  return owner === "" || owner.startsWith(":") ? [] : files;
}

function whyNot(
  object: ManifestObject,
  container: Fields,
  takesGroup: boolean,
): string | undefined {
  const user = userOf(object, container);
  const instead = takesGroup
    ? "; with fsGroup the kubelet gives the volume to the pod's group"
    : "";
  if (user.is === "other") {
    return `the container runs as ${nameOfUser(user)}, and only root may give files away. Let this container run as root${instead}`;
  }
  const context = fieldsAt(container, "securityContext");
  if (context["privileged"] === true || !lacksChown(context)) return undefined;
  return `the container drops the capability CHOWN, without which root may not give files away either. Add CHOWN${instead}`;
}

function lacksChown(context: Fields): boolean {
  const named = (field: string): readonly string[] =>
    listAt(context, "capabilities", field).map((name) => String(name).replace(/^CAP_/, ""));
  const isChown = (name: string): boolean => name === "ALL" || name === "CHOWN";
  return named("drop").some(isChown) && !named("add").some(isChown);
}

/** Only of volumes that the driver makes: it is known how. */
function accessPoint(claim: ClaimFacts | undefined): string | undefined {
  if (claim?.driver !== "efs.csi.aws.com" || claim.volume !== undefined) return undefined;
  const parameters = fieldsAt(claim.storageClass ?? {}, "parameters");
  if (textAt(parameters, "provisioningMode") !== "efs-ap" || parameters["uid"] === "0")
    return undefined;
  return "through its access point of EFS everybody is the user that the class names (uid, gid) or the driver has chosen, and no root. Set uid and gid in the class, and leave the owner as it is";
}
