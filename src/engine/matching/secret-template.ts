/**
 * Secret names with `${token}` parts, as in StorageClasses and VolumeSnapshotClasses. Upstream: getSecretReference and
 * resolveTemplate in external-provisioner v6.3 and external-snapshotter v8.6; Go os.Expand.
 */
import { compareText } from "../api/go/text-order.ts";
import { checkLabel, checkSubdomain } from "../api/names/names.ts";

export type Resolved<T> =
  | { readonly ok: true; readonly object: T }
  | { readonly ok: false; readonly error: string };

export interface SecretName {
  readonly name: string;
  readonly namespace: string;
}

export type Tokens = Readonly<Record<string, string>>;

/** Resolves both templates. The name may use more tokens than the namespace: a user must not choose a foreign namespace. */
export function resolveSecretName(
  template: SecretName,
  nameTokens: Tokens,
  namespaceTokens: Tokens,
): Resolved<SecretName> {
  const namespace = resolve(template.namespace, namespaceTokens);
  if (!namespace.ok) return namespace;
  if (checkLabel(namespace.object).length > 0) {
    return invalid(template.namespace, namespace.object, "namespace");
  }
  const name = resolve(template.name, nameTokens);
  if (!name.ok) return name;
  if (checkSubdomain(name.object).length > 0) return invalid(template.name, name.object, "secret");
  return { ok: true, object: { name: name.object, namespace: namespace.object } };
}

function invalid<T>(template: string, resolved: string, what: string): Resolved<T> {
  const from = JSON.stringify(template);
  const error =
    template === resolved
      ? `${from} is not a valid ${what} name`
      : `${from} resolved to ${JSON.stringify(resolved)} which is not a valid ${what} name`;
  return { ok: false, error };
}

/** `${name}`, `$name` or a special character after the dollar; any other dollar stays unchanged. */
const variable = /\$(?:\{([^}]*)\}|([*#$@!?0-9-])|([A-Za-z_][A-Za-z0-9_]*))/g;
/** For the text after the last closing brace, where an unclosed `${` is removed. */
const unclosed = /\$(?:\{()|([*#$@!?0-9-])|([A-Za-z_][A-Za-z0-9_]*))/g;

/** Upstream: Go's os.Expand, which removes empty braces. */
function resolve(template: string, tokens: Tokens): Resolved<string> {
  const missing = new Set<string>();
  const fill = (_: string, braced?: string, special?: string, bare?: string): string => {
    const token = braced ?? special ?? bare ?? "";
    if (Object.hasOwn(tokens, token)) return tokens[token] ?? "";
    if (token !== "") missing.add(token);
    return "";
  };
  const end = template.lastIndexOf("}") + 1;
  const object =
    template.slice(0, end).replace(variable, fill) + template.slice(end).replace(unclosed, fill);
  if (missing.size === 0) return { ok: true, object };
  const list = [...missing].sort(compareText).map((token) => JSON.stringify(token));
  const error = `error resolving value ${JSON.stringify(template)}: invalid tokens: [${list.join(" ")}]`;
  return { ok: false, error };
}
