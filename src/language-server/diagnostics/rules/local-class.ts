/** Classes of local volumes: they must wait for the pod, and must not provision other volumes. */

import { annotation } from "../../../engine/matching/annotations.ts";
import { noProvisioner } from "../../../engine/matching/csi-migration.ts";
import { lastWritten } from "../../workspace/environment.ts";
import { fieldsAt, textAt } from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import type { EnvironmentContext, EnvironmentRule } from "../rule.ts";

export const localClassImmediate: EnvironmentRule = {
  id: "local-class-immediate",
  severity: "warning",
  scope: "environment",
  looksAtAll: true,
  yieldsTo: ["class-immediate-topology-driver"],
  *check(context) {
    const ofLocalVolumes = new Set(localVolumes(context).map(classOf));
    const ofVolumesAnywhere = classesOfVolumesAnywhere(context);
    for (const entry of context.environment.objects) {
      const { kind, name, value, served } = entry.object;
      if (kind !== "StorageClass" || !served) continue;
      if (value["volumeBindingMode"] === "WaitForFirstConsumer") continue;
      const isForLocalVolumes =
        value["provisioner"] === noProvisioner && !ofVolumesAnywhere.has(name);
      if (!isForLocalVolumes && !ofLocalVolumes.has(name)) continue;
      const path = ["volumeBindingMode"];
      yield {
        entry,
        path,
        message: "Binding ignores the Pod's node; use WaitForFirstConsumer",
        fix: {
          title: "Set volumeBindingMode to WaitForFirstConsumer",
          path,
          value: "WaitForFirstConsumer",
        },
      };
    }
  },
};

export const localClassProvisioner: EnvironmentRule = {
  id: "local-class-provisioner",
  severity: "warning",
  scope: "environment",
  *check(context) {
    for (const entry of localVolumes(context)) {
      const name = classOf(entry);
      if (name === undefined) continue;
      const storageClass = lastWritten(context.environment, "StorageClass", undefined, name);
      const provisioner = textAt(storageClass?.object.value ?? {}, "provisioner");
      if (storageClass === undefined || provisioner === undefined || provisioner === noProvisioner)
        continue;
      const { [annotation.provisionedBy]: maker } = fieldsAt(
        entry.object.value,
        "metadata",
        "annotations",
      );
      if (maker === provisioner) continue;
      yield {
        entry,
        path: ["spec", "storageClassName"],
        message: `Class “${name}” has the provisioner “${provisioner}”: claims may be provisioned instead of using local volumes`,
        related: [{ entry: storageClass, path: ["provisioner"], message: "Its provisioner" }],
      };
    }
  },
};

/** Classes with volumes in files none of which is tied to nodes: it does not matter where the pod runs. */
function classesOfVolumesAnywhere(context: EnvironmentContext): ReadonlySet<string | undefined> {
  const volumes = volumesOf(context);
  const ofTied = new Set(volumes.filter(isTiedToNodes).map(classOf));
  return new Set(volumes.map(classOf).filter((name) => !ofTied.has(name)));
}

function isTiedToNodes({ object: { value } }: WorkspaceObject): boolean {
  const spec = fieldsAt(value, "spec");
  return spec["nodeAffinity"] !== undefined || spec["local"] !== undefined;
}

function localVolumes(context: EnvironmentContext): readonly WorkspaceObject[] {
  return volumesOf(context).filter(
    ({ object }) => textAt(object.value, "spec", "local", "path") !== undefined,
  );
}

function volumesOf({ environment }: EnvironmentContext): readonly WorkspaceObject[] {
  return environment.objects.filter(({ object }) => object.kind === "PersistentVolume");
}

function classOf({ object }: WorkspaceObject): string | undefined {
  const name = textAt(object.value, "spec", "storageClassName");
  return name === "" ? undefined : name;
}
