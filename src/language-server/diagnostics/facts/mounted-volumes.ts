/** Which of a pod's volumes its containers use, as file systems or as devices, and where. */
import { cleanFilePath } from "../../../engine/api/go/file-path.ts";
import { containersOf, type Fields, itemsOf, textAt } from "../../workspace/manifest-fields.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";

/** Their names as the containers of the pod have them, or of the pods that the object makes. */
export function mountedVolumes(object: ManifestObject): ReadonlySet<unknown> {
  return new Set(
    containersOf(object).flatMap(({ fields }) =>
      ["volumeMounts", "volumeDevices"].flatMap((field) =>
        itemsOf(fields[field], []).map((mount) => mount.fields["name"]),
      ),
    ),
  );
}

/** Where a mount is in its container, without doubled slashes, dots and the slash at the end. */
export function mountPathOf(mount: Fields): string {
  return cleanFilePath(textAt(mount, "mountPath") ?? "");
}

/** Whether a path is a directory or lies in it; both without what `mountPathOf` takes out. */
export function isIn(path: string, directory: string): boolean {
  return path === directory || directory === "/" || path.startsWith(`${directory}/`);
}
