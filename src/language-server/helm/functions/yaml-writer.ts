/** Values as YAML. Upstream: go.yaml.in/yaml v2 and v3: encode.go, sorter.go, emitterc.go. */
import { type GoMap, type GoValue, isGoList, isGoMap, isGoObject } from "../go-template/values.ts";
import { byteCount } from "./bytes.ts";
import { isNilList } from "./go-types.ts";
import { plainValue } from "./json-writer.ts";
import { compareKeys } from "./yaml-keys.ts";
import { writeText, type YamlDialect } from "./yaml-scalars.ts";

/** The value must have been weighed. Ends with a line end only if the last text does. */
export function writeYaml(value: GoValue, dialect: YamlDialect): string {
  const text = node(value, { indent: 0, column: 0 }, dialect);
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}

interface NodePlace {
  /** Column of the node's own keys and dashes. */
  readonly indent: number;
  readonly column: number;
}

/** A node that may start on the current line: at the top level, or after a dash. */
function node(value: GoValue, place: NodePlace, dialect: YamlDialect): string {
  if (isGoObject(value)) return node(plainValue(value), place, dialect);
  if (isGoMap(value) && value.size > 0) return mapping(value, place.indent, dialect);
  if (isGoList(value) && value.length > 0) return sequence(value, place.indent, dialect);
  return scalar(
    value,
    { indent: place.indent + (place.column === 0 ? 2 : 0), column: place.column },
    dialect,
  );
}

/** Uses loops instead of callbacks, because nested includes leave little stack. */
function sequence(items: readonly GoValue[], indent: number, dialect: YamlDialect): string {
  const inner = { indent: indent + 2, column: indent + 2 };
  const parts: string[] = [];
  for (const item of items) parts.push(`- ${node(item, inner, dialect)}`);
  return joined(parts, indent);
}

function mapping(map: GoMap, indent: number, dialect: YamlDialect): string {
  const parts: string[] = [];
  for (const [key, value] of sorted(map, dialect)) parts.push(field(key, value, indent, dialect));
  return joined(parts, indent);
}

function sorted(map: GoMap, dialect: YamlDialect): readonly (readonly [string, GoValue])[] {
  return [...map].sort(([a], [b]) => compareKeys(a, b, dialect.putsLettersFirst));
}

function field(key: string, value: GoValue, indent: number, dialect: YamlDialect): string {
  const inner = { indent: indent + 2, column: indent + 2 };
  if (key.includes("\n") || byteCount(key) > keyLengthMax) {
    const long = writeText(key, { ...inner, isKey: false }, dialect);
    return joined([`? ${long}`, `: ${node(value, inner, dialect)}`], indent);
  }
  const name = writeText(key, { ...inner, column: indent, isKey: true }, dialect);
  const plain = isGoObject(value) ? plainValue(value) : value;
  if (isGoMap(plain) && plain.size > 0)
    return `${name}:${lineAt(indent + 2)}${mapping(plain, indent + 2, dialect)}`;
  if (isGoList(plain) && plain.length > 0) {
    const listIndent = dialect.indentsLists ? indent + 2 : indent;
    return `${name}:${lineAt(listIndent)}${sequence(plain, listIndent, dialect)}`;
  }
  const column = indent + name.length + 2;
  return `${name}: ${scalar(plain, { indent: indent + 2, column }, dialect)}`;
}

/** A longer key is introduced by a question mark. */
const keyLengthMax = 128;

/** A part that is a block with kept line ends already ends its line. */
function joined(parts: readonly string[], indent: number): string {
  const margin = " ".repeat(indent);
  const lines = parts.map((part, index) => {
    if (index === 0) return part;
    return parts[index - 1]?.endsWith("\n") === true ? margin + part : `\n${margin}${part}`;
  });
  return lines.join("");
}

function lineAt(indent: number): string {
  return `\n${" ".repeat(indent)}`;
}

function scalar(value: GoValue, place: NodePlace, dialect: YamlDialect): string {
  if (isGoMap(value)) return "{}";
  if (isGoList(value)) return isNilList(value) && dialect.hasNil ? "null" : "[]";
  if (typeof value === "string") return writeText(value, { ...place, isKey: false }, dialect);
  return typeof value === "number" ? float(value, dialect) : String(value);
}

function float(value: number, dialect: YamlDialect): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? ".nan" : value < 0 ? "-.inf" : ".inf";
  if (dialect.hasWholeFloats && Number.isInteger(value) && value < 2 ** 64 && value >= -(2 ** 63))
    return String(value);
  return shortFloat(value);
}

/** Upstream: strconv.FormatFloat(value, 'g', -1, 64). */
export function shortFloat(value: number): string {
  const [digits = "", power = ""] = value.toExponential().split("e");
  const exponent = Number(power);
  const sign = Object.is(value, -0) ? "-" : "";
  if (exponent >= -4 && exponent < 21 && (exponent < 6 || digits === ""))
    return sign + String(value);
  return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}
