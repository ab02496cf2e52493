/**
 * Files of ConfigMaps and Secrets belong to root and its group, unless the pod has an fsGroup, which may read them all. Without
 * permissions for others, a container that does not run as root cannot read them. Upstream: pkg/volume/util/atomic_writer.go,
 * pkg/volume/volume_linux.go SetVolumeOwnership.
 */
import {
  containersOf,
  fieldsAt,
  itemsOf,
  type Located,
  podSpecOf,
  podVolumesOf,
} from "../../workspace/manifest-fields.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { isWindows, nameOfUser, userOf } from "../facts/container-user.ts";
import { octal, writtenModes } from "../facts/file-modes.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

export const modeNotReadable: DocumentRule = objectRule(
  "mode-not-readable",
  "warning",
  { yieldsTo: ["mode-looks-octal"], yieldsAtPlace: true },
  function* (object) {
    const group = fieldsAt(podSpecOf(object)?.fields ?? {}, "securityContext")["fsGroup"];
    if (group !== undefined || isWindows(object)) return;
    const readers = readersOf(object);
    for (const volume of podVolumesOf(object)) {
      const reader = readers.get(volume.fields["name"]);
      if (reader === undefined) continue;
      for (const { path, mode } of writtenModes(volume)) {
        if (typeof mode !== "number" || (mode & 0o044) !== 0 || isOfNoFile(volume, path)) continue;
        yield {
          path,
          message: `The files belong to root, and mode ${octal(mode)} lets nobody else read them: ${reader} gets “Permission denied”. With fsGroup the pod's group may read them`,
        };
      }
    }
  },
);

/**
 * By volume, a user other than root that mounts it. Permissions of the group are not judged: an image's user may be in root's
 * group.
 */
function readersOf(object: ManifestObject): ReadonlyMap<unknown, string> {
  const readers = new Map<unknown, string>();
  for (const { fields } of containersOf(object)) {
    const user = userOf(object, fields);
    if (user.is !== "other") continue;
    for (const { fields: mount } of itemsOf(fields["volumeMounts"], []))
      if (!readers.has(mount["name"])) readers.set(mount["name"], nameOfUser(user));
  }
  return readers;
}

/** True for a default mode that every item overrides, or that also applies to tokens, which the container's user owns. */
function isOfNoFile(volume: Located, path: Path): boolean {
  if (path.at(-1) !== "defaultMode") return false;
  if (path.at(-2) === "projected") return true;
  const source = fieldsAt(volume.fields, ...path.slice(volume.path.length, -1).map(String));
  const items = itemsOf(source["items"], []);
  return items.length > 0 && items.every(({ fields }) => fields["mode"] !== undefined);
}
