/** Paths in URIs. A folder's URI has no trailing slash. */

export function parentUri(uri: string): string {
  const slash = uri.lastIndexOf("/");
  return slash < 0 ? "" : uri.slice(0, slash);
}

/** Where a relative path leads from a folder. */
export function resolveUri(folder: string, path: string): string {
  let at = folder;
  for (const segment of path.split("/")) {
    if (segment === "..") at = parentUri(at);
    else if (segment !== "" && segment !== ".")
      at = `${at}/${encodeURIComponent(wellFormed(segment))}`;
  }
  return at;
}

/** Replaces lone surrogates, which no URI can contain; no file has such a name. */
export function wellFormed(name: string): string {
  return name.replace(/\p{Cs}/gu, "\ufffd");
}

/** The path from one folder to another file or folder; `.` if they are the same. */
export function relativePath(from: string, to: string): string {
  const [own, other] = [from.split("/"), to.split("/")];
  const differs = own.findIndex((segment, index) => segment !== other[index]);
  const shared = differs < 0 ? own.length : differs;
  return [...own.slice(shared).map(() => ".."), ...other.slice(shared)].join("/") || ".";
}

export function isBelow(uri: string, folder: string): boolean {
  return uri.startsWith(folder) && uri.charCodeAt(folder.length) === 0x2f;
}

export function baseName(uri: string): string {
  return decoded(uri.slice(uri.lastIndexOf("/") + 1));
}

/** Without scheme and host. */
export function pathOf(uri: string): string {
  return decoded(uri.replace(/^[a-z][a-z\d+.-]*:(?:\/\/[^/]*)?/i, ""));
}

/** Returns invalid encodings unchanged. Decoded names are comparable, because programs differ in what they encode. */
export function decoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function withoutTrailingSlash(uri: string): string {
  return uri.endsWith("/") && !uri.endsWith("//") ? uri.slice(0, -1) : uri;
}
