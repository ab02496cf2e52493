/** Paths of Linux, processed as texts only. Upstream: Go 1.26 path/filepath Clean, Join, IsLocal. */

/** The shortest equivalent path; `.` for an empty one. */
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

/** The path without trailing slashes. Upstream: strings.TrimRight(path, "/"). */
export function withoutEndSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end--;
  return path.slice(0, end);
}

/** Joins the parts that are not empty into one clean path; "" if there are none. */
export function joinFilePath(...parts: readonly string[]): string {
  const joined = parts.filter((part) => part !== "").join("/");
  return joined === "" ? "" : cleanFilePath(joined);
}

/** True if a path does not lead out of the directory that it is relative to. */
export function isLocalFilePath(path: string): boolean {
  if (path === "" || path.startsWith("/")) return false;
  const clean = cleanFilePath(path);
  return clean !== ".." && !clean.startsWith("../");
}
