/** Programs that containers run from a mounted volume: whether they exist, and can be executed. */
import { cleanFilePath } from "../../../engine/api/go/file-path.ts";
import { containersOf, itemsOf, type Located, textAt } from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import { valueAt } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { configFilesOf } from "../facts/config-files.ts";
import {
  type Command,
  commandsOf,
  type MountedPath,
  mountedPath,
} from "../facts/container-commands.ts";
import { isWindows } from "../facts/container-user.ts";
import { octal } from "../facts/file-modes.ts";
import { listNames } from "../missing-reference.ts";
import type { EnvironmentContext, EnvironmentRule, FieldFix } from "../rule.ts";

export const commandNotExecutable: EnvironmentRule = {
  id: "command-not-executable",
  severity: "warning",
  scope: "environment",
  *check(context) {
    for (const { entry, command, program, at } of mountedPrograms(context)) {
      const files = configFilesOf(context, entry.object.namespace, at.volume);
      const index = files?.paths.indexOf(inVolume(at)) ?? -1;
      const mode = files?.modes[index];
      if (mode === undefined || (mode & 0o111) !== 0) continue;
      const fix = modeFix(at.volume, inVolume(at));
      yield {
        entry,
        path: command.path,
        message: `“${program}” has mode ${octal(mode)}, which is not executable: permission denied. Set the mode 0755 for the volume's files, or give the file to a shell`,
        related: [{ entry, path: at.volume.path, message: "The volume" }],
        ...(fix !== undefined && { fix }),
      };
    }
  },
};

export const commandHidden: EnvironmentRule = {
  id: "command-hidden",
  severity: "warning",
  scope: "environment",
  *check(context) {
    for (const { entry, command, program, at } of mountedPrograms(context)) {
      const held = whatItHolds(context, entry, command, at);
      if (held === undefined) continue;
      yield {
        entry,
        path: command.path,
        message: `The mount of volume “${String(at.volume.fields["name"])}” hides the image's files there, and the volume ${held}: ${program} does not exist`,
        related: [{ entry, path: [...at.mount.path, "mountPath"], message: "The mount" }],
      };
    }
  },
};

type InVolume = MountedPath & { readonly volume: Located };

interface MountedProgram {
  readonly entry: WorkspaceObject;
  readonly command: Command;
  readonly program: string;
  readonly at: InVolume;
}

function* mountedPrograms({ environment }: EnvironmentContext): Iterable<MountedProgram> {
  for (const entry of environment.objects) {
    const { object } = entry;
    for (const command of commandsOf(object)) {
      const program = command.words[0] ?? "";
      const at = mountedPath(object, command.container, program);
      if (at?.volume === undefined || isWindows(object)) continue;
      yield { entry, command, program, at: { ...at, volume: at.volume } };
    }
  }
}

/** What the volume holds in place of the program; undefined if the program may be there. */
function whatItHolds(
  context: EnvironmentContext,
  { object }: WorkspaceObject,
  { isFirst, isOfHook, container }: Command,
  { volume, mount, inside }: InVolume,
): string | undefined {
  // subpath-key-missing reports a missing part of a volume.
  if (mount.fields["subPath"] !== undefined || mount.fields["subPathExpr"] !== undefined)
    return undefined;
  if (volume.fields["emptyDir"] !== undefined) {
    const others = containersOf(object).filter(({ path }) => path !== container.path);
    const isFilled = others.some((other) =>
      itemsOf(other.fields["volumeMounts"], []).some(
        ({ fields }) => fields["name"] === volume.fields["name"],
      ),
    );
    // Before a probe or hook, the container itself may have written the file.
    return isFirst && !isOfHook && !isFilled ? "is empty at first" : undefined;
  }
  const files = configFilesOf(context, object.namespace, volume);
  if (files === undefined || files.paths.includes(inside)) return undefined;
  return `holds ${listNames(files.paths)}`;
}

function inVolume({ mount, inside }: MountedPath): string {
  const part = textAt(mount.fields, "subPath");
  return part === undefined ? inside : cleanFilePath(inside === "" ? part : `${part}/${inside}`);
}

/** The fix makes the file executable where its mode is set. */
function modeFix({ fields, path }: Located, file: string): FieldFix | undefined {
  const field = ["configMap", "secret", "projected"].find((name) => fields[name] !== undefined);
  if (field === undefined) return undefined;
  const items = [...path, field, "items"];
  const own = itemsOf(valueAt(fields, [field, "items"]), items).find(
    (item) => item.fields["path"] === file && item.fields["mode"] !== undefined,
  );
  const at: Path = own === undefined ? [...path, field, "defaultMode"] : [...own.path, "mode"];
  return { title: "Set the mode to 493, which is 0755", path: at, value: 0o755 };
}
