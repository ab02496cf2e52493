/**
 * Sends the API server what kubectl would send for the steps of a scenario. Each request is in the trace with its answer,
 * whether or not it is accepted. Upstream: kubectl v1.36 apply, patch, scale, create job, delete, cordon and drain
 * (pkg/drain).
 */
import { isStanding } from "./api/admission/namespace-lifecycle.ts";
import { jobFromCronJob } from "./api/job-from-cron-job.ts";
import { isRecord, mergePatch, untyped } from "./api/json.ts";
import {
  type ApiError,
  isKind,
  isNamespaced,
  isServed,
  type Kind,
  type KubeObject,
  makeRef,
  notFound,
  notServed,
  type Ref,
} from "./api/meta.ts";
import { applied, appliedOver, created } from "./api/patch/apply-patch.ts";
import { mergeModelOf } from "./api/patch/field-merge.ts";
import { type Patched, patched } from "./api/patch/strategic-patch.ts";
import type { Patch } from "./api/request-context.ts";
import { servedInstead } from "./api/served-instead.ts";
import { claimNamesOf, volumeClassOf } from "./api/undecoded.ts";
import type { Runtime } from "./runtime/runtime.ts";
import type { DeleteTarget, Manifest, NewJob, ObjectName, Scenario, Step } from "./scenario.ts";
import type { Answer } from "./store/api-server.ts";
import { evict } from "./store/eviction.ts";
import type { RequestEntry } from "./trace/entry.ts";
import { stepText } from "./trace/step-text.ts";

const evictionRetryMs = 5_000;

type PatchStep = Extract<Step, { readonly type: "patch" }>;

/**
 * The answer to a strategic merge patch of a custom resource. Upstream: apiserver negotiation.NewUnsupportedMediaTypeError,
 * customresource_handler.go ServeHTTP.
 */
const unknownPatchType: ApiError = {
  code: 415,
  reason: "UnsupportedMediaType",
  message:
    "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
};

/** What the trace keeps of an answer: everything but the object. */
type AnswerToUser =
  | { readonly ok: true; readonly warnings?: readonly string[] }
  | { readonly ok: false; readonly error: ApiError; readonly warnings?: readonly string[] };

export class UserRequests {
  /** Uids of the objects that existed before the run. */
  existing: ReadonlySet<string> = new Set();
  readonly #runtime: Runtime;
  /** What was last applied to each object of the run, by uid. kubectl would keep it in an annotation of the object. */
  readonly #lastApplied = new Map<string, Manifest>();
  readonly #client: Scenario["client"];
  #step = -1;

  constructor(runtime: Runtime, client: Scenario["client"]) {
    this.#runtime = runtime;
    this.#client = client;
  }

  /** Attributes the following requests to this step. */
  begin(step: Step): void {
    const { trace, loop } = this.#runtime;
    this.#step++;
    trace.add(loop.now, { type: "step", actor: "user", step: this.#step, text: stepText(step) });
  }

  /** Creates the object, or patches the existing one. */
  apply(manifest: Manifest): void {
    const apiVersion = String(manifest["apiVersion"] ?? "");
    const kind = String(manifest["kind"] ?? "");
    const metadata = (manifest["metadata"] ?? {}) as Readonly<Record<string, unknown>>;
    // Without a name, the request is recorded under its generateName.
    const name =
      [metadata["name"], metadata["generateName"]].find((n) => typeof n === "string") ?? "";
    const given = typeof metadata["namespace"] === "string" ? metadata["namespace"] : "default";
    if (!isServed(apiVersion, kind)) {
      const isMeant = isKind(kind) && servedInstead(apiVersion, kind) !== undefined;
      const namespace = isMeant && isNamespaced(kind) ? given : undefined;
      const refused = { ok: false, error: notServed } as const;
      this.#answered("create", makeRef(kind as Kind, namespace, name), 201, refused);
      return;
    }
    const namespace = isNamespaced(kind) ? given : undefined;
    const ref = makeRef(kind, namespace, name);
    const current = name === "" ? undefined : this.#found(kind, namespace, name);
    if (current === undefined) this.#noteApplied(this.#create(ref, namespace, manifest), manifest);
    else this.#change(ref, current, manifest);
  }

  #create(ref: Ref, namespace: string | undefined, manifest: Manifest): Answer {
    const sent = this.#client === "recorder" ? manifest : created(manifest);
    const answer = this.#runtime.as("user", undefined, () => this.#runtime.api.create(sent));
    this.#answered("create", ref, 201, answer, answer.ok ? {} : missedWith(manifest, namespace));
    return answer;
  }

  /** For objects from before the run, what was last applied is in their annotation. */
  #change(ref: Ref, current: KubeObject, manifest: Manifest): void {
    const { uid } = current.metadata;
    const next = this.existing.has(uid)
      ? applied(current, manifest)
      : this.#changedInRun(current, manifest);
    const answer = this.#request("patch", ref, 200, () => this.#replace(current, next, "Strict"));
    this.#noteApplied(answer, manifest);
  }

  #changedInRun(current: KubeObject, manifest: Manifest): Patched {
    return this.#client === "recorder"
      ? mergePatched(current, manifest)
      : appliedOver(current, this.#lastApplied.get(current.metadata.uid), manifest);
  }

  #replace(
    current: KubeObject,
    next: Patched,
    fieldValidation: Patch["fieldValidation"],
    subresource?: "status",
  ): Answer {
    if (!next.ok) return next;
    const { fields, left } = next;
    return this.#runtime.api.replace(current, fields, { left, fieldValidation }, subresource);
  }

  #noteApplied(answer: Answer, manifest: Manifest): void {
    if (answer.ok) this.#lastApplied.set(answer.object.metadata.uid, manifest);
  }

  /** Returns the stored object. A namespace that every cluster has is created on first use, so a scenario need not list it. */
  #found(kind: Kind, namespace: string | undefined, name: string): KubeObject | undefined {
    const { api } = this.#runtime;
    const found = api.store.get(kind, namespace, name);
    if (found !== undefined || kind !== "Namespace" || !isStanding(name)) return found;
    const manifest: Manifest = { apiVersion: "v1", kind, metadata: { name } };
    const made = this.#runtime.as("cluster", undefined, () => api.create(manifest));
    return made.ok ? made.object : undefined;
  }

  /** Unknown fields cause a warning, unlike in `apply`, for which kubectl asks that they be refused. */
  patch({ object, patch, patchType, subresource }: Omit<PatchStep, "type">): void {
    const { kind, name } = object;
    const fieldValidation = this.#client === "recorder" ? "Strict" : "Warn";
    const namespace = namespaceOf(object);
    const current = this.#found(kind, namespace, name);
    this.#request("patch", makeRef(kind, namespace, name), 200, () => {
      if (patchType !== undefined && mergeModelOf(kind) === "")
        return { ok: false, error: unknownPatchType };
      if (current === undefined) return { ok: false, error: notFound(kind, name) };
      const next =
        patchType !== undefined && isRecord(patch)
          ? patched(untyped(current), patch, mergeModelOf(kind))
          : mergePatched(current, patch);
      return this.#replace(current, next, fieldValidation, subresource);
    });
  }

  scale({ object, replicas }: Omit<Extract<Step, { readonly type: "scale" }>, "type">): void {
    this.patch({ object, patch: { spec: { replicas } } });
  }

  /** kubectl reads the CronJob first; if it does not exist, no Job is created. Upstream: create_job.go Run. */
  createJob({ namespace = "default", name, from }: NewJob): void {
    const cronJob = this.#runtime.api.store.get("CronJob", namespace, from);
    if (cronJob === undefined) {
      const error = notFound("CronJob", from);
      this.#answered("get", makeRef("CronJob", namespace, from), 200, { ok: false, error });
      return;
    }
    const job: Manifest = { ...jobFromCronJob(cronJob, name) };
    this.#create(makeRef("Job", namespace, name), namespace, job);
  }

  delete(target: DeleteTarget): void {
    const { kind, name, grace, propagationPolicy = "Background" } = target;
    const namespace = namespaceOf(target);
    this.#request("delete", makeRef(kind, namespace, name), 200, () =>
      this.#runtime.api.delete(kind, namespace ?? "", name, {
        propagationPolicy,
        ...(grace !== undefined && { gracePeriodSeconds: grace }),
      }),
    );
  }

  /** Marks the node as unschedulable. */
  cordon(node: string): void {
    this.patch({ object: { kind: "Node", name: node }, patch: { spec: { unschedulable: true } } });
  }

  uncordon(node: string): void {
    this.patch({ object: { kind: "Node", name: node }, patch: { spec: { unschedulable: false } } });
  }

  /**
   * Evicts a pod. While a budget forbids it and the node is still cordoned, the request is repeated; of equal refusals only the
   * first is recorded. Upstream: pkg/drain/drain.go evictPods.
   */
  evict(node: string, namespace: string, name: string, lastRefusal?: string): void {
    const { api, loop } = this.#runtime;
    const answer = this.#runtime.as("user", undefined, () => evict(api, namespace, name));
    const error = answer.ok ? undefined : answer.error;
    if (error?.code === 404) return;
    if (error === undefined || error.message !== lastRefusal)
      this.#answered("evict", makeRef("Pod", namespace, name), 201, answer);
    if (error?.code !== 429) return;
    loop.after(evictionRetryMs, () => {
      const isCordoned = api.store.get("Node", undefined, node)?.spec.unschedulable;
      if (isCordoned === true) this.evict(node, namespace, name, error.message);
    });
  }

  #request(verb: string, ref: Ref, okStatus: number, request: () => Answer): Answer {
    const answer = this.#runtime.as("user", undefined, request);
    this.#answered(verb, ref, okStatus, answer);
    return answer;
  }

  #answered(
    verb: string,
    ref: Ref,
    okStatus: number,
    answer: AnswerToUser,
    missed: Pick<RequestEntry, "claims" | "volumeClass"> = {},
  ): void {
    const { trace, loop } = this.#runtime;
    const { warnings } = answer;
    const error = answer.ok ? undefined : answer.error;
    const entry: RequestEntry = {
      type: "request",
      actor: "user",
      step: this.#step,
      verb,
      ref,
      status: error?.code ?? okStatus,
      reason: error?.reason,
      message: error?.message,
      causes: error?.causes,
      warnings: warnings !== undefined && warnings.length > 0 ? warnings : undefined,
      ...missed,
      seq: 0,
      at: 0,
    };
    trace.add(loop.now, entry);
  }
}

function mergePatched(current: KubeObject, patch: unknown): Patched {
  return { ok: true, fields: mergePatch(current, patch) as Manifest, left: undefined };
}

/** What other objects will lack because this one was refused: the claims of its pods, or the class of a volume. */
function missedWith(
  manifest: Manifest,
  namespace: string | undefined,
): Pick<RequestEntry, "claims" | "volumeClass"> {
  if (manifest["kind"] === "PersistentVolume") return { volumeClass: volumeClassOf(manifest) };
  const names = [...claimNamesOf(manifest)];
  if (names.length === 0) return {};
  return { claims: names.map((name) => makeRef("PersistentVolumeClaim", namespace, name)) };
}

function namespaceOf({ kind, namespace = "default" }: ObjectName): string | undefined {
  return isNamespaced(kind) ? namespace : undefined;
}
