/** Databases whose data directory is in none of the pod's volumes, although one is meant for it. */
import {
  containersOf,
  type Fields,
  itemsOf,
  type Located,
  podVolumesOf,
  textAt,
} from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import type { Path } from "../../yaml/place.ts";
import {
  dataDirectoryOf,
  type KnownImage,
  knownImageOf,
  namesDataDirectory,
} from "../facts/known-images.ts";
import { isIn, mountPathOf } from "../facts/mounted-volumes.ts";
import type { EnvironmentContext, EnvironmentRule, ObjectReport } from "../rule.ts";

export const dataDirNotMounted: EnvironmentRule = {
  id: "data-dir-not-mounted",
  severity: "warning",
  scope: "environment",
  *check(context) {
    for (const entry of context.environment.objects)
      for (const { fields, path } of containersOf(entry.object)) {
        if (path.at(-2) !== "containers") continue;
        const image = knownImageOf(fields);
        if (image === undefined) continue;
        const report = reportOn(context, entry, { fields, path }, image);
        if (report !== undefined) yield report;
      }
  },
};

interface Mount {
  readonly at: string;
  readonly path: Path;
  /** The volume outlives the pod. */
  readonly isKept: boolean;
}

function reportOn(
  { environment }: EnvironmentContext,
  entry: WorkspaceObject,
  { fields, path }: Located,
  image: KnownImage,
): ObjectReport | undefined {
  const { namespace } = entry.object;
  const directory = dataDirectoryOf(environment, namespace, fields, image);
  if (directory === undefined) return undefined;
  const { declared, refused } = image.data ?? {};
  const mounts = mountsOf(entry, fields, path);
  const at = ({ path }: Mount, message: string, value: string): ObjectReport => ({
    entry,
    path,
    message,
    fix: { title: `Set mountPath to ${value}`, path, value },
  });

  const onRefused = mounts.find((mount) => mount.at === refused);
  if (onRefused !== undefined && !namesDataDirectory(environment, namespace, fields, image))
    return at(
      onRefused,
      `The image ${image.name} does not start with a volume at ${refused} from version 18 on; mount it at ${declared}`,
      declared ?? directory,
    );

  const [holder] = mounts
    .filter((mount) => isIn(directory, mount.at))
    .sort((a, b) => b.at.length - a.at.length);
  if (holder === undefined) {
    const kept = mounts.filter((mount) => mount.isKept && !besides.test(mount.at));
    const [only] = kept;
    if (only === undefined || kept.length > 1) return undefined;
    if (mounts.some((mount) => isIn(mount.at, directory))) return undefined;
    const isInDeclared = declared !== undefined && isIn(directory, declared);
    return at(
      only,
      `${image.program} of this image keeps its data in ${directory}, where nothing is mounted: they go with the container`,
      isInDeclared ? declared : directory,
    );
  }
  if (declared === undefined || !holder.isKept || !isIn(directory, declared)) return undefined;
  if (isIn(holder.at, declared)) return undefined;
  return at(
    holder,
    `The image ${image.name} has a volume of its own at ${declared}, which containerd and Docker mount above this one: ${image.program}'s data go with the container. Mount it at ${declared}`,
    declared,
  );
}

/** Words in paths of what databases keep beside their data. */
const besides =
  /^\/etc\/|[/_-](?:backups?|dumps?|initdb(?:\.d)?|conf(?:ig)?(?:\.d)?|certs?|tls|ssl|secrets?|logs?|scripts?|imports?|exports?|archives?|wal|tmp|shm|run)(?:[/_-]|$)/;

function mountsOf({ object }: WorkspaceObject, container: Fields, path: Path): readonly Mount[] {
  const passing = new Set(
    podVolumesOf(object)
      .filter(({ fields }) => !Object.keys(fields).some((source) => keptSources.has(source)))
      .map(({ fields }) => textAt(fields, "name")),
  );
  return itemsOf(container["volumeMounts"], [...path, "volumeMounts"]).map((mount) => ({
    at: mountPathOf(mount.fields),
    path: [...mount.path, "mountPath"],
    isKept: !passing.has(textAt(mount.fields, "name")),
  }));
}

const keptSources: ReadonlySet<string> = new Set([
  "persistentVolumeClaim",
  "hostPath",
  "nfs",
  "csi",
]);
