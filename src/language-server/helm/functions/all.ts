/**
 * The functions that Helm adds to those of Go's templates. Upstream: Helm v4 pkg/engine/funcs.go funcMap, sprig v3
 * functions.go, without `env` and `expandenv`, which Helm removes for charts.
 */
import type { GoFunction } from "../go-template/values.ts";
import { conversionFunctions } from "./conversions.ts";
import { cryptoFunctions } from "./crypto.ts";
import { dateFunctions } from "./dates.ts";
import { defaultFunctions } from "./defaults.ts";
import { dictFunctions } from "./dicts.ts";
import { encodingFunctions } from "./encodings.ts";
import { hashFunctions } from "./hashes.ts";
import { jsonFunctions } from "./json.ts";
import { listFunctions } from "./lists.ts";
import { mathFunctions } from "./math.ts";
import { pathFunctions } from "./paths.ts";
import { randomFunctions } from "./random.ts";
import { regexFunctions } from "./regexes.ts";
import { semverFunctions } from "./semver.ts";
import { define } from "./signature.ts";
import { stringFunctions } from "./strings.ts";
import { templateFunctions } from "./templates.ts";
import { tomlFunctions } from "./toml.ts";
import { urlFunctions } from "./urls.ts";
import { wrappingFunctions } from "./wrapping.ts";
import { yamlFunctions } from "./yaml.ts";

export const helmFunctions: ReadonlyMap<string, GoFunction> = new Map([
  ...conversionFunctions,
  ...cryptoFunctions,
  ...dateFunctions,
  ...defaultFunctions,
  ...dictFunctions,
  ...encodingFunctions,
  ...hashFunctions,
  ...jsonFunctions,
  ...listFunctions,
  ...mathFunctions,
  ...pathFunctions,
  ...randomFunctions,
  ...regexFunctions,
  ...semverFunctions,
  ...stringFunctions,
  ...templateFunctions,
  ...tomlFunctions,
  ...urlFunctions,
  ...wrappingFunctions,
  ...yamlFunctions,
]);

/** Functions that Helm adds to sprig's. */
const ownFunctions: readonly string[] = [
  ...["fromJsonArray", "fromToml", "fromYaml", "fromYamlArray", "include", "lookup", "required"],
  ...["mustToToml", "mustToYaml", "toToml", "toYaml", "toYamlPretty", "tpl"],
];

/** Sprig's functions only. Environment variables are unknown here and are treated as unset. */
export const sprigFunctions: ReadonlyMap<string, GoFunction> = new Map([
  ...[...helmFunctions].filter(([name]) => !ownFunctions.includes(name)),
  define("env", ["string"], () => ""),
  define("expandenv", ["string"], ([text]) => text.replace(/\$(?:\w+|\{[^}$]*\})/g, "")),
]);
