import type { WorkspaceFile } from "./workspace-object.ts";

/** Links whose objects are those of another file; of several links to a file that is none of these, all but the first. */
export function repeatedLinks(files: readonly WorkspaceFile[]): ReadonlySet<string> {
  const links = files.filter(({ linkTo }) => linkTo !== undefined);
  const repeated = new Set<string>();
  if (links.length === 0) return repeated;
  const known = new Set<string | undefined>(files.map(({ uri }) => uri));
  for (const { uri, linkTo } of links) {
    if (known.has(linkTo)) repeated.add(uri);
    known.add(linkTo);
  }
  return repeated;
}
