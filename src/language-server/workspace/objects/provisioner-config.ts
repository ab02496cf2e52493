/** Configuration of a provisioner, which all its volumes depend on though no claim and no class names it. */
import { localPathConfigMap } from "../../../engine/csi/catalogue/path-provisioners.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";

export function isProvisionerConfig({ kind, name }: ManifestObject): boolean {
  return kind === "ConfigMap" && name === localPathConfigMap;
}
