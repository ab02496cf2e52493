/** Servers of NFS volumes, which the kubelet mounts with the node's own mount command. */
import { push } from "../../../engine/api/go/multi-map.ts";
import { fieldsAt, podVolumesOf, textAt } from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule, EnvironmentRule } from "../rule.ts";

/** Upstream: pkg/volume/nfs/nfs.go SetUpAt mounts `server:path`. */
export const nfsServerPath: DocumentRule = objectRule(
  "nfs-server-path",
  "warning",
  {},
  function* (object) {
    for (const { server, exported, path } of nfsServers(object)) {
      if (server.includes("/"))
        yield {
          path,
          message: `The node would mount ${server}:${exported}: server takes only a host; put the directory into path`,
        };
      else if (isOwnHost(server))
        yield {
          path,
          severity: "information",
          message: `The node mounts the share, and “${server}” is that node itself: use a name by which all nodes reach the server`,
        };
    }
  },
);

function isOwnHost(server: string): boolean {
  return server === "localhost" || server === "::1" || /^127\.[\d.]+$/.test(server);
}

export const nfsServerService: EnvironmentRule = {
  id: "nfs-server-service",
  severity: "information",
  scope: "environment",
  looksAtAll: true,
  *check({ environment }) {
    const services = new Map<string, WorkspaceObject[]>();
    for (const entry of environment.objects)
      if (entry.object.kind === "Service") push(services, entry.object.name, entry);
    for (const entry of environment.objects) {
      for (const { server, path } of nfsServers(entry.object)) {
        const [name = "", namespace, ...rest] = server.split(".");
        const service = services
          .get(name)
          ?.find(({ object }) => namespace === undefined || object.namespace === namespace);
        const isService = rest[0] === "svc" || (service !== undefined && rest.length === 0);
        if (!isService) continue;
        yield {
          entry,
          path,
          message: `“${server}” is a Service's name. The node mounts the share and asks its own name servers, which rarely resolve Services; the Service's clusterIP always works`,
          related:
            service === undefined
              ? []
              : [{ entry: service, path: ["metadata", "name"], message: "The Service" }],
        };
      }
    }
  },
};

interface NfsServer {
  readonly server: string;
  readonly exported: string;
  readonly path: Path;
}

function nfsServers(object: ManifestObject): readonly NfsServer[] {
  const ofVolume =
    object.kind === "PersistentVolume" && object.served
      ? [{ fields: fieldsAt(object.value, "spec"), path: ["spec"] }]
      : podVolumesOf(object);
  return ofVolume.flatMap(({ fields, path }): NfsServer[] => {
    const server = textAt(fields, "nfs", "server");
    if (server === undefined) return [];
    const exported = textAt(fields, "nfs", "path") ?? "";
    return [{ server, exported, path: [...path, "nfs", "server"] }];
  });
}
