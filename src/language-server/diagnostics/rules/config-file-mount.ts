/** Mounts of a ConfigMap's or Secret's file that become a directory. */
import { nearestName } from "../../nearest-name.ts";
import { containersOf, itemsOf, podVolumesOf, textAt } from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import type { Path } from "../../yaml/place.ts";
import { type ConfigFiles, configFilesOf } from "../facts/config-files.ts";
import { listNames } from "../missing-reference.ts";
import type { EnvironmentContext, EnvironmentRule, RelatedReport } from "../rule.ts";
import { subPathField } from "./sub-path.ts";

/** Upstream: pkg/kubelet/kubelet_pods.go makeMounts, which makes the directory where there is nothing. */
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
      // A directory may well be called as the only file in it, but not with an extension.
      if (subPathField(fields) !== undefined || !/[^.]\.(?!d$)\w+$/.test(name)) continue;
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

interface ConfigMount {
  readonly entry: WorkspaceObject;
  readonly volumeName: string;
  readonly files: ConfigFiles;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly path: Path;
}

/** Of volumes whose files are all known. */
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
