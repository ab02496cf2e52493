/** True for the configuration of a provisioner, which affects all its volumes although no claim or class names it. */
import { localPathConfigMap } from "../../../engine/csi/catalogue/path-provisioners.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";

export function isProvisionerConfig({ kind, name }: ManifestObject): boolean {
  return kind === "ConfigMap" && name === localPathConfigMap;
}
