/** Paths by their words alone, as Linux has them. Upstream: Go 1.26 path/filepath Clean, Join, IsLocal. */

/** The shortest path that means the same; `.` for an empty one. */
export function cleanFilePath(path: string): string {
  const isRooted = path.startsWith("/");
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (!isRooted) parts.push(part);
  }
  const clean = parts.join("/");
  return isRooted ? `/${clean}` : clean || ".";
}

/** Without slashes at its end. Upstream: strings.TrimRight(path, "/"). */
export function withoutEndSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end--;
  return path.slice(0, end);
}

/** The parts as one clean path; empty ones are left out, and nothing is made of nothing. */
export function joinFilePath(...parts: readonly string[]): string {
  const joined = parts.filter((part) => part !== "").join("/");
  return joined === "" ? "" : cleanFilePath(joined);
}

/** Whether a path stays below where it is read. */
export function isLocalFilePath(path: string): boolean {
  if (path === "" || path.startsWith("/")) return false;
  const clean = cleanFilePath(path);
  return clean !== ".." && !clean.startsWith("../");
}
