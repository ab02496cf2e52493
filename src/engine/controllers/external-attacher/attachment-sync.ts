/**
 * One sync of a VolumeAttachment: what is checked and written before and after the call to the driver.
 * Upstream: external-attacher v4.12 pkg/controller/csi_handler.go syncAttach, syncDetach.
 */
import { withFields } from "../../api/json.ts";
import { type KubeObject, refOf } from "../../api/meta.ts";
import { timestamp } from "../../api/timestamp.ts";
import type { CSIPersistentVolumeSource, PersistentVolumeSpec } from "../../api/types.ts";
import { type ReadSecret, readSecret } from "../../csi/read-secret.ts";
import { codeNumber, errorText } from "../../csi/rpc.ts";
import type { ControllerConnection } from "../../csi/sidecar.ts";
import { volumeCapabilityOf } from "../../csi/volume-capability.ts";
import { hasFinalizer, withFinalizers } from "../../matching/annotations.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { isNotFound, patch, type Task } from "../../runtime/effects.ts";
import { done, type Reconcile, retry } from "../../runtime/outcome.ts";
import { rejectsPodsOfFullNodes } from "../../version-differences.ts";
import { translatedVolume } from "../../volume/csi-translation.ts";

type Attachment = KubeObject<"VolumeAttachment">;
type Status = NonNullable<Attachment["status"]>;

export interface Attacher {
  readonly context: ComponentContext;
  readonly connection: ControllerConnection;
  readonly finalizer: string;
}

/** --timeout. */
const callTimeoutMs = 15_000;
/** Concerns PersistentVolumes: the API server refuses inline volumes without a CSI source. Upstream: getCSISource. */
const noCsiSource = "pv spec contained non-csi source that was not migrated";
const nodeIdAnnotation = "csi.alpha.kubernetes.io/node-id";

/** Upstream: GetFinalizerName, SanitizeDriverName. */
export function attacherFinalizer(driver: string): string {
  const sanitized = driver.replace(/[^a-zA-Z0-9-]/g, "-");
  return `external-attacher/${sanitized.endsWith("-") ? `${sanitized}X` : sanitized}`;
}

interface Failure {
  readonly error: string;
  /** gRPC code by name, if the driver was called. */
  readonly code?: string;
}

type Outcome<T> = ({ readonly ok: true } & T) | ({ readonly ok: false } & Failure);

export function* syncAttach(attacher: Attacher, attachment: Attachment): Reconcile {
  if (attachment.status?.attached === true) return done("Attached");
  const attached = yield* attach(attacher, attachment);
  if (!attached.ok) {
    const time = timestamp(attacher.context.now);
    // The field was added together with the rejection of pods whose node is full.
    const isCoded = attached.code !== undefined && rejectsPodsOfFullNodes(attacher.context.version);
    const code = isCoded ? { errorCode: codeNumber(attached.code) } : {};
    const attachError = { message: attached.error, time, ...code };
    yield* writeStatus(attachment, (status) => ({ ...status, attachError }));
    attacher.context.decide(refOf(attachment), { reason: "AttachFailed", text: attached.error });
    return retry(`failed to attach: ${attached.error}`);
  }
  const { metadata } = attached;
  const failure = yield* writeStatus(attachment, ({ attachError: _, ...status }) =>
    withFields(status, {
      attached: true,
      ...(Object.keys(metadata).length > 0 && { attachmentMetadata: metadata }),
    }),
  );
  return failure === undefined ? done("Attached") : retry(`failed to mark as attached: ${failure}`);
}

function* attach(
  attacher: Attacher,
  attachment: Attachment,
): Task<Outcome<{ readonly metadata: Readonly<Record<string, string>> }>> {
  const { context, connection } = attacher;
  const spec = yield* volumeSpec(attacher, attachment);
  if (!spec.ok) return spec;
  const { csi } = spec.spec;
  if (csi === undefined) return failure(noCsiSource);
  const multiWriter = connection.has("SINGLE_NODE_MULTI_WRITER");
  const capability = volumeCapabilityOf(spec.spec, csi, multiWriter);
  if ("error" in capability) return failure(capability.error);
  const secret = yield* publishSecret(csi);
  if (!secret.ok) return secret;
  const node = nodeId(context, connection.driver.name, attachment.spec.nodeName);
  if (!node.ok) return node;
  const unsaved = yield* saveFinalizer(attacher, attachment, node.id);
  if (unsaved !== undefined) return failure(`could not save VolumeAttachment: ${unsaved}`);
  const attributes = csi.volumeAttributes ?? {};
  const readonly = csi.readOnly === true && connection.has("PUBLISH_READONLY");
  const result = yield* connection.call(
    "ControllerPublishVolume",
    {
      volume_id: csi.volumeHandle,
      node_id: node.id,
      volume_capability: capability,
      ...(readonly && { readonly }),
      ...(Object.keys(attributes).length > 0 && { volume_context: attributes }),
      ...secret.field,
    },
    callTimeoutMs,
  );
  if (result.code !== "OK") return { ok: false, error: errorText(result), code: result.code };
  const published = result.response["publish_context"] as Record<string, string> | undefined;
  return { ok: true, metadata: published ?? {} };
}

function failure(error: string): { readonly ok: false } & Failure {
  return { ok: false, error };
}

/** Returns the spec of the volume to attach. A PersistentVolume gets the attacher's finalizer first. */
function* volumeSpec(
  attacher: Attacher,
  attachment: Attachment,
): Task<Outcome<{ readonly spec: PersistentVolumeSpec }>> {
  const { persistentVolumeName: name, inlineVolumeSpec: inline } = attachment.spec.source;
  if (name === undefined) {
    if (inline !== undefined) return { ok: true, spec: inline };
    return failure("neither InlineCSIVolumeSource nor PersistentVolumeName specified in VA source");
  }
  if (inline !== undefined) {
    return failure("both InlineCSIVolumeSource and PersistentVolumeName specified in VA source");
  }
  const volume = attacher.context.informer("PersistentVolume").get(name);
  if (volume === undefined) return failure(`persistentvolume "${name}" not found`);
  if (volume.metadata.deletionTimestamp !== undefined) {
    return failure(`PersistentVolume "${name}" is marked for deletion`);
  }
  if (!hasFinalizer(volume, attacher.finalizer)) {
    // Appends, like upstream's JSON patch: two concurrent attaches add the finalizer twice.
    const patched = yield* patch("PersistentVolume", undefined, name, (current) =>
      withFinalizers(current, [...(current.metadata.finalizers ?? []), attacher.finalizer]),
    );
    if (!patched.ok) {
      return failure(`could not add PersistentVolume finalizer: ${patched.error.message}`);
    }
  }
  return { ok: true, spec: translatedVolume(volume).spec };
}

function publishSecret(csi: CSIPersistentVolumeSource): Task<ReadSecret> {
  return readSecret(
    csi.controllerPublishSecretRef,
    (namespace, name, why) => `failed to load secret "${namespace}/${name}": ${why}`,
  );
}

function nodeId(
  context: ComponentContext,
  driver: string,
  node: string,
): Outcome<{ readonly id: string }> {
  const csiNode = context.informer("CSINode").get(node);
  if (csiNode === undefined) return failure(`csinode.storage.k8s.io "${node}" not found`);
  const entry = csiNode.spec.drivers.find((d) => d.name === driver);
  if (entry !== undefined) return { ok: true, id: entry.nodeID };
  return failure(`CSINode ${node} does not contain driver ${driver}`);
}

/** Writes finalizer and node id in one patch: the detach needs both, even if the node is gone. */
function* saveFinalizer(
  attacher: Attacher,
  attachment: Attachment,
  id: string,
): Task<string | undefined> {
  const { finalizer } = attacher;
  const known = attachment.metadata.annotations?.[nodeIdAnnotation];
  if (hasFinalizer(attachment, finalizer) && known === id) return undefined;
  const { name } = attachment.metadata;
  const patched = yield* patch("VolumeAttachment", undefined, name, (current) => ({
    ...current,
    metadata: {
      ...current.metadata,
      annotations: { ...current.metadata.annotations, [nodeIdAnnotation]: id },
      finalizers: hasFinalizer(current, finalizer)
        ? (current.metadata.finalizers ?? [])
        : [...(current.metadata.finalizers ?? []), finalizer],
    },
  }));
  return patched.ok ? undefined : patched.error.message;
}

function* writeStatus(
  attachment: Attachment,
  change: (status: Status) => Status,
): Task<string | undefined> {
  const { name } = attachment.metadata;
  const patched = yield* patch(
    "VolumeAttachment",
    undefined,
    name,
    (current) => ({ ...current, status: change(current.status ?? { attached: false }) }),
    "status",
  );
  return patched.ok ? undefined : patched.error.message;
}

export function* syncDetach(attacher: Attacher, attachment: Attachment): Reconcile {
  // Without our finalizer it was never attached, or is detached already.
  if (!hasFinalizer(attachment, attacher.finalizer)) return done("Detached");
  const error = yield* detach(attacher, attachment);
  if (error === undefined) return done("Detached");
  const detachError = { message: error, time: timestamp(attacher.context.now) };
  yield* writeStatus(attachment, (status) => ({ ...status, detachError }));
  attacher.context.decide(refOf(attachment), { reason: "DetachFailed", text: error });
  return retry(`failed to detach: ${error}`);
}

function* detach(attacher: Attacher, attachment: Attachment): Task<string | undefined> {
  const { context, connection } = attacher;
  const { persistentVolumeName: name, inlineVolumeSpec: inline } = attachment.spec.source;
  const volume = name === undefined ? undefined : context.informer("PersistentVolume").get(name);
  if (name !== undefined && volume === undefined) return `persistentvolume "${name}" not found`;
  const csi = (volume === undefined ? inline : translatedVolume(volume).spec)?.csi;
  if (csi === undefined) return noCsiSource;
  const secret = yield* publishSecret(csi);
  if (!secret.ok) return secret.error;
  const node = nodeId(context, connection.driver.name, attachment.spec.nodeName);
  const id = node.ok ? node.id : attachment.metadata.annotations?.[nodeIdAnnotation];
  if (id === undefined) return node.ok ? undefined : node.error;
  const request = { volume_id: csi.volumeHandle, node_id: id, ...secret.field };
  const result = yield* connection.call("ControllerUnpublishVolume", request, callTimeoutMs);
  if (result.code !== "OK") return errorText(result);
  return yield* markDetached(attacher, attachment);
}

/** Removes the finalizer first, which usually deletes the object, so that it is never seen half detached. */
function* markDetached(attacher: Attacher, attachment: Attachment): Task<string | undefined> {
  const { name } = attachment.metadata;
  const released = yield* patch("VolumeAttachment", undefined, name, (current) =>
    withFinalizers(
      current,
      (current.metadata.finalizers ?? []).filter((f) => f !== attacher.finalizer),
    ),
  );
  if (!released.ok && !isNotFound(released.error)) {
    return `could not mark as detached: ${released.error.message}`;
  }
  const patched = yield* patch(
    "VolumeAttachment",
    undefined,
    name,
    (current) => ({ ...current, status: detachedStatus(current.status) }),
    "status",
  );
  if (patched.ok || isNotFound(patched.error)) return undefined;
  return `could not mark as detached: ${patched.error.message}`;
}

/** Keeps the error of a failed attach. */
function detachedStatus(status: Status | undefined): Status {
  const { detachError: _, attachmentMetadata: __, ...rest } = status ?? { attached: false };
  return { ...rest, attached: false };
}
