/** Mounts of a file from a ConfigMap or Secret that turn into directories. */

import { nearestName } from "../../nearest-name.ts";
import {
  containersOf,
  type Fields,
  itemsOf,
  type Located,
  podVolumesOf,
  textAt,
} from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { type ConfigFiles, configFilesOf, isConfigVolume } from "../facts/config-files.ts";
import { mountPathOf } from "../facts/mounted-volumes.ts";
import { pathsAround } from "../facts/nested-paths.ts";
import { subPathField } from "../facts/sub-path-field.ts";
import { listNames } from "../missing-reference.ts";
import type { EnvironmentContext, EnvironmentRule, RelatedReport } from "../rule.ts";

/** Upstream: pkg/kubelet/kubelet_pods.go makeMounts, which creates a directory if the path does not exist. */
export const subpathKeyMissing: EnvironmentRule = {
  id: "subpath-key-missing",
  severity: "warning",
  scope: "environment",
  *check(context) {
    for (const { entry, volumeName, files, fields, path } of configMounts(context)) {
      const written = textAt(fields, "subPath") ?? "";
      const wanted = written.replace(/^\.\//, "").replace(/\/$/, "");
      if (wanted === "" || wanted === "." || wanted.startsWith("..")) continue;
      if (files.paths.some((file) => file === wanted || file.startsWith(`${wanted}/`))) continue;
      const meant = nearestName(wanted, files.paths);
      const others = meant === undefined ? `; it holds ${listNames(files.paths)}` : "";
      yield {
        entry,
        path: [...path, "subPath"],
        message: `Volume “${volumeName}” holds no file “${wanted}”, and an empty directory is mounted in its place${others}`,
        meant,
        related: placesOf(files),
      };
    }
  },
};

export const configMountedAsDirectory: EnvironmentRule = {
  id: "config-mounted-as-directory",
  severity: "warning",
  scope: "environment",
  *check(context) {
    for (const { entry, files, fields, path } of configMounts(context)) {
      const mountPath = textAt(fields, "mountPath") ?? "";
      const name = mountPath.slice(mountPath.lastIndexOf("/") + 1);
      // A directory may have the name of its only file, but not one with an extension.
      if (subPathField(fields) !== undefined || !isCalledAsFile(name)) continue;
      if (!files.paths.includes(name)) continue;
      yield {
        entry,
        path: [...path, "mountPath"],
        message: `The whole volume is mounted: ${mountPath} becomes a directory with “${name}” in it, and the container does not start where its image has a file there. subPath mounts the file alone`,
        related: placesOf(files),
        fix: { title: `Set subPath to ${name}`, path: [...path, "subPath"], value: name },
      };
    }
  },
};

/**
 * Upstream: pkg/volume/util/nested_volumes.go MakeNestedMountpoints creates a directory for each mount inside a ConfigMap,
 * Secret or projected volume, and runc cannot mount a file on a directory (libcontainer rootfs_linux.go).
 */
export const mountFileInConfig: EnvironmentRule = {
  id: "mount-file-in-config",
  severity: "warning",
  scope: "environment",
  *check(context) {
    for (const entry of context.environment.objects) {
      const { object } = entry;
      for (const { fields, path, outer } of mountsInConfig(object)) {
        const volume = podVolumesOf(object).find((one) => one.fields["name"] === fields["name"]);
        const file = textAt(fields, "subPath") ?? "";
        const known = volume && configFilesOf(context, object.namespace, volume)?.paths;
        if (!(known?.includes(file) ?? isCalledAsFile(file))) continue;
        const end = `${known === undefined ? `If “${file}” is a file, the` : "The"} container does not start`;
        const [inner, around] = [fields, outer].map((mount) => textAt(mount, "mountPath"));
        yield {
          entry,
          path: [...path, "mountPath"],
          message: `${end}: at ${inner}, within the mount of “${String(outer["name"])}” at ${around}, the kubelet creates a directory, on which no file can be mounted (not a directory). Mount it elsewhere, or use both as sources of one projected volume`,
          ...(known === undefined && { severity: "information" }),
        };
      }
    }
  },
};

interface MountInConfig extends Located {
  readonly outer: Fields;
}

/** Mounts within a mount of a whole ConfigMap, Secret or the like. */
function* mountsInConfig(object: ManifestObject): Iterable<MountInConfig> {
  const volumes = podVolumesOf(object).filter(isConfigVolume);
  const config = new Set(volumes.map(({ fields }) => fields["name"]));
  if (config.size === 0) return;
  for (const container of containersOf(object)) {
    const place = [...container.path, "volumeMounts"];
    const mounts = itemsOf(container.fields["volumeMounts"], place);
    const around = pathsAround(mounts.map((mount) => mountPathOf(mount.fields)));
    for (const [index, mount] of mounts.entries()) {
      const outer = mounts[around[index] ?? -1]?.fields;
      if (outer === undefined || subPathField(outer) !== undefined) continue;
      if (config.has(outer["name"])) yield { ...mount, outer };
    }
  }
}

/** True for a name with an extension, other than one like `conf.d` or a version number, which directories have. */
function isCalledAsFile(name: string): boolean {
  return /[^./]\.(?!(?:d|\d+)$)\w+$/.test(name);
}

interface ConfigMount {
  readonly entry: WorkspaceObject;
  readonly volumeName: string;
  readonly files: ConfigFiles;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly path: Path;
}

/** Mounts of volumes whose files are all known. */
function* configMounts(context: EnvironmentContext): Iterable<ConfigMount> {
  for (const entry of context.environment.objects) {
    const { object } = entry;
    const volumes = new Map(
      podVolumesOf(object).map((volume) => [textAt(volume.fields, "name") ?? "", volume]),
    );
    if (volumes.size === 0) continue;
    for (const container of containersOf(object)) {
      const place = [...container.path, "volumeMounts"];
      for (const { fields, path } of itemsOf(container.fields["volumeMounts"], place)) {
        const volumeName = textAt(fields, "name") ?? "";
        const volume = volumes.get(volumeName);
        const files = volume && configFilesOf(context, object.namespace, volume);
        if (files !== undefined) yield { entry, volumeName, files, fields, path };
      }
    }
  }
}

function placesOf({ from }: ConfigFiles): readonly RelatedReport[] {
  return from.map((entry) => ({ entry, path: ["metadata", "name"], message: "Its keys" }));
}
