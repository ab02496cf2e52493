/**
 * AppArmor profiles in annotations of a new pod become fields, and until 1.33 also the other way round. Upstream:
 * pkg/registry/core/pod/strategy.go applyAppArmorVersionSkew, appArmorAnnotationForField (v1.33), pkg/api/pod/util.go
 * ApparmorFieldForAnnotation, v1.36.
 */
import type { KubernetesVersion } from "../../scenario.ts";
import { annotatesAppArmor } from "../../version-differences.ts";
import { containerAppArmor } from "../annotation-keys.ts";
import { FieldErrors } from "../field-error.ts";
import { metadataPath, specPath } from "../field-path.ts";
import type { Mutable } from "../mutable.ts";
import { containersOf } from "../pod-containers.ts";
import { semanticEqual } from "../semantic-equal.ts";
import type { AppArmorProfile, Container, Pod } from "../types.ts";
import { validateAppArmor } from "../validation/security-context.ts";
import { useAppArmorField } from "../warnings/containers.ts";

const localhost = "localhost/";

/** Returns the warnings, which are sent even if the pod is refused. */
export function copyAppArmorProfiles(
  { metadata, spec }: Mutable<Pod>,
  version: KubernetesVersion,
): readonly string[] {
  const warnings: string[] = [];
  if (spec.os?.name === "windows") return warnings;
  for (const container of containersOf(spec)) {
    const key = `${containerAppArmor}${container.name}`;
    const annotation = metadata.annotations?.[key];
    const ofContainer = container.securityContext?.appArmorProfile;
    if (annotation === undefined && annotatesAppArmor(version)) {
      const written = annotationOf(ofContainer ?? spec.securityContext?.appArmorProfile);
      if (written !== undefined)
        metadata.annotations = Object.assign({}, metadata.annotations, { [key]: written });
    }
    if (annotation === undefined || ofContainer !== undefined) continue;
    const appArmorProfile = profileOf(annotation, version);
    const isOfPod = semanticEqual(appArmorProfile, spec.securityContext?.appArmorProfile);
    if (appArmorProfile !== undefined && isOfPod) continue;
    warnings.push(`${metadataPath.child("annotations").key(key)}: ${useAppArmorField}`);
    if (appArmorProfile === undefined) continue;
    const changed = container as Mutable<Container>;
    changed.securityContext = Object.assign({}, changed.securityContext, { appArmorProfile });
  }
  return warnings;
}

/** Undefined if there is no profile, or none that an annotation can name. */
function annotationOf(profile: AppArmorProfile | undefined): string | undefined {
  switch (profile?.type) {
    case "Unconfined":
      return "unconfined";
    case "RuntimeDefault":
      return "runtime/default";
    case "Localhost":
      return profile.localhostProfile === undefined
        ? undefined
        : `${localhost}${profile.localhostProfile}`;
    default:
      return undefined;
  }
}

/** Undefined if no field can express the annotation. */
function profileOf(annotation: string, version: KubernetesVersion): AppArmorProfile | undefined {
  if (annotation === "unconfined") return { type: "Unconfined" };
  if (annotation === "runtime/default") return { type: "RuntimeDefault" };
  if (!annotation.startsWith(localhost)) return undefined;
  const localhostProfile = annotation.slice(localhost.length);
  const profile: AppArmorProfile = { type: "Localhost", localhostProfile };
  const errors = new FieldErrors(version);
  validateAppArmor(profile, specPath, errors);
  return errors.none ? profile : undefined;
}
