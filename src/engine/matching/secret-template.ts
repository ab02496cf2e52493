/**
 * Names of secrets with `${token}` parts, as StorageClasses and VolumeSnapshotClasses give them.
 * Upstream: getSecretReference and resolveTemplate in external-provisioner v6.3 and external-snapshotter v8.6; Go os.Expand.
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

/** The secret's name may hold more tokens than its namespace: a user must not choose a foreign namespace. */
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

/** `${name}`, `$name` or a special character behind the dollar; any other dollar stays as it is. */
const variable = /\$(?:\{([^}]*)\}|([*#$@!?0-9-])|([A-Za-z_][A-Za-z0-9_]*))/g;
/** Behind the last closing brace, where an opening one is left out with its dollar. */
const unclosed = /\$(?:\{()|([*#$@!?0-9-])|([A-Za-z_][A-Za-z0-9_]*))/g;

/** Upstream: Go's os.Expand, to which empty braces say nothing. */
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
