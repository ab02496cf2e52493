/** The commands that containers run, as far as their words tell: shell syntax is not evaluated. */
import { cleanFilePath } from "../../../engine/api/go/file-path.ts";
import {
  containersOf,
  type Fields,
  fieldsAt,
  itemsOf,
  type Located,
  oncePerObject,
  podVolumesOf,
} from "../../workspace/manifest-fields.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { mountPathOf } from "./mounted-volumes.ts";

export interface Command {
  readonly words: readonly string[];
  /** Path of the text that contains the command. */
  readonly path: Path;
  /** No command of the same script runs before it. */
  readonly isFirst: boolean;
  /** Of a probe or hook, and not what the container is started with. */
  readonly isOfHook: boolean;
  /** The script continues if the command fails. */
  readonly mayFail: boolean;
  readonly container: Located;
}

/** A file or directory of a container that is in one of the pod's volumes. */
export interface MountedPath {
  /** Undefined for the volume of a StatefulSet's claim template. */
  readonly volume: Located | undefined;
  readonly mount: Located;
  /** Path below the mount; "" for the mount itself. */
  readonly inside: string;
}

/** Commands of all containers, their probes and hooks. */
export const commandsOf: (object: ManifestObject) => readonly Command[] = oncePerObject((object) =>
  containersOf(object).flatMap((container) =>
    vectorsOf(container).flatMap((vector, index) => commandsIn(vector, container, index > 0)),
  ),
);

interface Word {
  readonly text: string;
  readonly path: Path;
}

const hooks: readonly (readonly string[])[] = [
  ["livenessProbe"],
  ["readinessProbe"],
  ["startupProbe"],
  ["lifecycle", "postStart"],
  ["lifecycle", "preStop"],
];

/** First what the container is started with, even if that is empty, then its probes and hooks. */
function vectorsOf({ fields, path }: Located): readonly (readonly Word[])[] {
  // Without a command, the image decides what args mean.
  const main = wordsOf(fields, path, "command");
  const ofHooks = hooks.map((hook) => {
    const place = [...hook, "exec"];
    return wordsOf(fieldsAt(fields, ...place), [...path, ...place], "command");
  });
  const withArgs = main.length === 0 ? [] : [...main, ...wordsOf(fields, path, "args")];
  return [withArgs, ...ofHooks];
}

function wordsOf(fields: Fields, path: Path, name: string): readonly Word[] {
  const list: readonly unknown[] = Array.isArray(fields[name]) ? fields[name] : [];
  return list.flatMap((text, index) =>
    typeof text === "string" ? [{ text, path: [...path, name, index] }] : [],
  );
}

const shells: ReadonlySet<string> = new Set(["sh", "bash", "ash", "dash", "zsh", "ksh"]);

function commandsIn(
  vector: readonly Word[],
  container: Located,
  isOfHook: boolean,
): readonly Command[] {
  const [program] = vector;
  if (program === undefined) return [];
  const flag = vector.findIndex(({ text }) => /^-[a-z]*c$/.test(text));
  const script = flag < 0 ? undefined : vector[flag + 1];
  if (script !== undefined && shells.has(baseName(program.text)))
    return scriptCommands(script, container, isOfHook);
  const words = vector.map(({ text }) => text);
  return [{ words, path: program.path, isFirst: true, isOfHook, mayFail: false, container }];
}

function scriptCommands(
  { text, path }: Word,
  container: Located,
  isOfHook: boolean,
): readonly Command[] {
  // The separators are at odd indices.
  const parts = text.replace(/(?<=^|\s)#.*/g, "").split(/(\|\||&&|[;|&\n])/);
  return parts.flatMap((part, index): Command[] => {
    const words = part.trim().split(/\s+/).map(unquoted);
    if (index % 2 === 1 || words[0] === "") return [];
    const mayFail = parts[index + 1] === "||";
    return [{ words, path, isFirst: index === 0, isOfHook, mayFail, container }];
  });
}

function unquoted(word: string): string {
  return /^(["']).*\1$/.test(word) ? word.slice(1, -1) : word;
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Undefined if the path is not in a volume, or not absolute. */
export function mountedPath(
  object: ManifestObject,
  { fields, path }: Located,
  file: string,
): MountedPath | undefined {
  if (!file.startsWith("/")) return undefined;
  const clean = cleanFilePath(file);
  let found: { readonly mount: Located; readonly at: string } | undefined;
  for (const mount of itemsOf(fields["volumeMounts"], [...path, "volumeMounts"])) {
    const at = mountPathOf(mount.fields);
    if (clean !== at && !clean.startsWith(at === "/" ? "/" : `${at}/`)) continue;
    if (found === undefined || at.length > found.at.length) found = { mount, at };
  }
  if (found === undefined) return undefined;
  const { mount, at } = found;
  const volume = podVolumesOf(object).find((one) => one.fields["name"] === mount.fields["name"]);
  return { volume, mount, inside: clean.slice(at.length).replace(/^\//, "") };
}
