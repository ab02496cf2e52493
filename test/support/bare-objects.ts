/** Objects as a cache may hold them: what the case is about, and no defaults. */
import { isNamespaced, type Kind, type KubeObject, kindSchema } from "../../src/engine/api/meta.ts";

interface Parts {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}

/** In the namespace `default` if it is in any, with its name for a uid and the start of the run as its time of creation. */
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

/** The reference by which that object controls another. */
export function controllerIn(owner: KubeObject<Kind>): object {
  const { apiVersion, kind, metadata } = owner;
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true };
}
