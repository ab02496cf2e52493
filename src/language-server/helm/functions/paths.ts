/** Paths with slashes. Upstream: Go's path; filepath does the same on the machines that charts are rendered on. */
import { cleanFilePath } from "../../../engine/api/go/file-path.ts";
import { define, type Named } from "./signature.ts";

export const pathFunctions: readonly Named[] = [
  ...pathFunction("base", base),
  ...pathFunction("dir", (path) => cleanFilePath(path.slice(0, path.lastIndexOf("/") + 1))),
  ...pathFunction("clean", cleanFilePath),
  ...pathFunction("ext", (path) => /\.[^./]*$/.exec(path)?.[0] ?? ""),
  ...pathFunction("isAbs", (path) => path.startsWith("/")),
];

/** The function, and the same one prefixed with `os`. */
function pathFunction(name: string, run: (path: string) => string | boolean): readonly Named[] {
  const osName = `os${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  return [name, osName].map((either) =>
    define(either, ["string"], ([path], call) => call.charge(path.length) ?? run(path)),
  );
}

function base(path: string): string {
  if (path === "") return ".";
  let end = path.length;
  while (end > 0 && path[end - 1] === "/") end--;
  return end === 0 ? "/" : path.slice(path.lastIndexOf("/", end - 1) + 1, end);
}
