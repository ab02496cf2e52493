/**
 * Programs in containers that write to a mounted ConfigMap, Secret or the like. Upstream: pkg/volume/configmap/configmap.go
 * GetAttributes and its neighbors, pkg/kubelet/kubelet_pods.go makeMounts v1.36: such a mount is always read-only.
 */

import type { Located } from "../../workspace/manifest-fields.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import { isConfigVolume } from "../facts/config-files.ts";
import { baseName, type Command, commandsOf, mountedPath } from "../facts/container-commands.ts";
import { isWindows } from "../facts/container-user.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

export const configVolumeWritten: DocumentRule = objectRule(
  "config-volume-written",
  "warning",
  {},
  function* (object) {
    if (isWindows(object)) return;
    for (const command of commandsOf(object)) {
      if (command.mayFail) continue;
      for (const file of filesWritten(command)) {
        const volume = configVolumeAt(object, command, file);
        if (volume === undefined) continue;
        yield {
          path: command.path,
          message: `${programOf(command)} cannot write to ${file}: volume “${String(volume.fields["name"])}” is mounted read-only whatever its mount says (Read-only file system). Copy its files to an emptyDir first, and write there`,
        };
        break;
      }
    }
  },
);

function configVolumeAt(
  object: ManifestObject,
  command: Command,
  file: string,
): Located | undefined {
  // Other characters may be shell syntax, which is not evaluated.
  const plain = /^[\w./-]+$/.test(file) ? file : "";
  const at = mountedPath(object, command.container, plain);
  // `mkdir -p` leaves a directory as it is, and the mount itself is one.
  if (at?.volume === undefined || (at.inside === "" && makesMissing(command))) return undefined;
  return isConfigVolume(at.volume) ? at.volume : undefined;
}

function makesMissing(command: Command): boolean {
  const hasFlag = command.words.some((word) => /^(?:-[a-zA-Z]*p|--parents$)/.test(word));
  return programOf(command) === "mkdir" && hasFlag;
}

const changers: ReadonlySet<string> = new Set([
  "chmod",
  "chown",
  "mkdir",
  "rm",
  "rmdir",
  "tee",
  "touch",
  "truncate",
]);

const copiers: ReadonlySet<string> = new Set(["cp", "install", "ln", "mv"]);

function filesWritten(command: Command): readonly string[] {
  const { words } = command;
  return [...redirectedTo(words), ...filesOf(programOf(command), withoutExec(words).slice(1))];
}

function programOf({ words }: Command): string {
  return baseName(withoutExec(words)[0] ?? "");
}

function withoutExec(words: readonly string[]): readonly string[] {
  return words[0] === "exec" ? words.slice(1) : words;
}

/** Targets of output redirections, except within quoted text. */
function redirectedTo(words: readonly string[]): readonly string[] {
  return words.flatMap((word, index) => {
    const [, target] = /^[12&]?>>?(?!&)(.*)$/.exec(word) ?? [];
    const before = words.slice(0, index).join(" ");
    const isInText = ['"', "'"].some((quote) => before.split(quote).length % 2 === 0);
    if (target === undefined || isInText) return [];
    return [target === "" ? (words[index + 1] ?? "") : target];
  });
}

function filesOf(program: string, rest: readonly string[]): readonly string[] {
  const end = rest.findIndex((word) => word.includes(">"));
  const own = end < 0 ? rest : rest.slice(0, end);
  const names = own.filter((word) => !word.startsWith("-"));
  const has = (flag: RegExp): boolean => own.some((word) => flag.test(word));
  if (changers.has(program)) return names;
  if (copiers.has(program)) return program === "mv" ? names : names.slice(-1);
  if (program === "sed") return has(/^(?:-[a-zA-Z]*i|--in-place)/) ? names : [];
  // Sentinel writes its state to its configuration file, and exits if it cannot: sentinel.c sentinelCheckConfigFile.
  const isSentinel =
    /^(?:redis|valkey)-sentinel$/.test(program) ||
    (/^(?:redis|valkey)-server$/.test(program) && own.includes("--sentinel"));
  return isSentinel ? names.slice(0, 1) : [];
}
