/** Whether a mount is of a part of its volume. */
import { type Fields, textAt } from "../../workspace/manifest-fields.ts";

/** The field that names a part of the volume; undefined where all of it is mounted. */
export function subPathField(mount: Fields): string | undefined {
  return ["subPath", "subPathExpr"].find((field) => (textAt(mount, field) ?? "") !== "");
}
