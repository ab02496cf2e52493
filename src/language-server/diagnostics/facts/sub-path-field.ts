/** Whether a mount is of only a part of its volume. */
import { type Fields, textAt } from "../../workspace/manifest-fields.ts";

/** The field that names the part; undefined if the whole volume is mounted. */
export function subPathField(mount: Fields): string | undefined {
  return ["subPath", "subPathExpr"].find((field) => (textAt(mount, field) ?? "") !== "");
}
