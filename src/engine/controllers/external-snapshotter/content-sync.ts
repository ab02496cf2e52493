/**
 * Has the driver create and delete the snapshot of one VolumeSnapshotContent.
 * Upstream: external-snapshotter v8.6 pkg/sidecar-controller/snapshot_controller.go syncContent, createSnapshotWrapper,
 * deleteCSISnapshotOperation; csi_handler.go and pkg/snapshotter/snapshotter.go GetSnapshotStatus. Not modeled: group
 * snapshots.
 */
import { goQuote } from "../../api/go/text.ts";
import { type KubeObject, refOf } from "../../api/meta.ts";
import { unixMs } from "../../api/timestamp.ts";
import type { SnapshotMessage } from "../../csi/messages.ts";
import {
  errorGettingSecret,
  type ReadSecret,
  readSecret,
  type SecretField,
} from "../../csi/read-secret.ts";
import { errorText, isFinalCode } from "../../csi/rpc.ts";
import type { ControllerConnection } from "../../csi/sidecar.ts";
import {
  annotationOf,
  hasAnnotation,
  withAnnotations,
  withFinalizers,
  withoutAnnotation,
} from "../../matching/annotations.ts";
import {
  driverSnapshotParameters,
  snapshotterListSecret,
} from "../../matching/snapshot-class-parameters.ts";
import {
  type Content,
  type Found,
  snapshotAnnotation,
  snapshotFinalizer,
} from "../../matching/snapshots.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { event, getLive, isNotFound, patch, type Task } from "../../runtime/effects.ts";
import { done, type Reconcile, retry } from "../../runtime/outcome.ts";
import { reportContentError } from "./content-error.ts";

type Status = NonNullable<Content["status"]>;

type CreateInput =
  | {
      readonly ok: true;
      readonly snapshotClass: KubeObject<"VolumeSnapshotClass">;
      readonly secret: SecretField;
    }
  | { readonly ok: false; readonly error: string };

/** --timeout. */
const callTimeoutMs = 60_000;
const notReady = "the snapshot is not ready yet";

export class ContentSync {
  readonly #context: ComponentContext;
  readonly #connection: ControllerConnection;

  constructor(context: ComponentContext, connection: ControllerConnection) {
    this.#context = context;
    this.#connection = connection;
  }

  *sync(content: Content): Reconcile {
    if (isToBeDeleted(content)) return yield* this.#delete(content);
    if (content.status?.readyToUse === true) {
      const marked = yield* this.#unmark(content);
      return marked === undefined ? done("Ready") : retry(marked);
    }
    const isFirst = content.status === undefined;
    const handle = content.spec.source.snapshotHandle;
    const result =
      handle === undefined ? yield* this.#create(content) : yield* this.#adopt(content, handle);
    if (typeof result === "object") return result;
    const [reason, prefix] =
      isFirst && handle === undefined
        ? ["SnapshotCreationFailed", "Failed to create snapshot"]
        : ["SnapshotContentCheckandUpdateFailed", "Failed to check and update snapshot content"];
    yield* reportContentError(this.#context, content, reason, `${prefix}: ${result}`);
    return retry(result);
  }

  /** Takes over an existing snapshot, which is assumed to exist if the driver cannot list. Returns an outcome or an error. */
  *#adopt(
    content: Content,
    snapshotHandle: string,
  ): Task<ReturnType<typeof done | typeof retry> | string> {
    const secret = yield* this.#listSecret(content);
    if (!secret.ok) return secret.error;
    const known = yield* this.#snapshotStatus(snapshotHandle, secret.field);
    if (!known.ok) {
      return `failed to list snapshot for content ${content.metadata.name}: ${goQuote(known.error)}`;
    }
    const unwritten = yield* this.#noteAnswer(content, { snapshotHandle, ...known.object });
    if (unwritten !== undefined) return unwritten;
    return known.object.readyToUse === true ? done("Ready") : retry(notReady);
  }

  /** Upstream: GetSnapshotStatus. */
  *#snapshotStatus(snapshotHandle: string, secret: SecretField): Task<Found<Status>> {
    if (!this.#connection.has("LIST_SNAPSHOTS")) {
      const creationTime = unixMs(this.#context.now) * 1_000_000;
      return { ok: true, object: { readyToUse: true, creationTime } };
    }
    const request = { snapshot_id: snapshotHandle, ...secret };
    const result = yield* this.#connection.call("ListSnapshots", request, callTimeoutMs);
    if (result.code !== "OK") return { ok: false, error: errorText(result) };
    const [entry] = result.response["entries"] as readonly { readonly snapshot: SnapshotMessage }[];
    if (entry === undefined) {
      return { ok: false, error: `can not find snapshot for snapshotID ${snapshotHandle}` };
    }
    return { ok: true, object: statusOf(entry.snapshot) };
  }

  /** The Secret for listing, which must exist even if the driver cannot list. */
  *#listSecret(content: Content): Task<ReadSecret> {
    const className = content.spec.volumeSnapshotClassName;
    if (className === undefined) return { ok: true, field: {} };
    const { name } = content.metadata;
    const found = this.#classOf(className);
    if (!found.ok) {
      return {
        ok: false,
        error: `failed to get snapshot class ${className} for snapshot content ${name}: ${found.error}`,
      };
    }
    const secret = snapshotterListSecret(found.object.parameters ?? {}, name);
    if (!secret.ok) {
      return {
        ok: false,
        error: `failed to get secret reference for snapshot content ${name}: ${secret.error}`,
      };
    }
    return yield* readSecret(
      secret.object,
      (...of) =>
        `failed to get credentials for snapshot content ${name}: ${errorGettingSecret(...of)}`,
    );
  }

  #classOf(name: string): Found<KubeObject<"VolumeSnapshotClass">> {
    const object = this.#context.informer("VolumeSnapshotClass").get(name);
    if (object !== undefined) return { ok: true, object };
    const error = `volumesnapshotclass.snapshot.storage.k8s.io "${name}" not found`;
    return { ok: false, error };
  }

  /** Returns the outcome, or why the snapshot could not be created. */
  *#create(content: Content): Task<ReturnType<typeof done | typeof retry> | string> {
    const input = yield* this.#createInput(content);
    if (!input.ok) {
      return `failed to get input parameters to create snapshot for content ${content.metadata.name}: ${goQuote(input.error)}`;
    }
    const { name } = content.metadata;
    const unmarked = yield* this.#mark(content);
    if (unmarked !== undefined) {
      return `failed to add VolumeSnapshotBeingCreated annotation on the content ${name}: ${goQuote(unmarked)}`;
    }
    const parameters = driverSnapshotParameters(input.snapshotClass.parameters ?? {});
    if (!parameters.ok) {
      return `failed to remove CSI Parameters of prefixed keys: ${parameters.error}`;
    }
    const handle = content.spec.source.volumeHandle ?? "";
    const failure = (why: string): string =>
      `failed to take snapshot of the volume ${handle}: ${goQuote(why)}`;
    const { uid = "" } = content.spec.volumeSnapshotRef;
    if (uid === "") {
      // A hand-written content; the snapshot's name at the driver is made from the uid.
      return failure(`cannot create snapshot. Snapshot content ${name} not bound to a snapshot`);
    }
    const request = {
      source_volume_id: handle,
      name: `snapshot-${uid}`,
      parameters: { ...parameters.object, ...metadataParameters(content) },
      ...input.secret,
    };
    const result = yield* this.#connection.call("CreateSnapshot", request, callTimeoutMs);
    if (result.code !== "OK") {
      // Only after a final answer can no snapshot result from the call.
      const marked = isFinalCode(result.code) ? yield* this.#unmark(content) : undefined;
      if (marked === undefined) return failure(errorText(result));
      return `failed to remove VolumeSnapshotBeingCreated annotation from the content ${name}: ${marked}`;
    }
    const snapshot = result.response["snapshot"] as SnapshotMessage;
    const unwritten = yield* this.#noteAnswer(content, {
      snapshotHandle: snapshot.snapshot_id,
      ...statusOf(snapshot),
    });
    if (unwritten !== undefined) {
      return `error updating status for volume snapshot content ${name}: ${unwritten}`;
    }
    const marked = yield* this.#unmark(content);
    if (marked !== undefined) {
      return `failed to remove VolumeSnapshotBeingCreated annotation on the content ${name}: ${goQuote(marked)}`;
    }
    return snapshot.ready_to_use ? done("Ready") : retry(notReady);
  }

  /** The class and the driver's Secret. Upstream: getCSISnapshotInput. */
  *#createInput(content: Content): Task<CreateInput> {
    const className = content.spec.volumeSnapshotClassName;
    if (className === undefined) {
      const error = `failed to take snapshot ${content.metadata.name} without a snapshot class`;
      return { ok: false, error };
    }
    const found = this.#classOf(className);
    if (!found.ok) return found;
    const secret = yield* this.#notedSecret(content);
    if (!secret.ok) return secret;
    return { ok: true, snapshotClass: found.object, secret: secret.field };
  }

  /** The Secret that snapshot-controller wrote on the content. Upstream: GetCredentialsFromAnnotation. */
  *#notedSecret(content: Content): Task<ReadSecret> {
    const name = annotationOf(content, snapshotAnnotation.deletionSecretName);
    const namespace = annotationOf(content, snapshotAnnotation.deletionSecretNamespace);
    if (name === undefined || namespace === undefined) return { ok: true, field: {} };
    const about = `for snapshot content ${goQuote(content.metadata.name)}`;
    if (name === "" || namespace === "") {
      return {
        ok: false,
        error: `cannot retrieve secrets ${about}, err: secret name or namespace not specified`,
      };
    }
    return yield* readSecret({ name, namespace }, () => `cannot get credentials ${about}`);
  }

  /** Marks the content while the driver may be creating the snapshot, which keeps it. Returns why it could not. */
  *#mark(content: Content): Task<string | undefined> {
    if (hasAnnotation(content, snapshotAnnotation.beingCreated)) return undefined;
    const { name } = content.metadata;
    const patched = yield* patch("VolumeSnapshotContent", undefined, name, (current) =>
      withAnnotations(current, { [snapshotAnnotation.beingCreated]: "yes" }),
    );
    return patched.ok ? undefined : updateError(name, patched.error.message);
  }

  /** Removes the mark. Returns why it could not. */
  *#unmark(content: Content): Task<string | undefined> {
    const { name } = content.metadata;
    const current = yield* getLive("VolumeSnapshotContent", undefined, name);
    if (!current.ok) return updateError(name, current.error.message);
    if (!hasAnnotation(current.object, snapshotAnnotation.beingCreated)) return undefined;
    const patched = yield* patch("VolumeSnapshotContent", undefined, name, (c) =>
      withoutAnnotation(c, snapshotAnnotation.beingCreated),
    );
    return patched.ok ? undefined : updateError(name, patched.error.message);
  }

  /** Writes the driver's answer; keeps an earlier error until the snapshot is ready. Upstream: updateSnapshotContentStatus. */
  *#noteAnswer(content: Content, answer: Status): Task<string | undefined> {
    return yield* this.#writeStatus(content, ({ error, ...status }) => ({
      ...answer,
      ...status,
      ...(answer.readyToUse !== undefined && { readyToUse: answer.readyToUse }),
      ...(error !== undefined && answer.readyToUse !== true && { error }),
    }));
  }

  *#writeStatus(content: Content, change: (status: Status) => Status): Task<string | undefined> {
    const { name } = content.metadata;
    const patched = yield* patch(
      "VolumeSnapshotContent",
      undefined,
      name,
      (current) => ({ ...current, status: change(current.status ?? {}) }),
      "status",
    );
    if (patched.ok) return undefined;
    const { message } = patched.error;
    if (!isNotFound(patched.error)) return updateError(name, message);
    return `error get snapshot content ${name} from api server: ${message}`;
  }

  *#delete(content: Content): Reconcile {
    const handle = content.status?.snapshotHandle;
    if (content.spec.deletionPolicy === "Delete" && handle !== undefined) {
      const failure = yield* this.#deleteSnapshot(content, handle);
      if (failure !== undefined) {
        yield* event(refOf(content), "Warning", "SnapshotDeleteError", failure);
        return retry(failure);
      }
    }
    const { name } = content.metadata;
    const patched = yield* patch("VolumeSnapshotContent", undefined, name, (current) =>
      withFinalizers(
        current,
        (current.metadata.finalizers ?? []).filter((f) => f !== snapshotFinalizer.content),
      ),
    );
    if (patched.ok || isNotFound(patched.error)) return done("Deleted");
    return retry(patched.error.message);
  }

  *#deleteSnapshot(content: Content, handle: string): Task<string | undefined> {
    const secret = yield* this.#notedSecret(content);
    if (!secret.ok) return "Failed to get snapshot credentials";
    const request = { snapshot_id: handle, ...secret.field };
    const result = yield* this.#connection.call("DeleteSnapshot", request, callTimeoutMs);
    if (result.code !== "OK") {
      this.#context.decide(refOf(content), {
        reason: "SnapshotDeleteError",
        text: errorText(result),
      });
      return "Failed to delete snapshot";
    }
    const uncleared = yield* this.#writeStatus(content, (status) => {
      const { snapshotHandle, readyToUse, creationTime, restoreSize, ...rest } = status;
      return rest;
    });
    return uncleared === undefined ? undefined : "Failed to clear content status";
  }
}

/** The content's status for a snapshot as the driver describes it, without its handle. */
function statusOf({ creation_time, size_bytes, ready_to_use }: SnapshotMessage): Status {
  const { seconds, nanos } = creation_time;
  const size = Number(size_bytes);
  return {
    creationTime: Number(seconds) * 1_000_000_000 + nanos,
    ...(size > 0 && { restoreSize: size }),
    readyToUse: ready_to_use,
  };
}

/** Upstream: newControllerUpdateError. */
function updateError(name: string, message: string): string {
  return `snapshot controller failed to update ${name} on API server: ${message}`;
}

/** --extra-create-metadata. */
function metadataParameters({ metadata, spec }: Content): Readonly<Record<string, string>> {
  const { name = "", namespace = "" } = spec.volumeSnapshotRef;
  return {
    "csi.storage.k8s.io/volumesnapshot/name": name,
    "csi.storage.k8s.io/volumesnapshot/namespace": namespace,
    "csi.storage.k8s.io/volumesnapshotcontent/name": metadata.name,
  };
}

/** Upstream: shouldDelete. False after a call without a final answer, since the snapshot may still be created. */
function isToBeDeleted(content: Content): boolean {
  if (content.metadata.deletionTimestamp === undefined) return false;
  const { source, volumeSnapshotRef } = content.spec;
  if (source.snapshotHandle !== undefined && (volumeSnapshotRef.uid ?? "") === "") return true;
  if (hasAnnotation(content, snapshotAnnotation.beingCreated)) return false;
  return hasAnnotation(content, snapshotAnnotation.beingDeleted);
}
