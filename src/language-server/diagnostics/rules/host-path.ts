/** Directories of a node: which node it is, and whether every pod sees the same one. */
import { fieldsAt, podVolumesOf, textAt } from "../../workspace/manifest-fields.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

export const hostpathNoNodeAffinity: DocumentRule = objectRule(
  "hostpath-no-node-affinity",
  "warning",
  { kinds: ["PersistentVolume"] },
  function* ({ value }) {
    const spec = fieldsAt(value, "spec");
    if (textAt(spec, "hostPath", "path") === undefined || spec["nodeAffinity"] !== undefined)
      return;
    const message =
      "Data stays on whichever node the Pod runs; another node sees another directory";
    yield { path: ["spec", "hostPath"], message, atKey: true };
  },
);

/** Of the node itself rather than of the application: sockets, devices, logs. */
const systemPath =
  /^\/(?:dev|proc|sys|run|var\/run|var\/log|var\/lib\/kubelet|etc|lib\/modules|usr)(?:\/|$)/;
const nodeTypes: ReadonlySet<string> = new Set(["Socket", "CharDevice", "BlockDevice"]);

export const hostpathInWorkload: DocumentRule = objectRule(
  "hostpath-in-workload",
  "information",
  { kinds: ["Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"] },
  function* (object) {
    const replicas = fieldsAt(object.value, "spec")["replicas"];
    if (typeof replicas !== "number" || replicas < 2) return;
    for (const { fields, path } of podVolumesOf(object)) {
      const directory = textAt(fields, "hostPath", "path");
      const type = textAt(fields, "hostPath", "type") ?? "";
      if (directory === undefined || nodeTypes.has(type) || systemPath.test(directory)) continue;
      const message =
        "Each node has its own copy of the directory, and the replicas may be on several nodes";
      yield { path: [...path, "hostPath", "path"], message };
    }
  },
);

export const hostpathRelative: DocumentRule = objectRule(
  "hostpath-relative",
  "warning",
  {},
  function* (object) {
    const volumes =
      object.kind === "PersistentVolume"
        ? [{ fields: fieldsAt(object.value, "spec"), path: ["spec"] }]
        : podVolumesOf(object);
    for (const { fields, path } of volumes) {
      for (const source of ["hostPath", "local"]) {
        const directory = textAt(fields, source, "path");
        if (directory === undefined || directory === "" || /^(?:\/|[A-Za-z]:|\\)/.test(directory))
          continue;
        const message = "Not absolute: the path is taken relative to the kubelet's directory";
        yield { path: [...path, source, "path"], message };
      }
    }
  },
);
