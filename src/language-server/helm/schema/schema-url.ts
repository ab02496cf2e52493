/**
 * URLs by which schemas refer to each other. Upstream: santhosh-tekuri/jsonschema v6 util.go, Go's net/url ResolveReference.
 */
import { percentEscaped } from "../functions/bytes.ts";

interface Parts {
  readonly scheme: string;
  /** With its slashes; undefined if there is none. */
  readonly authority: string | undefined;
  readonly path: string;
  readonly query: string;
}

/** Neither URL may have a fragment. */
export function resolvedUrl(base: string, reference: string): string {
  const to = partsOf(reference);
  if (to.scheme !== "")
    return joined(to.path.startsWith("/") ? { ...to, path: withoutDots(to.path) } : to);
  const from = partsOf(base);
  const isOpaque = from.authority === undefined && !from.path.startsWith("/");
  if (isOpaque && from.scheme !== "") return joined({ ...from, query: to.query || from.query });
  if (to.authority !== undefined)
    return joined({ ...to, scheme: from.scheme, path: withoutDots(to.path) });
  if (to.path === "") return joined({ ...from, query: to.query || from.query });
  const path = to.path.startsWith("/")
    ? to.path
    : from.path.slice(0, from.path.lastIndexOf("/") + 1) + to.path;
  return joined({ ...from, path: withoutDots(path), query: to.query });
}

function partsOf(url: string): Parts {
  const [, scheme = "", authority, path = "", query = ""] =
    /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(\/\/[^/?]*)?([^?]*)(\?.*)?$/s.exec(url) ?? [];
  return { scheme: scheme.toLowerCase(), authority, path, query };
}

function joined({ scheme, authority = "", path, query }: Parts): string {
  return (scheme === "" ? "" : `${scheme}:`) + authority + path + query;
}

function withoutDots(path: string): string {
  const kept: string[] = [];
  const segments = path.split("/");
  for (const segment of segments)
    if (segment === "..") kept.pop();
    else if (segment !== ".") kept.push(segment);
  const last = segments.at(-1);
  if (last === "." || last === "..") kept.push("");
  return `/${kept.join("/").replace(/^\/+/, "")}`;
}

/** A URL without a scheme refers to a place relative to the schema. */
export function schemeOf(url: string): string {
  return partsOf(url).scheme;
}

/** Escapes a pointer, but not its slashes. Upstream: util.go encode, url.PathEscape. */
export function escapedFragment(fragment: string): string {
  return fragment.replace(/[^\w\-.~$&+=:@/]/gu, percentEscaped);
}
