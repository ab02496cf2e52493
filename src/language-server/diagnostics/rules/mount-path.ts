/** Mount points in containers: paths that hide each other or the image's own files. */
import { cleanFilePath } from "../../../engine/api/go/file-path.ts";
import {
  containersOf,
  type Fields,
  itemsOf,
  podVolumesOf,
  textAt,
} from "../../workspace/manifest-fields.ts";
import { printPath } from "../../yaml/field-path.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { isConfigVolume } from "../facts/config-files.ts";
import { isWindows } from "../facts/container-user.ts";
import { pathsAround } from "../facts/nested-paths.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

interface Mount {
  readonly path: Path;
  readonly text: string;
  /** Without double slashes, dots and trailing slash. */
  readonly clean: string;
  readonly fields: Fields;
}

export const mountPathSame: DocumentRule = objectRule(
  "mount-path-same",
  "warning",
  {},
  function* (object) {
    for (const mounts of mountsByContainer(object)) {
      const seen = new Set<string>();
      for (const { path, clean } of mounts) {
        if (seen.has(clean))
          yield { path, message: `Both mounts land on ${clean}; one hides the other` };
        seen.add(clean);
      }
    }
  },
);

export const mountPathNested: DocumentRule = objectRule(
  "mount-path-nested",
  "information",
  {},
  function* (object) {
    for (const mounts of mountsByContainer(object)) {
      const hidden = hiddenBefore(mounts);
      for (const [index, { path }] of mounts.entries()) {
        const inside = hidden[index];
        if (inside === undefined) continue;
        const message = `This mount may hide ${inside.clean}, which is listed before it: move this mount before that one`;
        yield { path, message };
      }
    }
  },
);

/** For each mount, the first earlier one in the list that it may hide. */
function hiddenBefore(mounts: readonly Mount[]): readonly (Mount | undefined)[] {
  const around = pathsAround(mounts.map(({ clean }) => clean));
  const firstInside = new Map<string, number>();
  for (const index of mounts.keys())
    for (let outer = around[index]; outer !== undefined; outer = around[outer]) {
      const path = mounts[outer]?.clean ?? "";
      // Then the paths further out are known as well.
      if (firstInside.has(path)) break;
      firstInside.set(path, index);
    }
  return mounts.map(({ clean }, index) => {
    const first = firstInside.get(clean);
    return first !== undefined && first < index ? mounts[first] : undefined;
  });
}

/** For a mount that may hide an earlier one: its index in the list, and that of the other one. */
export function placesInList(
  object: ManifestObject,
  path: Path,
): { readonly from: number; readonly to: number } | undefined {
  for (const mounts of mountsByContainer(object)) {
    const index = mounts.findIndex((mount) => printPath(mount.path) === printPath(path));
    const [from, to] = [mounts[index], hiddenBefore(mounts)[index]].map((mount) =>
      mount?.path.findLast((segment) => typeof segment === "number"),
    );
    if (from !== undefined && to !== undefined) return { from, to };
  }
  return undefined;
}

/**
 * Runtimes create a missing mount point, which they cannot do in a volume that is already mounted read-only. Upstream: the
 * kubelet creates such directories in ConfigMaps, Secrets and projected volumes (pkg/volume/util/nested_volumes.go), but not in
 * an emptyDir; runc libcontainer rootfs_linux.go, v1.2.
 */
export const mountPathReadonly: DocumentRule = objectRule(
  "mount-path-readonly",
  "warning",
  {},
  function* (object) {
    const all = mountsByContainer(object);
    const isWritten = new Set(
      all.flat().flatMap(({ fields }) => (fields["readOnly"] === true ? [] : [fields["name"]])),
    );
    const empty = new Set(
      podVolumesOf(object)
        .filter(({ fields }) => fields["emptyDir"] !== undefined && !isWritten.has(fields["name"]))
        .map(({ fields }) => fields["name"]),
    );
    if (empty.size === 0) return;
    for (const mounts of all) {
      const around = pathsAround(mounts.map(({ clean }) => clean));
      for (const [index, { path, clean }] of mounts.entries()) {
        const outer = mounts[around[index] ?? -1];
        if (outer === undefined || !empty.has(outer.fields["name"])) continue;
        const message = `The container does not start: nobody can make ${clean} in volume “${String(outer.fields["name"])}”, which is empty and mounted read-only at ${outer.clean}`;
        yield { path, message };
      }
    }
  },
);

export const mountPathRelative: DocumentRule = objectRule(
  "mount-path-relative",
  "warning",
  {},
  function* (object) {
    for (const { path, text } of linuxMounts(object)) {
      if (text.startsWith("/") || text === "") continue;
      const fix = { title: `Change to /${text}`, path, value: `/${text}` };
      yield { path, message: "The path is interpreted relative to `/`", fix };
    }
  },
);

export const mountPathColon: DocumentRule = objectRule(
  "mount-path-colon",
  "warning",
  {},
  function* (object) {
    for (const { path, text } of linuxMounts(object))
      if (text.includes(":")) yield { path, message: "“:” breaks container runtimes" };
  },
);

const systemDirectories: ReadonlySet<string> = new Set([
  "/",
  "/proc",
  "/sys",
  "/dev",
  "/etc",
  "/bin",
  "/usr",
  "/lib",
]);

export const mountPathSystem: DocumentRule = objectRule(
  "mount-path-system",
  "warning",
  {},
  function* (object) {
    const ofHost = new Set(
      podVolumesOf(object)
        .filter(({ fields }) => fields["hostPath"] !== undefined)
        .map(({ fields }) => fields["name"]),
    );
    const readOnly = new Set(
      podVolumesOf(object)
        .filter(isConfigVolume)
        .map(({ fields }) => fields["name"]),
    );
    for (const { path, clean, fields } of linuxMounts(object)) {
      // Mounting the node's own directory there is intentional.
      if (!systemDirectories.has(clean) || ofHost.has(fields["name"])) continue;
      const message =
        clean === "/etc" && (readOnly.has(fields["name"]) || fields["readOnly"] === true)
          ? "The mount hides /etc of the image and is read-only: the runtime cannot mount its own /etc/hosts and /etc/resolv.conf into it, and the container does not start"
          : `The mount hides ${clean} of the image`;
      yield { path, message };
    }
  },
);

function mountsByContainer(object: ManifestObject): readonly (readonly Mount[])[] {
  return containersOf(object).map(({ fields, path }) =>
    itemsOf(fields["volumeMounts"], [...path, "volumeMounts"]).flatMap((mount): Mount[] => {
      const text = textAt(mount.fields, "mountPath");
      if (text === undefined) return [];
      const at = [...mount.path, "mountPath"];
      return [{ path: at, text, clean: cleanFilePath(text), fields: mount.fields }];
    }),
  );
}

function linuxMounts(object: ManifestObject): readonly Mount[] {
  if (isWindows(object)) return [];
  return mountsByContainer(object)
    .flat()
    .filter(({ text }) => !/^[A-Za-z]:[\\/]/.test(text));
}
