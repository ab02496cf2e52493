/** URL functions. Upstream: sprig v3 url.go, Go's net/url Parse and String. */
import { goQuote } from "../../../engine/api/go/text.ts";
import { Failure, type GoMap, type GoValue } from "../go-template/values.ts";
import { bytesOf, percentEscaped, textOfBytes } from "./bytes.ts";
import { kindOf } from "./go-types.ts";
import { ipv6Complaint } from "./ip-address.ts";
import { define, type Named } from "./signature.ts";

/** In units of printed letters. */
const costOfReading = 64;

export const urlFunctions: readonly Named[] = [
  define("urlParse", ["string"], ([text], call) => {
    const refused = call.charge(costOfReading);
    if (refused !== undefined) return refused;
    const url = parseUrl(text);
    if (typeof url === "string") return new Failure(`unable to parse url: parse "${text}": ${url}`);
    return new Map<string, GoValue>([...Object.entries(url), ["hostname", hostName(url.host)]]);
  }),
  define("urlJoin", ["map"], ([parts]) => joined(parts)),
];

export interface Url {
  readonly scheme: string;
  readonly opaque: string;
  readonly userinfo: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

/** Returns a text if it is not a URL, without `parse "…": ` before it. */
export function parseUrl(text: string): Url | string {
  if (/\p{Cc}/u.test(text) && bytesOf(text).some((byte) => byte < 0x20 || byte === 0x7f))
    return "net/url: invalid control character in URL";
  const [beforeFragment = "", fragment = ""] = cut(text, "#");
  const shown = unescaped(fragment);
  if (shown === undefined) return badEscape(fragment);
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(beforeFragment)?.[1] ?? "";
  if (scheme === "" && beforeFragment.startsWith(":")) return "missing protocol scheme";
  const rest = scheme === "" ? beforeFragment : beforeFragment.slice(scheme.length + 1);
  const [hierarchy, query] = cut(rest, "?");
  const named = { scheme: scheme.toLowerCase(), query, fragment: shown };
  if (!hierarchy.startsWith("/") && scheme !== "")
    return { ...named, opaque: hierarchy, userinfo: "", host: "", path: "" };
  if (!hierarchy.startsWith("/") && cut(hierarchy, "/")[0].includes(":"))
    return "first path segment in URL cannot contain colon";
  return withAuthority(hierarchy, named);
}

function withAuthority(
  hierarchy: string,
  named: Pick<Url, "scheme" | "query" | "fragment">,
): Url | string {
  const hasAuthority = hierarchy.startsWith("//") && !hierarchy.startsWith("///");
  const authority = hasAuthority ? cut(hierarchy.slice(2), "/")[0] : "";
  const path = unescaped(hasAuthority ? hierarchy.slice(2 + authority.length) : hierarchy);
  if (path === undefined) return badEscape(hierarchy);
  const at = authority.lastIndexOf("@");
  const userinfo = at < 0 ? "" : authority.slice(0, at);
  if (/[^\w\-.:~!$&'()*+,;=%@]/.test(userinfo)) return "net/url: invalid userinfo";
  if (unescaped(userinfo) === undefined) return badEscape(userinfo);
  const host = readHost(authority.slice(at + 1));
  if ("problem" in host) return host.problem;
  return { ...named, opaque: "", userinfo, host: host.name, path };
}

/** Upstream: parseHost, validOptionalPort. */
function readHost(written: string): { readonly name: string } | { readonly problem: string } {
  const close = written.lastIndexOf("]");
  if (written.startsWith("[") && close < 0) return { problem: "missing ']' in host" };
  const port = /:([^:]*)$/.exec(written.slice(close + 1))?.[1];
  if (port !== undefined && !/^\d*$/.test(port))
    return { problem: `invalid port ${goQuote(`:${port}`)} after host` };
  const name = unescaped(written);
  if (name === undefined) return { problem: badEscape(written) };
  // Only non-ASCII characters may be escaped, and the percent sign before a zone.
  const [misplaced] = /%(?!25)[0-7][\da-fA-F]/.exec(written) ?? [];
  if (misplaced !== undefined) return { problem: `invalid URL escape "${misplaced}"` };
  const [letter] = /[^\w\-.~!$&'()*+,;=:[\]<>"%\x80-\u{10ffff}]/u.exec(written) ?? [];
  if (letter !== undefined) return { problem: `invalid character ${goQuote(letter)} in host name` };
  if (!written.startsWith("[")) return { name };
  const address = name.slice(1, name.indexOf("]"));
  const complaint = ipv6Complaint(address);
  if (complaint !== undefined) return { problem: `invalid host: ${complaint}` };
  return address.includes(":") ? { name } : { problem: "invalid IP-literal" };
}

function cut(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

export function unescaped(text: string): string | undefined {
  if (!text.includes("%")) return text;
  if (/%(?![\da-fA-F]{2})/.test(text)) return undefined;
  return text.replace(/(?:%[\da-fA-F]{2})+/g, (escapes) =>
    textOfBytes(Uint8Array.from(escapes.slice(1).split("%"), (hex) => Number.parseInt(hex, 16))),
  );
}

function badEscape(text: string): string {
  return `invalid URL escape "${/%(?![\da-fA-F]{2}).{0,2}/.exec(text)?.[0] ?? ""}"`;
}

export function hostName(host: string): string {
  const [, inBrackets] = /^\[(.*)\](?::\d*)?$/.exec(host) ?? [];
  return inBrackets ?? host.replace(/:\d*$/, "");
}

function joined(parts: GoMap): string | Failure {
  const texts: Record<string, string> = {};
  for (const name of ["scheme", "host", "path", "query", "opaque", "fragment", "userinfo"]) {
    const value = parts.get(name) ?? "";
    if (typeof value !== "string")
      return new Failure(
        `unable to parse ${name} key, must be of type string, but ${kindOf(value)} found`,
      );
    texts[name] = value;
  }
  const {
    scheme = "",
    host = "",
    path = "",
    query = "",
    opaque = "",
    fragment = "",
    userinfo = "",
  } = texts;
  const behind = (query && `?${query}`) + (fragment && `#${escapedPath(fragment)}`);
  const before = scheme && `${scheme}:`;
  if (opaque !== "") return before + opaque + behind;
  const user = userinfo && `${userinfo}@`;
  const hasAuthority = host !== "" || userinfo !== "" || (scheme !== "" && path !== "");
  const authority = hasAuthority ? `//${user}${host}` : "";
  const slash = path !== "" && !path.startsWith("/") && host !== "" ? "/" : "";
  return before + authority + slash + escapedPath(path) + behind;
}

/** Keeps letters and characters that are allowed in a path. */
function escapedPath(text: string): string {
  return text.replace(/[^A-Za-z0-9\-_.~$&+,/:;=@!'()*]/gu, percentEscaped);
}
