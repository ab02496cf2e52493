/** The paths of a pod, or of the pod template in another object. */
import { type FieldPath, metadataPath, specPath } from "../field-path.ts";

export interface PodPaths {
  readonly metadata: FieldPath;
  readonly spec: FieldPath;
  readonly isTemplate: boolean;
}

export const podPaths: PodPaths = { metadata: metadataPath, spec: specPath, isTemplate: false };

export function templatePaths(template: FieldPath): PodPaths {
  return { metadata: template.child("metadata"), spec: template.child("spec"), isTemplate: true };
}
