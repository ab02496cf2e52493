/**
 * Has the driver take and delete the snapshot of one content object.
 * Upstream: external-snapshotter v8.6 pkg/sidecar-controller/snapshot_controller.go syncContent, createSnapshotWrapper,
 * deleteCSISnapshotOperation. Not modelled: LIST_SNAPSHOTS, group snapshots.
 */
import { refOf } from "../../api/meta.ts";
import type { SnapshotMessage } from "../../csi/messages.ts";
import { errorText, isFinalCode } from "../../csi/rpc.ts";
import type { ControllerConnection } from "../../csi/sidecar.ts";
import {
  hasAnnotation,
  withAnnotations,
  withFinalizers,
  withoutAnnotation,
} from "../../matching/annotations.ts";
import {
  driverSnapshotParameters,
  snapshotterSecret,
} from "../../matching/snapshot-class-parameters.ts";
import { type Content, snapshotAnnotation, snapshotFinalizer } from "../../matching/snapshots.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { event, getLive, isNotFound, patch, type Task } from "../../runtime/effects.ts";
import { done, type Reconcile, retry } from "../../runtime/outcome.ts";
import { unixMs } from "../../runtime/timestamp.ts";
import { reportContentError } from "./content-error.ts";

type Status = NonNullable<Content["status"]>;

/** --timeout. */
const callTimeoutMs = 60_000;

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
      yield* this.#unmark(content);
      return done("Ready");
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

  /** The driver is not asked about a snapshot that somebody else has taken: it cannot list. */
  *#adopt(content: Content, snapshotHandle: string): Task<ReturnType<typeof done> | string> {
    const className = content.spec.volumeSnapshotClassName;
    const classes = this.#context.informer("VolumeSnapshotClass");
    if (className !== undefined && classes.get(className) === undefined) {
      const { name } = content.metadata;
      return `failed to get snapshot class ${className} for snapshot content ${name}: volumesnapshotclass.snapshot.storage.k8s.io "${className}" not found`;
    }
    const creationTime = unixMs(this.#context.now) * 1_000_000;
    const error = yield* this.#writeStatus(content, ({ error: _, ...status }) => ({
      ...status,
      snapshotHandle,
      readyToUse: true,
      creationTime: status.creationTime ?? creationTime,
    }));
    return error ?? done("Ready");
  }

  /** The outcome, or why the snapshot could not be taken. */
  *#create(content: Content): Task<ReturnType<typeof done | typeof retry> | string> {
    const input = yield* this.#createInput(content);
    if (typeof input === "string") return input;
    const marked = yield* this.#mark(content);
    if (marked !== undefined) return marked;
    const handle = content.spec.source.volumeHandle ?? "";
    const request = {
      source_volume_id: handle,
      name: `snapshot-${content.spec.volumeSnapshotRef.uid ?? ""}`,
      parameters: input,
    };
    const result = yield* this.#connection.call("CreateSnapshot", request, callTimeoutMs);
    if (result.code !== "OK") {
      // Only a final answer says that nothing will come of the call any more.
      if (isFinalCode(result.code)) yield* this.#unmark(content);
      return `failed to take snapshot of the volume ${handle}: ${JSON.stringify(errorText(result))}`;
    }
    const snapshot = result.response["snapshot"] as SnapshotMessage;
    const { seconds, nanos } = snapshot.creation_time;
    const size = Number(snapshot.size_bytes);
    const unwritten = yield* this.#writeStatus(content, ({ error: _, ...status }) => ({
      ...status,
      snapshotHandle: snapshot.snapshot_id,
      creationTime: status.creationTime ?? Number(seconds) * 1_000_000_000 + nanos,
      ...(size > 0 && { restoreSize: size }),
      readyToUse: snapshot.ready_to_use,
    }));
    if (unwritten !== undefined) return unwritten;
    yield* this.#unmark(content);
    return snapshot.ready_to_use ? done("Ready") : retry("the snapshot is not ready yet");
  }

  *#createInput(content: Content): Task<Readonly<Record<string, string>> | string> {
    const { volumeSnapshotClassName: className = "", volumeSnapshotRef: ref } = content.spec;
    const { name } = content.metadata;
    const failed = (why: string): string =>
      `failed to get input parameters to create snapshot for content ${name}: ${JSON.stringify(why)}`;
    const snapshotClass = this.#context.informer("VolumeSnapshotClass").get(className);
    if (snapshotClass === undefined) {
      return failed(`volumesnapshotclass.snapshot.storage.k8s.io "${className}" not found`);
    }
    const parameters = snapshotClass.parameters ?? {};
    const secret = snapshotterSecret(parameters, name, {
      name: ref.name ?? "",
      namespace: ref.namespace ?? "",
    });
    if (!secret.ok) return failed(secret.error);
    const unreadable = yield* this.#secretError(secret.object);
    if (unreadable !== undefined) return failed(unreadable);
    const stripped = driverSnapshotParameters(parameters);
    if (!stripped.ok) {
      return `failed to remove CSI Parameters of prefixed keys: ${stripped.error}`;
    }
    return {
      ...stripped.object,
      "csi.storage.k8s.io/volumesnapshot/name": ref.name ?? "",
      "csi.storage.k8s.io/volumesnapshot/namespace": ref.namespace ?? "",
      "csi.storage.k8s.io/volumesnapshotcontent/name": name,
    };
  }

  *#secretError(
    secret: { readonly name: string; readonly namespace: string } | undefined,
  ): Task<string | undefined> {
    if (secret === undefined) return undefined;
    const { name, namespace } = secret;
    const found = yield* getLive("Secret", namespace, name);
    if (found.ok) return undefined;
    return `error getting secret ${name} in namespace ${namespace}: ${found.error.message}`;
  }

  /** Says that the driver may be taking the snapshot, so that nobody forgets it meanwhile. */
  *#mark(content: Content): Task<string | undefined> {
    if (hasAnnotation(content, snapshotAnnotation.beingCreated)) return undefined;
    const { name } = content.metadata;
    const patched = yield* patch("VolumeSnapshotContent", undefined, name, (current) =>
      withAnnotations(current, { [snapshotAnnotation.beingCreated]: "yes" }),
    );
    return patched.ok ? undefined : patched.error.message;
  }

  *#unmark(content: Content): Task {
    const { name } = content.metadata;
    const current = yield* getLive("VolumeSnapshotContent", undefined, name);
    if (!current.ok || !hasAnnotation(current.object, snapshotAnnotation.beingCreated)) return;
    yield* patch("VolumeSnapshotContent", undefined, name, (c) =>
      withoutAnnotation(c, snapshotAnnotation.beingCreated),
    );
  }

  *#writeStatus(content: Content, change: (status: Status) => Status): Task<string | undefined> {
    const patched = yield* patch(
      "VolumeSnapshotContent",
      undefined,
      content.metadata.name,
      (current) => ({ ...current, status: change(current.status ?? {}) }),
      "status",
    );
    return patched.ok ? undefined : patched.error.message;
  }

  *#delete(content: Content): Reconcile {
    const handle = content.status?.snapshotHandle ?? content.spec.source.snapshotHandle;
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
    const annotations = content.metadata.annotations ?? {};
    const name = annotations[snapshotAnnotation.deletionSecretName] ?? "";
    const namespace = annotations[snapshotAnnotation.deletionSecretNamespace] ?? "";
    const secret = name === "" ? undefined : { name, namespace };
    if ((yield* this.#secretError(secret)) !== undefined) {
      return "Failed to get snapshot credentials";
    }
    const request = { snapshot_id: handle };
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

/** Upstream: shouldDelete. A call without an answer keeps the content: its snapshot may still come to be. */
function isToBeDeleted(content: Content): boolean {
  if (content.metadata.deletionTimestamp === undefined) return false;
  const { source, volumeSnapshotRef } = content.spec;
  if (source.snapshotHandle !== undefined && (volumeSnapshotRef.uid ?? "") === "") return true;
  if (hasAnnotation(content, snapshotAnnotation.beingCreated)) return false;
  return hasAnnotation(content, snapshotAnnotation.beingDeleted);
}
