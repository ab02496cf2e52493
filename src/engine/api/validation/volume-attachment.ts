/**
 * VolumeAttachments. Upstream: pkg/apis/storage/validation ValidateVolumeAttachment, ValidateVolumeAttachmentV1,
 * ValidateVolumeAttachmentUpdate, v1.36.
 */
import { asJson, type FieldErrors } from "../field-error.ts";
import { type FieldPath, specPath, statusPath } from "../field-path.ts";
import { goStruct } from "../go/struct.ts";
import { byteLength } from "../go/text.ts";
import { checkSubdomain } from "../names/names.ts";
import { semanticEqual } from "../semantic-equal.ts";
import type { VolumeAttachment, VolumeAttachmentSource, VolumeError } from "../types.ts";
import { validateCsiDriverName } from "./csi.ts";
import { validateObjectMeta } from "./object-meta.ts";
import { validateVolumeSpec } from "./persistent-volume.ts";

const messageBytesMax = 1024;
const sizeBytesMax = 262_144;
const errorCodeMax = 2_147_483_647;

/** The volume's name is checked only on create, because only then the strategy calls ValidateVolumeAttachmentV1. */
export function validateVolumeAttachment(attachment: VolumeAttachment, errors: FieldErrors): void {
  validateAnyAttachment(attachment, errors);
  const volumeName = attachment.spec.source.persistentVolumeName;
  if (volumeName !== undefined) {
    errors.invalidEach(
      specPath.child("source").child("persistentVolumeName"),
      volumeName,
      checkSubdomain(volumeName),
    );
  }
}

function validateAnyAttachment(attachment: VolumeAttachment, errors: FieldErrors): void {
  validateObjectMeta(attachment.metadata, checkSubdomain, errors);
  const { attacher, source, nodeName } = attachment.spec;
  validateCsiDriverName(attacher, specPath.child("attacher"), errors);
  validateSource(source, specPath.child("source"), errors);
  errors.invalidEach(specPath.child("nodeName"), nodeName, checkSubdomain(nodeName));
}

function validateSource(
  source: VolumeAttachmentSource,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const { persistentVolumeName: name, inlineVolumeSpec: inline } = source;
  const exactlyOne = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  if (name !== undefined && inline !== undefined) errors.forbidden(path, exactlyOne);
  else if (inline !== undefined)
    validateVolumeSpec(inline, undefined, path.child("inlineVolumeSpec"), errors);
  else if (name === undefined) errors.required(path, exactlyOne);
  else if (name === "") {
    errors.required(
      path.child("persistentVolumeName"),
      "must specify non empty persistentVolumeName",
    );
  }
}

export function validateVolumeAttachmentUpdate(
  next: VolumeAttachment,
  old: VolumeAttachment,
  errors: FieldErrors,
): void {
  validateAnyAttachment(next, errors);
  if (!semanticEqual(next.spec, old.spec)) {
    errors.invalid(
      specPath,
      asJson(goStruct("VolumeAttachmentSpec", next.spec)),
      "field is immutable",
    );
  }
}

/** What an attacher reports. */
export function validateVolumeAttachmentStatus(next: VolumeAttachment, errors: FieldErrors): void {
  let size = 0;
  const metadata = next.status?.attachmentMetadata;
  for (const key in metadata) size += byteLength(key) + byteLength(metadata[key] ?? "");
  if (size > sizeBytesMax) errors.tooLong(statusPath.child("attachmentMetadata"), sizeBytesMax);
  validateError(next.status?.attachError, statusPath.child("attachError"), errors);
  validateError(next.status?.detachError, statusPath.child("detachError"), errors);
}

/** The message states the wrong limit, as the server's does. */
function validateError(error: VolumeError | undefined, path: FieldPath, errors: FieldErrors): void {
  if (error === undefined) return;
  if (byteLength(error.message ?? "") > messageBytesMax)
    errors.tooLong(path.child("message"), sizeBytesMax);
  if (error.errorCode !== undefined && error.errorCode < 0) {
    errors.invalid(
      path.child("errorCode"),
      error.errorCode,
      `must be between 0 and ${errorCodeMax}, inclusive`,
    );
  }
}
