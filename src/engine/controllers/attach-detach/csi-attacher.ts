/**
 * Attaches and detaches one CSI volume through a VolumeAttachment, and waits for the external attacher.
 * Upstream: pkg/volume/csi/csi_attacher.go Attach, Detach, waitForVolumeAttachment v1.36.
 */
import type { Draft, KubeObject } from "../../api/meta.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { create, isNotFound, remove, sleep, type Task } from "../../runtime/effects.ts";
import type { AttachableVolume } from "../../volume/attachable-volume.ts";
import { attachmentName } from "../../volume/volume-names.ts";

const firstPollMs = 500;
const pollFactor = 1.05;
const pollMsMax = 7_000;
const pollJitter = 0.1;
const limitMs = 120_000;

interface CsiVolume {
  readonly driver: string;
  readonly handle: string;
}

/** Returns why the volume could not be attached; undefined if it is. */
export function* attachCsi(
  context: ComponentContext,
  volume: AttachableVolume,
  csi: CsiVolume,
  node: string,
): Task<string | undefined> {
  const name = attachmentName(csi.handle, csi.driver, node);
  const attachments = context.informer("VolumeAttachment");
  if (attachments.get(name) === undefined) {
    const created = yield* create(attachmentObject(name, volume, csi, node));
    if (!created.ok && created.error.reason !== "AlreadyExists") {
      return `kubernetes.io/csi: attacher.Attach failed: ${created.error.message}`;
    }
  }
  const last = yield* poll(context, () => attachProgress(attachments.get(name)));
  if (last !== "pending") return last.error;
  return `timed out waiting for external-attacher of ${csi.driver} CSI driver to attach volume ${csi.handle}`;
}

type Progress = "pending" | { readonly error: string | undefined };

/** An attachError stays until the attacher succeeds, so a new attempt finds the old error at its first poll. */
function attachProgress(attachment: KubeObject<"VolumeAttachment"> | undefined): Progress {
  if (attachment === undefined) return "pending";
  const { status, metadata } = attachment;
  if (metadata.deletionTimestamp !== undefined) {
    return { error: "volume attachment is being deleted" };
  }
  if (status?.attached === true) return { error: undefined };
  if (status?.attachError !== undefined) return { error: status.attachError.message ?? "" };
  return "pending";
}

/** Returns why the volume could not be detached; undefined if it is. */
export function* detachCsi(
  context: ComponentContext,
  csi: CsiVolume,
  node: string,
): Task<string | undefined> {
  // Upstream splits the unique name at each caret and expects two parts.
  if (csi.handle.includes("^")) return "volumeName missing expected data";
  const name = attachmentName(csi.handle, csi.driver, node);
  const attachments = context.informer("VolumeAttachment");
  const removed = yield* remove("VolumeAttachment", undefined, name);
  if (!removed.ok) return isNotFound(removed.error) ? undefined : removed.error.message;
  const last = yield* poll(context, () => {
    const attachment = attachments.get(name);
    if (attachment === undefined) return { error: undefined };
    const { detachError } = attachment.status ?? {};
    return detachError === undefined ? "pending" : { error: detachError.message ?? "" };
  });
  if (last !== "pending") return last.error;
  // Upstream does not know the driver's name here.
  return `timed out waiting for external-attacher of unknown CSI driver to detach volume ${csi.handle}`;
}

function* poll(context: ComponentContext, look: () => Progress): Task<Progress> {
  const end = context.now + limitMs;
  let delayMs = firstPollMs;
  for (;;) {
    const jittered = delayMs * (1 + pollJitter * context.fraction());
    const rest = end - context.now;
    yield* sleep(Math.min(jittered, rest));
    if (jittered >= rest) return "pending";
    const progress = look();
    if (progress !== "pending") return progress;
    delayMs = Math.min(delayMs * pollFactor, pollMsMax);
  }
}

function attachmentObject(
  name: string,
  volume: AttachableVolume,
  csi: CsiVolume,
  node: string,
): Draft<"VolumeAttachment"> {
  const source =
    volume.inlineSpec === undefined
      ? { persistentVolumeName: volume.specName }
      : { inlineVolumeSpec: volume.inlineSpec };
  return {
    apiVersion: "storage.k8s.io/v1",
    kind: "VolumeAttachment",
    metadata: { name },
    spec: { attacher: csi.driver, nodeName: node, source },
    status: { attached: false },
  };
}
