/**
 * Provisioners that pods in the files run: whether a class names them, and whether they write to the share of their volumes.
 */
import { cleanFilePath } from "../../../engine/api/go/file-path.ts";
import { lastWritten } from "../../workspace/environment.ts";
import {
  type Fields,
  fieldsAt,
  itemsOf,
  type Located,
  podVolumesOf,
  textAt,
} from "../../workspace/manifest-fields.ts";
import { environmentOf, runProvisioners } from "../../workspace/objects/run-provisioners.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import { mountPathOf } from "../facts/mounted-volumes.ts";
import type { EnvironmentContext, EnvironmentRule, ObjectReport } from "../rule.ts";

/** Matches the usual names of NFS provisioners, and that of the first one. */
const meansNfs = /nfs|^fuseim\.pri\/ifs$/i;

export const provisionerOtherName: EnvironmentRule = {
  id: "provisioner-other-name",
  severity: "warning",
  scope: "environment",
  looksAtAll: true,
  *check({ environment, names }) {
    const { objects } = environment;
    const run = objects.flatMap((entry) =>
      runProvisioners(entry.object)
        .filter(({ container }) => environmentOf(container.fields).has("NFS_PATH"))
        .map(({ name }) => ({ name, entry })),
    );
    if (run.length === 0) return;
    const classes = objects.filter(({ object }) => object.kind === "StorageClass" && object.served);
    const used = new Set(classes.map(({ object }) => textAt(object.value, "provisioner")));
    const idle = run.filter(({ name }) => !used.has(name));
    const [first] = idle;
    // If there are several idle ones, it is unknown which one is meant.
    if (first === undefined || idle.some(({ name }) => name !== first.name)) return;
    for (const entry of classes) {
      const provisioner = textAt(entry.object.value, "provisioner") ?? "";
      if (!meansNfs.test(provisioner) || names.has("CSIDriver", "", provisioner)) continue;
      if (environment.project.drivers.find(provisioner) !== undefined) continue;
      const { kind, name } = first.entry.object;
      yield {
        entry,
        path: ["provisioner"],
        message: `Nobody provisions volumes for “${provisioner}”: the provisioner that ${kind} ${name} runs looks for classes of another name`,
        meant: first.name,
        related: [{ entry: first.entry, path: ["metadata", "name"], message: "It is run here" }],
      };
    }
  },
};

/** Upstream: nfs-subdir-external-provisioner cmd/nfs-subdir-external-provisioner/provisioner.go, mountPath, Provision. */
export const nfsSubdirShare: EnvironmentRule = {
  id: "nfs-subdir-share",
  severity: "warning",
  scope: "environment",
  *check(context) {
    for (const entry of context.environment.objects)
      for (const { container } of runProvisioners(entry.object))
        yield* otherShare(context, entry, container);
  },
};

const directoryOfProvisioner = "/persistentvolumes";

function* otherShare(
  context: EnvironmentContext,
  entry: WorkspaceObject,
  { fields, path }: Located,
): Iterable<ObjectReport> {
  const variables = environmentOf(fields);
  const [server, exported] = [variables.get("NFS_SERVER"), variables.get("NFS_PATH")];
  if (server === undefined || exported === undefined) return;
  const mount = itemsOf(fields["volumeMounts"], []).find(
    (one) => mountPathOf(one.fields) === directoryOfProvisioner,
  );
  const share = mount && shareOf(context, entry, mount.fields);
  if (share === undefined) return;
  const [mountedServer, mountedPath] = [textAt(share, "server"), textAt(share, "path")];
  const below = [textAt(mount?.fields ?? {}, "subPath") ?? ""];
  const mounted = cleanFilePath([mountedPath ?? "", ...below].join("/"));
  for (const [variable, there] of [
    [server, mountedServer],
    [exported, mounted],
  ] as const) {
    if (there === undefined || there === "") continue;
    const isSame =
      variable === exported
        ? there === cleanFilePath(variable.value)
        : mayBeOneServer(there, variable.value);
    if (isSame) continue;
    yield {
      entry,
      path: [...path, ...variable.path],
      message: `The provisioner creates directories in ${mountedServer}:${mounted}, which is mounted at ${directoryOfProvisioner}, but its volumes refer to ${server.value}:${exported.value}, where pods do not find them (No such file or directory)`,
      fix: { title: `Change to ${there}`, path: [...path, ...variable.path], value: there },
    };
  }
}

/** True if the names may be those of one server: an address may belong to any name, and a name may lack its domain. */
function mayBeOneServer(one: string, other: string): boolean {
  const [a, b] = [one, other].map((name) => name.toLowerCase().replace(/\.$/, "")) as [
    string,
    string,
  ];
  return isAddress(a) !== isAddress(b) || a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
}

function isAddress(server: string): boolean {
  return /^[\d.]+$|:/.test(server);
}

/** The NFS share that is mounted, directly in the pod or by claim and volume. */
function shareOf(
  { environment }: EnvironmentContext,
  { object }: WorkspaceObject,
  mount: Fields,
): Fields | undefined {
  const volume = podVolumesOf(object).find(({ fields }) => fields["name"] === mount["name"]);
  if (volume === undefined) return undefined;
  if (volume.fields["nfs"] !== undefined) return fieldsAt(volume.fields, "nfs");
  const claimName = textAt(volume.fields, "persistentVolumeClaim", "claimName");
  const claim = lastWritten(environment, "PersistentVolumeClaim", object.namespace, claimName);
  const volumeName = textAt(claim?.object.value ?? {}, "spec", "volumeName");
  const bound = lastWritten(environment, "PersistentVolume", "", volumeName);
  const share = fieldsAt(bound?.object.value ?? {}, "spec", "nfs");
  return share["path"] === undefined ? undefined : share;
}
