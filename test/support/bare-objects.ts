/** Objects with only the fields that a test is about, and no defaults. */
import { isNamespaced, type Kind, type KubeObject, kindSchema } from "../../src/engine/api/meta.ts";

interface Parts {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}

/** Namespaced objects are in `default`; the uid is the name, and the creation time is the start of the run. */
export function bare<K extends Kind>(kind: K, name: string, parts: Parts = {}): KubeObject<K> {
  const metadata = {
    ...(isNamespaced(kind) && { namespace: "default" }),
    name,
    uid: name,
    creationTimestamp: "2026-01-01T00:00:00Z",
    ...parts.metadata,
  };
  const { apiVersion } = kindSchema(kind) ?? { apiVersion: "v1" };
  return { apiVersion, kind, ...parts, metadata } as unknown as KubeObject<K>;
}

/** An owner reference that makes `owner` an object's controller. */
export function controllerIn(owner: KubeObject<Kind>): object {
  const { apiVersion, kind, metadata } = owner;
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true };
}
