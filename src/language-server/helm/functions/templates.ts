/**
 * Functions that use or end the execution. Upstream: Helm v4 pkg/engine/engine.go, funcs.go; `helm template` uses no cluster
 * and no name server.
 */
import { Failure } from "../go-template/values.ts";
import { define, type Named } from "./signature.ts";

export const templateFunctions: readonly Named[] = [
  define("include", ["string", "any"], ([name, data], call) => call.include(name, data)),
  define("tpl", ["string", "any"], ([text, data], call) => call.execute(text, data)),
  define("required", ["string", "any"], ([message, value]) =>
    value === null || value === "" ? new Failure(message) : value,
  ),
  define("fail", ["string"], ([message]) => new Failure(message)),
  define("lookup", ["string", "string", "string", "string"], () => new Map()),
  define("getHostByName", ["string"], () => ""),
];
