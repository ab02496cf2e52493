/** Where volumes are mounted in containers: paths that hide each other or the image's own files. */
import { cleanFilePath } from "../../../engine/api/go/file-path.ts";
import {
  containersOf,
  type Fields,
  fieldsAt,
  itemsOf,
  podSpecOf,
  podVolumesOf,
  textAt,
} from "../../workspace/manifest-fields.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

interface Mount {
  readonly path: Path;
  readonly text: string;
  /** Without doubled slashes, dots and the slash at the end. */
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
      for (const [index, { path, clean }] of mounts.entries()) {
        const inside = mounts
          .slice(0, index)
          .find((earlier) => clean !== "/" && earlier.clean.startsWith(`${clean}/`));
        if (inside === undefined) continue;
        const message = `Order decides: this mount may hide ${inside.clean}, which is listed before it`;
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
    for (const { path, clean, fields } of linuxMounts(object)) {
      // Who mounts the host's own directory there means it.
      if (!systemDirectories.has(clean) || ofHost.has(fields["name"])) continue;
      yield { path, message: `The mount hides ${clean} of the image` };
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
  const spec = podSpecOf(object)?.fields ?? {};
  const isWindows =
    textAt(spec, "os", "name") === "windows" ||
    fieldsAt(spec, "nodeSelector")["kubernetes.io/os"] === "windows";
  if (isWindows) return [];
  return mountsByContainer(object)
    .flat()
    .filter(({ text }) => !/^[A-Za-z]:[\\/]/.test(text));
}
