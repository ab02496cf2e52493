/** A kind in a version or group that the API server does not serve. Kinds of other projects are none of our business. */
import { kindSchema } from "../../engine/api/meta.ts";
import { underline } from "../yaml/locate.ts";
import type { ManifestObject } from "../yaml/manifest.ts";
import { type DocumentRule, documentPath } from "./rule.ts";

export const apiVersionRemoved: DocumentRule = {
  id: "api-version-removed",
  severity: "error",
  scope: "document",
  *check({ yaml, objects }) {
    for (const object of objects) {
      const served = servedInstead(object);
      if (served === undefined || !sameGroupFamily(object.apiVersion, served)) continue;
      if (groupOf(served) === snapshotGroup) continue;
      const message = `no matches for kind "${object.kind}" in version "${object.apiVersion}"; it is served as ${served}`;
      yield { ...underline(yaml, documentPath(object, ["apiVersion"])), message };
    }
  },
};

const snapshotGroup = "snapshot.storage.k8s.io";

/** The snapshot kinds are installed apart from Kubernetes, in versions of their own. */
export const snapshotBetaVersion: DocumentRule = {
  id: "snapshot-beta-version",
  severity: "error",
  scope: "document",
  *check({ yaml, objects }) {
    for (const object of objects) {
      const served = servedInstead(object);
      if (served === undefined || groupOf(served) !== snapshotGroup) continue;
      if (groupOf(object.apiVersion) !== snapshotGroup) continue;
      const message = `no matches for kind "${object.kind}" in version "${object.apiVersion}": the version is no longer served; use ${served}`;
      const path = ["apiVersion"];
      const fix = { title: `Change to ${served}`, path: documentPath(object, path), value: served };
      yield { ...underline(yaml, documentPath(object, path)), message, fix };
    }
  },
};

export const kindWrongGroup: DocumentRule = {
  id: "kind-wrong-group",
  severity: "error",
  scope: "document",
  *check({ yaml, objects }) {
    for (const object of objects) {
      const served = servedInstead(object);
      if (served === undefined || sameGroupFamily(object.apiVersion, served)) continue;
      if (!isKubernetesGroup(groupOf(object.apiVersion))) continue;
      const message = `no matches for kind "${object.kind}" in version "${object.apiVersion}"; it belongs to ${served}`;
      yield { ...underline(yaml, documentPath(object, ["apiVersion"])), message };
    }
  },
};

/** The version that serves the kind, where it is not the one written. */
function servedInstead({ apiVersion, kind }: ManifestObject): string | undefined {
  const served = kindSchema(kind)?.apiVersion;
  return served === apiVersion ? undefined : served;
}

/** An older version of the same group, or the group from which the kind has moved. */
function sameGroupFamily(written: string, served: string): boolean {
  const group = groupOf(written);
  return group === groupOf(served) || (group === "extensions" && groupOf(served) === "apps");
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}

const kubernetesGroups: ReadonlySet<string> = new Set([
  "",
  "apps",
  "batch",
  "policy",
  "autoscaling",
  "extensions",
]);

function isKubernetesGroup(group: string): boolean {
  return kubernetesGroups.has(group) || (group.endsWith(".k8s.io") && !group.includes(".x-"));
}
