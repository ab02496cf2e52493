/**
 * ConfigMaps and Secrets that kustomize generates, as far as the kustomization shows their contents. Upstream: kustomize v5.8
 * api/types generatorargs.go, api/internal/generators, api/kv kv.go.
 */
import { isRecord } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { baseName } from "../files/uri.ts";
import type { Refusal } from "./kustomization-check.ts";

/** What a generator makes. The kustomization appends a hash to its name, and updates all references. */
export interface GeneratedObject {
  /** ConfigMap or Secret. */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Undefined if the keys come from files that are not read. */
  readonly keys: readonly string[] | undefined;
  /** The values that the kustomization itself contains. */
  readonly literals: Readonly<Record<string, string>>;
  /** What to do with an object of this name from a base: `merge` or `replace`. */
  readonly behavior: string | undefined;
}

/** One generator in a kustomization or in a separate file. */
export interface GeneratorEntry {
  readonly path: Path;
  /** Undefined if it has no name. */
  readonly object: GeneratedObject | undefined;
  readonly refusals: readonly Refusal[];
}

type Fields = Readonly<Record<string, unknown>>;

interface Given {
  readonly value: unknown;
  readonly path: Path;
}

/** `named` has the name and namespace if they are not beside the other fields. */
export function generatorOf(
  { value, path }: Given,
  kind: "ConfigMap" | "Secret",
  named: unknown = value,
): GeneratorEntry {
  const fields: Fields = isRecord(value) ? value : {};
  const meta: Fields = isRecord(named) ? named : {};
  const [name, namespace, behavior] = [
    fields["name"] ?? meta["name"],
    fields["namespace"] ?? meta["namespace"],
    fields["behavior"],
  ].map((text) => (typeof text === "string" && text !== "" ? text : undefined));
  if (name === undefined) {
    const message = `a ${kind.toLowerCase()} must have a name`;
    return { path, object: undefined, refusals: [{ path, message }] };
  }
  const literals = pairsIn(fields, "literals", path, literalOf);
  const files = pairsIn(fields, "files", path, fileOf);
  const pairs = [...literals, ...files];
  const keys =
    fields["env"] === undefined && fields["envs"] === undefined
      ? [...new Set(pairs.flatMap(({ key }) => key ?? []))]
      : undefined;
  return {
    path,
    object: {
      kind,
      namespace: namespace ?? "default",
      name,
      keys,
      literals: Object.fromEntries(
        literals.flatMap(({ key, value: own }) =>
          key !== undefined && own !== undefined ? [[key, own]] : [],
        ),
      ),
      behavior,
    },
    refusals: [
      ...pairs.flatMap(({ refusal, at }) =>
        refusal === undefined ? [] : [{ path: at, message: `loading KV pairs: ${refusal}` }],
      ),
      ...repeated(pairs, `${kind.toLowerCase()} ${name}`),
    ],
  };
}

/** An item of one of a generator's lists. */
interface Pair {
  readonly at: Path;
  readonly key?: string;
  readonly value?: string;
  readonly refusal?: string;
}

function pairsIn(
  fields: Fields,
  list: string,
  path: Path,
  read: (text: string) => Omit<Pair, "at">,
): readonly Pair[] {
  const items: unknown = fields[list];
  return (Array.isArray(items) ? items : []).flatMap((item: unknown, index) =>
    typeof item === "string" ? [{ ...read(item), at: [...path, list, index] }] : [],
  );
}

/** Reads `key=value`, with or without quotes. */
function literalOf(text: string): Omit<Pair, "at"> {
  const [, key, , value = ""] = /^([^=]+)=(["']?)(.*)\2$/s.exec(text) ?? [];
  if (key !== undefined) return { key, value };
  const refusal = `literal sources [${text}]: invalid literal source ${text}, expected key=value`;
  return { refusal };
}

/** Reads a file name, or `key=file`. */
function fileOf(text: string): Omit<Pair, "at"> {
  const parts = text.split("=");
  const [key = "", file = ""] = parts;
  if (parts.length === 1) return { key: baseName(text) };
  const printed = JSON.stringify(text);
  const why =
    parts.length > 2
      ? `source ${printed} key name or file path contains '='`
      : key === ""
        ? `missing key name for file path ${JSON.stringify(file)} in source ${printed}`
        : `missing file path for key name ${JSON.stringify(key)} in source ${printed}`;
  if (parts.length === 2 && key !== "" && file !== "") return { key };
  return { refusal: `file sources: [${text}]: ${why}` };
}

function* repeated(pairs: readonly Pair[], what: string): Generator<Refusal> {
  const seen = new Set<string>();
  for (const { key, at } of pairs) {
    if (key === undefined) continue;
    if (seen.has(key)) yield { path: at, message: `${what} illegally repeats the key \`${key}\`` };
    seen.add(key);
  }
}
