/** Which of a container's mounts lie in which others. */
import { compareText } from "../../../engine/api/go/text-order.ts";

/** By the indices of cleaned paths: the innermost other one around each, undefined where there is none. `/` is around none. */
export function pathsAround(paths: readonly string[]): readonly (number | undefined)[] {
  // A directory comes before what lies in it, and nothing else between the two.
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
