/** Writes values as TOML. Upstream: BurntSushi/toml v1.6 encode.go. */
import { compareText } from "../../../engine/api/go/text-order.ts";
import {
  type Call,
  type Failure,
  type GoMap,
  type GoValue,
  isGoList,
  isGoMap,
  isGoObject,
} from "../go-template/values.ts";
import { wellFormed } from "./bytes.ts";
import { isNilList } from "./go-types.ts";
import { Instant } from "./instant.ts";
import { plainValue } from "./json-writer.ts";
import { shortFloat } from "./yaml-writer.ts";

/** The value must have been weighed. As in Helm, an error is returned as a text, too. */
export function writeToml(value: GoValue, call: Call): string | Failure {
  const writer = new TomlWriter(call);
  writer.write(value);
  return writer.failure ?? writer.error ?? writer.text;
}

class TomlWriter {
  text = "";
  error: string | undefined;
  failure: Failure | undefined;
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  write(value: GoValue): void {
    if (isGoMap(value)) this.#fields(value, []);
    else this.text += this.#inline(value);
  }

  /** Fields that are not tables come first, because after a table's header they would belong to it. */
  #fields(map: GoMap, path: readonly string[]): void {
    const fields = sorted(map);
    const margin = "  ".repeat(path.length);
    for (const [key, value] of fields)
      if (!isTable(value)) this.text += `${margin}${keyText(key)} = ${this.#inline(value)}\n`;
    for (const [key, value] of fields) if (isTable(value)) this.#table(value, [...path, key]);
  }

  #table(value: GoValue, path: readonly string[]): void {
    const margin = "  ".repeat(path.length - 1);
    const name = path.map(keyText).join(".");
    // Charged for, because each header repeats the names of all tables above.
    this.failure ??= this.#call.charge(name.length);
    if (this.failure !== undefined) return;
    if (isGoMap(value)) {
      if (path.length === 1) this.#separate();
      this.text += `${margin}[${name}]\n`;
      this.#fields(value, path);
      return;
    }
    if (!isGoList(value)) return;
    for (const item of value) {
      this.#separate();
      this.text += `${margin}[[${name}]]\n`;
      if (isGoMap(item)) this.#fields(item, path);
    }
  }

  #separate(): void {
    if (this.text !== "") this.text += "\n";
  }

  /** Nil values are omitted, but not the commas for them. */
  #pairs(fields: readonly (readonly [string, GoValue])[], isMore: boolean): string {
    const texts = fields.map(([key, item], index) => {
      const comma = isMore || index < fields.length - 1 ? ", " : "";
      return isNil(item) ? "" : `${keyText(key)} = ${this.#inline(item)}${comma}`;
    });
    return texts.join("");
  }

  #inline(value: GoValue): string {
    if (isGoList(value)) {
      if (value.includes(null)) this.error ??= "toml: cannot encode array with nil element";
      return `[${value.map((item) => this.#inline(item)).join(", ")}]`;
    }
    if (isGoMap(value)) {
      const fields = [...value].sort(([a], [b]) => compareText(a, b));
      const tables = fields.filter(([, item]) => isTable(item));
      const others = fields.filter(([, item]) => !isTable(item));
      return `{${this.#pairs(others, tables.length > 0)}${this.#pairs(tables, false)}}`;
    }
    if (value instanceof Instant) return value.fields();
    if (isGoObject(value)) return this.#inline(plainValue(value));
    if (typeof value === "string") return quoted(value);
    return typeof value === "number" ? float(value) : String(value);
  }
}

/** TOML has no nil. */
function sorted(map: GoMap): readonly (readonly [string, GoValue])[] {
  return [...map].filter(([, value]) => !isNil(value)).sort(([a], [b]) => compareText(a, b));
}

function isNil(value: GoValue): boolean {
  return value === null || (isGoList(value) && isNilList(value));
}

function isTable(value: GoValue): boolean {
  return isGoMap(value) || (isGoList(value) && value.length > 0 && value.every(isGoMap));
}

function keyText(key: string): string {
  return /^[\w-]+$/.test(key) ? key : quoted(key);
}

function float(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  const text = shortFloat(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function quoted(text: string): string {
  return JSON.stringify(wellFormed(text)).replaceAll("\x7f", "\\u007f");
}
