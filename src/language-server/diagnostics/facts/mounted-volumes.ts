/** Which of a pod's volumes its containers use, as file systems or devices, and where. */
import { cleanFilePath } from "../../../engine/api/go/file-path.ts";
import { containersOf, type Fields, itemsOf, textAt } from "../../workspace/manifest-fields.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";

/** The names of the mounted volumes, for a pod or for the pods that the object makes. */
export function mountedVolumes(object: ManifestObject): ReadonlySet<unknown> {
  return new Set(
    containersOf(object).flatMap(({ fields }) =>
      ["volumeMounts", "volumeDevices"].flatMap((field) =>
        itemsOf(fields[field], []).map((mount) => mount.fields["name"]),
      ),
    ),
  );
}

/** The cleaned path of a mount: no double slashes, dots or trailing slash. */
export function mountPathOf(mount: Fields): string {
  return cleanFilePath(textAt(mount, "mountPath") ?? "");
}

/** True if the path is the directory or lies in it. Both must be cleaned. */
export function isIn(path: string, directory: string): boolean {
  return path === directory || directory === "/" || path.startsWith(`${directory}/`);
}
