/** Which mounts of a container lie within others. */
import { compareText } from "../../../engine/api/go/text-order.ts";

/** For each cleaned path, the index of the innermost other path around it; undefined if there is none. `/` does not count. */
export function pathsAround(paths: readonly string[]): readonly (number | undefined)[] {
  // Sorts each directory right before its content.
  const keys = paths.map((path) => path.replaceAll("/", "\0"));
  const order = [...keys.keys()].sort((a, b) => compareText(keys[a] ?? "", keys[b] ?? ""));
  const around: (number | undefined)[] = paths.map(() => undefined);
  const open: number[] = [];
  for (const index of order) {
    const path = paths[index] ?? "";
    let outer = open.at(-1);
    while (outer !== undefined && path !== paths[outer] && !path.startsWith(`${paths[outer]}/`)) {
      open.pop();
      outer = open.at(-1);
    }
    const isSame = outer !== undefined && path === paths[outer];
    around[index] = isSame && outer !== undefined ? around[outer] : outer;
    if (!isSame && path !== "/") open.push(index);
  }
  return around;
}
