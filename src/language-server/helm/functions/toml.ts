/** TOML functions. Upstream: Helm v4 pkg/engine/funcs.go on BurntSushi/toml. */
import { Failure } from "../go-template/values.ts";
import { define, type Named } from "./signature.ts";
import { readToml } from "./toml-reader.ts";
import { writeToml } from "./toml-writer.ts";
import { weigh } from "./weigh.ts";

export const tomlFunctions: readonly Named[] = [
  define("toToml", ["any"], ([value], call) => {
    const refused = weigh(value, call);
    if (refused instanceof Failure) return refused;
    return refused === "endless" ? "toml: the value holds itself" : writeToml(value, call);
  }),
  define("fromToml", ["string"], ([text], call) => {
    const refused = call.charge(text.length);
    if (refused !== undefined) return refused;
    const read = readToml(text);
    return read instanceof Map ? read : new Map([["Error", read.error]]);
  }),
];
