/** The names that provisioners give volumes hold a uid, which is another one in each cluster. */
import { makeRef } from "../../engine/api/meta.ts";
import type { Environment } from "../workspace/environment.ts";

/** Whether nobody knows yet what the volume will be called; those of an imported cluster have their names. */
export function isMadeUpName({ imported }: Environment, name: string): boolean {
  const isThere = imported?.byRef.has(makeRef("PersistentVolume", undefined, name)) === true;
  return !isThere && /-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name);
}
