/** Whether a text can be the name of an object. */
import { checkSubdomain } from "../../../engine/api/names/names.ts";

export function isObjectName(name: string): boolean {
  return checkSubdomain(name).length === 0;
}
