/** Directories of nodes: which node's directory a pod gets, whether it exists, and who owns it. */
import {
  containersOf,
  type Fields,
  fieldsAt,
  itemsOf,
  podVolumesOf,
  textAt,
} from "../../workspace/manifest-fields.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { type ContainerUser, isWindows, nameOfUser, userOf } from "../facts/container-user.ts";
import { isPinnedToNode } from "../facts/workload-facts.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule, EnvironmentContext, EnvironmentRule } from "../rule.ts";

/** With a single node there is only one such directory. */
function hasSeveralNodes({ cluster }: EnvironmentContext): boolean {
  return cluster.nodes.length > 1;
}

export const hostpathNoNodeAffinity: EnvironmentRule = {
  id: "hostpath-no-node-affinity",
  severity: "warning",
  scope: "environment",
  *check(context) {
    if (!hasSeveralNodes(context)) return;
    for (const entry of context.environment.objects) {
      const { kind, served, value } = entry.object;
      const spec = fieldsAt(value, "spec");
      if (kind !== "PersistentVolume" || !served || spec["nodeAffinity"] !== undefined) continue;
      if (textAt(spec, "hostPath", "path") === undefined) continue;
      const message =
        "Data stays on whichever node the Pod runs; another node sees another directory";
      yield { entry, path: ["spec", "hostPath"], message, isOfKey: true };
    }
  },
};

/** Paths of the node itself rather than an application: sockets, devices, logs. */
const systemPath =
  /^\/(?:dev|proc|sys|run|var\/run|var\/log|var\/lib\/kubelet|etc|lib\/modules|usr)(?:\/|$)/;
/** Directories that every Linux has. */
const standardDirectory =
  /^\/(?:bin|boot|home|lib|lib64|media|mnt|opt|root|sbin|srv|tmp|var|var\/lib|var\/tmp)?\/?$/;
const nodeTypes: ReadonlySet<string> = new Set(["Socket", "CharDevice", "BlockDevice"]);

const replicated: ReadonlySet<string> = new Set([
  "Deployment",
  "ReplicaSet",
  "ReplicationController",
  "StatefulSet",
]);

export const hostpathInWorkload: EnvironmentRule = {
  id: "hostpath-in-workload",
  severity: "information",
  scope: "environment",
  *check(context) {
    if (!hasSeveralNodes(context)) return;
    for (const entry of context.environment.objects) {
      const { object } = entry;
      const replicas = fieldsAt(object.value, "spec")["replicas"];
      if (!replicated.has(object.kind) || typeof replicas !== "number" || replicas < 2) continue;
      if (isPinnedToNode(object)) continue;
      for (const { fields, path } of podVolumesOf(object)) {
        const directory = textAt(fields, "hostPath", "path");
        const type = textAt(fields, "hostPath", "type") ?? "";
        if (directory === undefined || nodeTypes.has(type) || systemPath.test(directory)) continue;
        const message =
          "Each node has its own copy of the directory, and the replicas may be on several nodes";
        yield { entry, path: [...path, "hostPath", "path"], message };
      }
    }
  },
};

export const hostpathRelative: DocumentRule = objectRule(
  "hostpath-relative",
  "warning",
  {},
  function* (object) {
    for (const { directory, path } of nodePaths(object)) {
      if (directory === "" || /^(?:\/|[A-Za-z]:|\\)/.test(directory)) continue;
      yield {
        path,
        message:
          "Not absolute: the path is taken relative to a directory of the kubelet or the container runtime",
      };
    }
  },
);

export const hostpathWindowsDrive: EnvironmentRule = {
  id: "hostpath-windows-drive",
  severity: "information",
  scope: "environment",
  looksAtAll: true,
  *check({ environment: { objects } }) {
    const found = objects.flatMap((entry) =>
      nodePaths(entry.object).flatMap(({ directory, path }) => {
        const [, withColon, plain, rest = ""] =
          /^\/?(?:([A-Za-z]):|\/?([cd])(?=\/))[\\/]?(.*)$/.exec(directory) ?? [];
        const drive = withColon ?? plain;
        return drive === undefined ? [] : [{ entry, path, drive, rest }];
      }),
    );
    if (found.length === 0 || objects.some(({ object }) => isWindows(object))) return;
    for (const { entry, path, drive, rest } of found) {
      const there = `/run/desktop/mnt/host/${drive.toLowerCase()}/${rest.replaceAll("\\", "/")}`;
      yield {
        entry,
        path,
        message: `A drive of Windows, which a Linux node does not have. On Docker Desktop with WSL 2 the directory is ${there}`,
        fix: { title: `Change to ${there}`, path, value: there, isChoice: true },
      };
    }
  },
};

/** Clusters whose nodes are containers or virtual machines on the user's own machine. */
const nested: Readonly<Record<string, string>> = {
  kind: "extraMounts of kind's configuration bring it in when the cluster is made",
  minikube: "minikube mount brings it in",
};

export const hostpathOwnMachine: EnvironmentRule = {
  id: "hostpath-own-machine",
  severity: "information",
  scope: "environment",
  looksAtAll: true,
  *check(context) {
    const { name } = context.cluster;
    const how = nested[name];
    if (how === undefined) return;
    const brought = broughtIn(context);
    for (const entry of context.environment.objects) {
      for (const { directory, mustExist, path } of nodePaths(entry.object)) {
        if (!mustExist || brought.some((root) => isBelow(directory, root))) continue;
        const isDocker = name === "kind" && isDockers(directory);
        if (!isDocker && isThere(directory)) continue;
        const message = isDocker
          ? `kind's nodes run containerd, and have no ${directory}: the pod does not start`
          : `${name}'s nodes do not see your machine's files, and nothing creates ${directory} there: the pod does not start without it; ${how}`;
        yield { entry, path, message };
      }
    }
  },
};

/** True if every node has the directory, or that is unknown. */
function isThere(directory: string): boolean {
  return (
    systemPath.test(directory) || standardDirectory.test(directory) || !directory.startsWith("/")
  );
}

function isDockers(directory: string): boolean {
  return /^(?:\/var)?\/run\/docker\.sock$/.test(directory) || isBelow(directory, "/var/lib/docker");
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root.replace(/\/$/, "")}/`);
}

/** Paths that the workspace's kind configuration mounts into its nodes. */
function broughtIn({ environment }: EnvironmentContext): readonly string[] {
  return environment.objects.flatMap(({ object: { kind, value } }) =>
    kind !== "Cluster"
      ? []
      : itemsOf(value["nodes"], []).flatMap(({ fields }) =>
          itemsOf(fields["extraMounts"], []).flatMap(
            (mount) => textAt(mount.fields, "containerPath") ?? [],
          ),
        ),
  );
}

/** Upstream: kubelet pkg/volume/hostpath/host_path.go makeDir, v1.36: mode 0755, and the kubelet's user as owner. */
export const hostpathOwnedByRoot: DocumentRule = objectRule(
  "hostpath-owned-by-root",
  "information",
  {},
  function* (object) {
    if (isWindows(object)) return;
    for (const { fields } of podVolumesOf(object)) {
      if (textAt(fields, "hostPath", "type") !== "DirectoryOrCreate") continue;
      const mounts = mountsOf(object, fields["name"]);
      // A container that may be root may set the owner.
      if (mounts.some(({ user }) => user.is !== "other")) continue;
      for (const { user, path, isReadOnly } of mounts) {
        if (isReadOnly) continue;
        const message = `If the kubelet creates the directory, it belongs to root (0755), and fsGroup does not change that of a hostPath: ${nameOfUser(user)} cannot write to it. Let an initContainer that runs as root set the owner`;
        yield { path, message };
      }
    }
  },
);

interface UserMount {
  readonly user: ContainerUser;
  /** Path of its `mountPath`. */
  readonly path: Path;
  readonly isReadOnly: boolean;
}

function mountsOf(object: ManifestObject, volume: unknown): readonly UserMount[] {
  return containersOf(object).flatMap((container) => {
    const user = userOf(object, container.fields);
    return itemsOf(container.fields["volumeMounts"], [...container.path, "volumeMounts"])
      .filter(({ fields }) => fields["name"] === volume)
      .map(({ fields, path }) => ({
        user,
        path: [...path, "mountPath"],
        isReadOnly: fields["readOnly"] === true,
      }));
  });
}

interface NodePath {
  readonly directory: string;
  /** Nothing creates the directory: the hostPath's type requires it, or the volume is a local one. */
  readonly mustExist: boolean;
  readonly path: Path;
}

function nodePaths(object: ManifestObject): readonly NodePath[] {
  const volumes =
    object.kind === "PersistentVolume"
      ? [{ fields: fieldsAt(object.value, "spec"), path: ["spec"] }]
      : podVolumesOf(object);
  return volumes.flatMap(({ fields, path }) =>
    ["hostPath", "local"].flatMap((source): NodePath[] => {
      const directory = textAt(fields, source, "path");
      if (directory === undefined) return [];
      const mustExist = source === "local" || demands(fieldsAt(fields, source));
      return [{ directory, mustExist, path: [...path, source, "path"] }];
    }),
  );
}

function demands({ type = "" }: Fields): boolean {
  return type !== "" && type !== "DirectoryOrCreate" && type !== "FileOrCreate";
}
