/**
 * An object as another API server has stored it: decoded and completed with defaults, without admission and validation, for
 * those it has gone through. Upstream: what a server reads from etcd, where fields that it does not know are lost.
 */
import { customKinds, storedCustom } from "./custom-resource.ts";
import { decodeStored, tieLooseEnds } from "./decode.ts";
import { setDefaults } from "./defaults/defaults.ts";
import { type Kind, type KubeObject, kindSchema } from "./meta.ts";
import type { Mutable } from "./mutable.ts";
import type { KindMap, ObjectMeta } from "./types.ts";

export type StoredObject =
  | { readonly ok: true; readonly object: KubeObject }
  | { readonly ok: false; readonly error: string };

/** Why it is none where its fields are not what they should be. */
export function storedObject(input: Readonly<Record<string, unknown>>): StoredObject {
  const kind = String(input["kind"]);
  const schema = kindSchema(kind);
  if (schema === undefined) return { ok: false, error: `${kind} is not served` };
  const decoded = customKinds.has(kind as Kind)
    ? storedCustom(kind as Kind, input)
    : decodeStored(schema.model, input);
  if (!decoded.ok) return { ok: false, error: decoded.cause };
  const object = decoded.value as unknown as Mutable<KindMap[Kind]>;
  object.kind = kind as Kind;
  const metadata = object.metadata as Mutable<ObjectMeta>;
  if (schema.namespaced) metadata.namespace ??= "default";
  delete (metadata as { managedFields?: unknown }).managedFields;
  setDefaults(object);
  tieLooseEnds(decoded.loose);
  return { ok: true, object: object as unknown as KubeObject };
}
