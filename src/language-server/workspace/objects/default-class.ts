/** True if a manifest, which may lack anything, is a StorageClass marked as the default. */
import { isDefaultClass } from "../../../engine/api/storage-class-name.ts";
import { type Fields, fieldsAt } from "../manifest-fields.ts";

export function isMarkedDefault(value: Fields): boolean {
  if (value["kind"] !== "StorageClass") return false;
  const annotations = fieldsAt(value, "metadata", "annotations") as Readonly<
    Record<string, string>
  >;
  return isDefaultClass({ metadata: { annotations } });
}
