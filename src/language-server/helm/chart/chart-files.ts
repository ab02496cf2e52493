/**
 * `.Files`: the files in a chart's folder other than templates. Upstream: pkg/engine/files.go. Not modeled: bytes that are not
 * valid text; and where Go would print the numbers of bytes, the text is printed.
 */
import { base64OfText } from "../../../engine/api/decoding/base64.ts";
import { compareText } from "../../../engine/api/go/text-order.ts";
import { utf8Bytes } from "../../../engine/api/go/utf8.ts";
import {
  type Call,
  Failure,
  type GoFunction,
  type GoList,
  type GoObject,
  type GoValue,
} from "../go-template/values.ts";
import type { NamedFile } from "./chart.ts";
import { goObject, method } from "./go-object.ts";
import { globPattern } from "./path-pattern.ts";

/** `toYaml` is the template function. */
export function chartFiles(files: readonly NamedFile[], toYaml: GoFunction): GoObject {
  const texts = new Map(files.map(({ name, file }) => [name, file.text.replace(/^\ufeff/, "")]));
  return filesObject(texts, toYaml);
}

function filesObject(texts: ReadonlyMap<string, string>, toYaml: GoFunction): GoObject {
  const data = new Map([...texts].map(([name, text]) => [name, bytesObject(text)] as const));
  return goObject({
    goType: "engine.files",
    members: {
      Get: method(1, ([name = ""]) => texts.get(name) ?? ""),
      GetBytes: method(1, ([name = ""]) => data.get(name) ?? bytesObject("")),
      Lines: method(1, ([name = ""], call) => linesOf(texts.get(name), call)),
      Glob: method(1, ([pattern = ""], call) => {
        const found = fitting(texts, pattern, call);
        return found instanceof Failure ? found : filesObject(found, toYaml);
      }),
      AsConfig: method(0, (_, call) => asYaml(texts, (text) => text, toYaml, call)),
      AsSecrets: method(0, (_, call) => asYaml(texts, base64OfText, toYaml, call)),
    },
    print: () => `map[${[...texts].map(([name, text]) => `${name}:${text}`).join(" ")}]`,
    data,
  });
}

function bytesObject(text: string): GoObject {
  let data: GoList | undefined;
  return {
    goType: "[]uint8",
    member: () => undefined,
    print: () => text,
    /** Created once, and only if a template accesses it. */
    get data(): GoList {
      data ??= utf8Bytes(text).map((byte) => byteValues[byte] ?? 0n);
      return data;
    },
  };
}

/** Shared values, so that a byte takes no more room than a reference. */
const byteValues: readonly bigint[] = Array.from({ length: 256 }, (_, byte) => BigInt(byte));

function linesOf(text: string | undefined, call: Call): GoList | Failure {
  if (text === undefined) return [];
  if (text === "") return new Failure("runtime error: index out of range [-1]");
  const lines = text.split("\n");
  return (
    call.charge(text.length + lines.length) ?? (text.endsWith("\n") ? lines.slice(0, -1) : lines)
  );
}

/** Compiling a pattern takes about as long as matching this many files. */
const costOfPattern = 64;

function fitting(
  texts: ReadonlyMap<string, string>,
  pattern: string,
  call: Call,
): ReadonlyMap<string, string> | Failure {
  const refused = call.charge((texts.size + costOfPattern) * (pattern.length + costOfPattern));
  if (refused !== undefined) return refused;
  const fits = globPattern(pattern) ?? (() => true);
  return new Map([...texts].filter(([name]) => fits(name)));
}

/** Maps file names without folders to encoded contents. */
function asYaml(
  texts: ReadonlyMap<string, string>,
  encode: (text: string) => string,
  toYaml: GoFunction,
  call: Call,
): GoValue | Failure {
  const paths = [...texts].sort(([a], [b]) => compareText(a, b));
  const entries = paths.map(
    ([path, text]) => [path.slice(path.lastIndexOf("/") + 1), encode(text)] as const,
  );
  return toYaml([new Map(entries)], call);
}
