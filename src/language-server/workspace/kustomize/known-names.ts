/**
 * Corrects the case of field names. Upstream: encoding/json, which accepts `Resources` for `resources`; if both exist the usual
 * spelling wins, because it sorts last.
 */

import { findUnderlineKey } from "../../yaml/locate.ts";
import { isRecord } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { readYamlDocument, type YamlDocument } from "../../yaml/yaml-document.ts";
import type { GoType } from "./kustomization-type.ts";

/** The same document with every character at the same offset. */
export function withKnownNames(yaml: YamlDocument, type: GoType): YamlDocument {
  const renamed = [...otherNames(yaml.value, type, [])];
  if (renamed.length === 0) return yaml;
  const places = renamed.flatMap(({ path, name }): readonly Renamed[] => {
    // There may be many: the syntax tree is built once, whereas a line-based search would repeat for each.
    const { start, end } = findUnderlineKey(yaml, path);
    const at = yaml.text.slice(start, end).toLowerCase().indexOf(name.toLowerCase());
    return at < 0 ? [] : [{ start: start + at, name }];
  });
  places.sort((a, b) => a.start - b.start);
  const parts: string[] = [];
  let done = 0;
  for (const { start, name } of places) {
    parts.push(yaml.text.slice(done, start), name);
    done = start + name.length;
  }
  return readYamlDocument(parts.join("") + yaml.text.slice(done));
}

interface Renamed {
  readonly start: number;
  readonly name: string;
}

/** The field's name regardless of case; undefined if the struct has no such field. */
export function knownName(
  written: string,
  fields: Readonly<Record<string, GoType>>,
): string | undefined {
  if (Object.hasOwn(fields, written)) return written;
  const wanted = written.toLowerCase();
  return Object.keys(fields).find((name) => name.toLowerCase() === wanted);
}

interface OtherName {
  readonly path: Path;
  readonly name: string;
}

function* otherNames(value: unknown, type: GoType, path: Path): Generator<OtherName> {
  if (typeof type === "string") return;
  if ("list" in type) {
    if (!Array.isArray(value)) return;
    for (const [index, item] of value.entries())
      yield* otherNames(item, type.list, [...path, index]);
  } else if (isRecord(value) && "fields" in type)
    for (const [key, item] of Object.entries(value)) {
      const name = knownName(key, type.fields);
      const field = name === undefined ? undefined : type.fields[name];
      if (name === undefined || field === undefined) continue;
      if (name !== key && !Object.hasOwn(value, name)) yield { path: [...path, key], name };
      yield* otherNames(item, field, [...path, key]);
    }
}
