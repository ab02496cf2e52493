/** Names that an object can have. */
import { checkSubdomain } from "../../../engine/api/names/names.ts";

export function isObjectName(name: string): boolean {
  return checkSubdomain(name).length === 0;
}
