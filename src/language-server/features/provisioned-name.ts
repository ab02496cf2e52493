/** Recognizes volume names that a provisioner generates: they end in a uid, which differs in every cluster. */
import { makeRef } from "../../engine/api/meta.ts";
import type { Environment } from "../workspace/environment.ts";

/** True if the name is generated and thus unknown in advance; false for volumes of an imported cluster. */
export function isMadeUpName({ imported }: Environment, name: string): boolean {
  const isThere = imported?.byRef.has(makeRef("PersistentVolume", undefined, name)) === true;
  return !isThere && /-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name);
}
