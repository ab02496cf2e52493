/**
 * YAML functions. Upstream: Helm v4 pkg/engine/funcs.go on sigs.k8s.io/yaml, which converts by way of JSON. Not modeled:
 * upstream's messages for invalid YAML.
 */
import { isMap, isPair, isScalar, isSeq, type ParsedNode } from "yaml";
import type { Json } from "../../../engine/api/json.ts";
import { readSimpleYaml } from "../../yaml/simple-yaml.ts";
import { parseSyntaxTree } from "../../yaml/syntax-tree.ts";
import { toValue } from "../../yaml/to-value.ts";
import {
  type Call,
  Failure,
  type GoList,
  type GoMap,
  type GoValue,
  isGoList,
  isGoMap,
} from "../go-template/values.ts";
import { mismatch } from "./json.ts";
import { writeJson } from "./json-writer.ts";
import { define, type Named } from "./signature.ts";
import { weigh } from "./weigh.ts";
import type { YamlDialect } from "./yaml-scalars.ts";
import { writeYaml } from "./yaml-writer.ts";

const byWayOfJson: YamlDialect = {
  indentsLists: false,
  folds: true,
  blocksHoldTabs: false,
  hasWholeFloats: true,
  hasNil: true,
  putsLettersFirst: false,
};

const pretty: YamlDialect = {
  indentsLists: true,
  folds: false,
  blocksHoldTabs: true,
  hasWholeFloats: false,
  hasNil: false,
  putsLettersFirst: true,
};

export const yamlFunctions: readonly Named[] = [
  define("toYaml", ["any"], ([value], call) => yamlText(value, call) ?? ""),
  define(
    "mustToYaml",
    ["any"],
    ([value], call) => yamlText(value, call) ?? new Failure("yaml: the value cannot be written"),
  ),
  define("toYamlPretty", ["any"], ([value], call) => {
    const refused = weigh(value, call);
    if (refused instanceof Failure) return refused;
    return refused === "endless" ? "" : writeYaml(value, pretty);
  }),
  define("fromYaml", ["string"], ([text], call) => mapOfYaml(text, call)),
  define("fromYamlArray", ["string"], ([text], call) => listOfYaml(text, call)),
];

/** Undefined if JSON has no form for the value, or if it has characters that upstream refuses when it reads the JSON again. */
function yamlText(value: GoValue, call: Call): string | Failure | undefined {
  const refused = weigh(value, call);
  if (refused === "endless") return undefined;
  if (refused !== undefined) return refused;
  const json = writeJson(value, { escapesHtml: true });
  if (typeof json !== "string" || refusedCharacter.test(json)) return undefined;
  return writeYaml(value, byWayOfJson);
}

const refusedCharacter = /[\x7f-\x84\x86-\x9f\ufffe\uffff]/;

function mapOfYaml(text: string, call: Call): GoMap | Failure {
  const read = readYaml(text, call);
  if (read instanceof Failure) return read;
  if ("error" in read) return new Map([["Error", read.error]]);
  if (read.value === null) return new Map();
  if (isGoMap(read.value)) return read.value;
  return new Map([["Error", decoding + mismatch(read.value, "map[string]interface {}")]]);
}

function listOfYaml(text: string, call: Call): GoList | Failure {
  const read = readYaml(text, call);
  if (read instanceof Failure) return read;
  if ("error" in read) return [read.error];
  if (read.value === null) return [];
  return isGoList(read.value) ? read.value : [decoding + mismatch(read.value, "[]interface {}")];
}

const decoding = "error unmarshaling JSON: while decoding JSON: ";

/** Reading a letter takes as long as printing this many. */
const [costOfSimple, costOfOther] = [2, 8];
/** Minimum cost of a text that is not simple, in letters. */
const otherLeast = 32;

type Read = { readonly value: GoValue } | { readonly error: string };

function readYaml(text: string, call: Call): Read | Failure {
  const refused = call.charge(text.length * costOfSimple);
  if (refused !== undefined) return refused;
  const simple = endsPlainly(text) ? readSimpleYaml(text) : undefined;
  if (simple !== undefined) return { value: goValue(simple) };
  const refusedAsOther = call.charge((text.length + otherLeast) * costOfOther);
  if (refusedAsOther !== undefined) return refusedAsOther;
  const tree = parseSyntaxTree(text);
  if (/\S[^\n]*$/.test(text.slice(text.lastIndexOf("\n") + 1)))
    endLastBlock(tree.root, text.length);
  const { value, problems } = toValue(tree.root);
  const problem = [...tree.problems, ...problems].find(({ code }) => code !== "yaml-duplicate-key");
  if (problem !== undefined)
    return { error: `error converting YAML to JSON: yaml: ${problem.message}` };
  return { value: goValue(value ?? null) };
}

/**
 * True if the last line is complete, or a field or item. An unfinished block is not simple YAML, which would be noticed late.
 */
function endsPlainly(text: string): boolean {
  const start = text.lastIndexOf("\n") + 1;
  const lastLine = text.slice(start, start + 100);
  return lastLine === "" || /^ *(?:- +)*(?:[\w./-]+:|- )/.test(lastLine);
}

/** If the last line of a block is not terminated, its text has no final line end either; `toYaml` often writes such texts. */
function endLastBlock(node: ParsedNode | null, end: number): void {
  if (isMap(node) || isSeq(node)) {
    const last = node.items.at(-1);
    endLastBlock(isPair(last) ? last.value : (last ?? null), end);
  } else if (isScalar(node) && node.type?.startsWith("BLOCK") && node.range[1] >= end) {
    if (typeof node.value === "string") node.value = node.value.replace(/\n$/, "");
  }
}

function goValue(json: Json): GoValue {
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) return json.map(goValue);
  return new Map(Object.entries(json).map(([key, item]) => [key, goValue(item)]));
}
