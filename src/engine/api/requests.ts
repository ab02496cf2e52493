/**
 * The API server's answers to creates and updates: decoding, defaulting, admission, validation, in the server's order.
 * Upstream: apiserver v1.36 pkg/endpoints/handlers/{create,update,patch}.go, pkg/registry/rest/{create,update}.go.
 */
import type { AdmissionPlugin, KubernetesVersion } from "../scenario.ts";
import { relaxesServiceNames } from "../version-differences.ts";
import { checkResize } from "./admission/claim-resize.ts";
import { checkLimits, setLimitDefaults } from "./admission/limit-ranger.ts";
import {
  addDefaultTolerations,
  addNotReadyTaint,
  addProtectionFinalizer,
  setDefaultStorageClass,
} from "./admission/mutating.ts";
import { checkNamespace, isOpen } from "./admission/namespace-lifecycle.ts";
import {
  checkPodSecurity,
  checkPodSecurityLabels,
  looksAtPods,
  podSecurityWarnings,
} from "./admission/pod-security.ts";
import { checkPriorityClass, keepPriority, setPriority } from "./admission/priority.ts";
import { checkOverhead, setRuntimeClass } from "./admission/runtime-class.ts";
import { setServiceAccount } from "./admission/service-account.ts";
import { customKinds, decodeCustom } from "./decoding/custom-resource.ts";
import { type Decoded, decodeModel, tieLooseEnds, unknownField } from "./decoding/decode.ts";
import { decodePlain } from "./decoding/decode-plain.ts";
import type { LooseEnd } from "./decoding/decode-state.ts";
import { servesKind } from "./decoding/later-fields.ts";
import { isPlain } from "./decoding/plain.ts";
import { conversionError } from "./decoding/unstructured.ts";
import { setDefaults } from "./defaults/defaults.ts";
import { FieldErrors, invalidObject } from "./field-error.ts";
import { dropUnreadableManagers } from "./field-managers.ts";
import { FieldPath } from "./field-path.ts";
import { goPrint } from "./go/text.ts";
import { compareText } from "./go/text-order.ts";
import { type ApiError, type Draft, type KubeObject, kindSchema, notServed } from "./meta.ts";
import { dropField, type MutableObject } from "./mutable.ts";
import { dropRepeatedOwners } from "./repeated-owners.ts";
import type { Patch, RequestContext } from "./request-context.ts";
import { versionNumber } from "./resource-version.ts";
import type { KindSchema } from "./schema.ts";
import { copyAppArmorProfiles } from "./strategy/app-armor.ts";
import { completeStored, prepareForCreate } from "./strategy/create.ts";
import { prepareForStatusUpdate } from "./strategy/status-update.ts";
import { prepareForUpdate } from "./strategy/update.ts";
import { conflictWith, versionConflict } from "./strategy/update-conflict.ts";
import type { ObjectMeta } from "./types.ts";
import { validateCreate, validateStatusUpdate, validateUpdate } from "./validation/validation.ts";
import { recordWarnings } from "./warnings/recorder.ts";
import { warningsOf } from "./warnings/warnings.ts";

/**
 * `object` is what goes to storage, which still adds uid, creationTimestamp, resourceVersion and generation. It may share
 * parts with the input, so the input must not be changed afterwards.
 */
export type RequestAnswer =
  | { readonly ok: true; readonly object: Draft; readonly warnings: readonly string[] }
  | Refused;

/** The server's answer without the object. */
export type Review = { readonly ok: true; readonly warnings: readonly string[] } | Refused;

interface Refused {
  readonly ok: false;
  readonly error: ApiError;
  readonly warnings: readonly string[];
}

/** A request's object as it was sent. */
interface Sent {
  readonly input: unknown;
  readonly schema: KindSchema;
  /** True if the object is written exactly as it would be stored and no rule for new objects can object to it. */
  readonly isPlain: boolean;
}

/** A request while it is being answered. */
interface Request {
  readonly object: MutableObject;
  readonly loose: readonly LooseEnd[];
  /** Warnings from decoding; they precede those of the rules. */
  readonly warnings: readonly string[];
  /** As for `Sent`; admission sets it to false when it adds something that rules have to check. */
  isPlain: boolean;
}

export function answerCreate(input: unknown, context: RequestContext): RequestAnswer {
  return create(received(input, context.version), context);
}

/** Like `answerCreate`, for callers that do not store the object: it is not built if there is nothing to report. */
export function reviewCreate(input: unknown, context: RequestContext): Review {
  const sent = received(input, context.version);
  if (sent?.isPlain === true && isAdmitted(sent, context)) return unquestioned;
  const answer = create(sent, context);
  return answer.ok ? { ok: true, warnings: answer.warnings } : answer;
}

const unquestioned: Review = { ok: true, warnings: [] };

function received(input: unknown, version: KubernetesVersion): Sent | undefined {
  const schema = schemaOf(input, version);
  if (schema === undefined) return undefined;
  // Older servers refuse some names of Services that newer ones accept, so these have to be validated.
  const isJudged = schema.kind === "Service" && !relaxesServiceNames(version);
  return { input, schema, isPlain: !isJudged && isPlain(schema.model, input) };
}

/** True if admission would accept a plain object and leave it as it is. */
function isAdmitted({ input, schema }: Sent, context: RequestContext): boolean {
  const { kind, namespaced } = schema;
  const { cluster } = context;
  if (kind === "Namespace")
    return (
      checkPodSecurityLabels(input as KubeObject<"Namespace">, undefined, context) === undefined
    );
  if (!namespaced) return true;
  const { namespace = "default" } = (input as KubeObject).metadata;
  if (!isOpen(namespace, cluster) || looksAtPods(kind, namespace, cluster)) return false;
  const isLimited = kind === "Pod" || kind === "PersistentVolumeClaim";
  return !isLimited || cluster.list("LimitRange", namespace).length === 0;
}

function create(sent: Sent | undefined, context: RequestContext): RequestAnswer {
  const decoded = decode(sent, context.version);
  if ("error" in decoded) return refuse(decoded.error);
  if (decoded.isPlain) return recorded(createDecoded(decoded, context));
  const { metadata } = decoded.object;
  const repeated = dropRepeatedOwners(metadata, false);
  dropUnreadableManagers(metadata);
  return recorded(warnFirst(repeated, createDecoded(decoded, context)));
}

function createDecoded(decoded: Request, context: RequestContext): RequestAnswer {
  const { object } = decoded;
  // One that is not a number is ignored.
  const version = versionNumber(object.metadata.resourceVersion);
  const refused = mutate(decoded, context);
  if (refused !== undefined) return refuse(refused);
  prepareForCreate(object, context, decoded.isPlain);
  const early =
    object.kind === "Pod" && !decoded.isPlain
      ? copyAppArmorProfiles(object, context.version)
      : noWarnings;
  const answer = warnFirst(early, conclude(decoded, undefined, context));
  // Only storage checks this, after everything else has been checked and warned about.
  return answer.ok && typeof version === "bigint" && version !== 0n
    ? { ok: false, error: versionOnCreate, warnings: answer.warnings }
    : answer;
}

export function answerUpdate(
  current: KubeObject,
  input: unknown,
  context: RequestContext,
  subresource: "" | "status",
): RequestAnswer {
  const { version, patch } = context;
  const decoded = decode(received(input, version), version, current.metadata.namespace, patch);
  if ("error" in decoded) return refuse(decoded.error);
  const answer = updateDecoded(current, decoded, context, subresource);
  return recorded(warnFirst(decoded.warnings, answer));
}

function updateDecoded(
  current: KubeObject,
  decoded: Request,
  context: RequestContext,
  subresource: "" | "status",
): RequestAnswer {
  const { metadata } = decoded.object;
  const other = namesAnother(metadata, current.metadata);
  if (other !== undefined) return refuse({ code: 400, reason: "BadRequest", message: other });
  const repeated = dropRepeatedOwners(metadata, context.patch !== undefined);
  dropUnreadableManagers(metadata);
  return warnFirst(repeated, updateNamed(current, decoded, context, subresource));
}

function updateNamed(
  current: KubeObject,
  decoded: Request,
  context: RequestContext,
  subresource: "" | "status",
): RequestAnswer {
  const { version, patch } = context;
  const { object, loose } = decoded;
  const conflicting =
    patch === undefined
      ? conflictWith(current, object.metadata)
      : versionConflict(current, object.metadata);
  if (conflicting !== undefined) return refuse(conflicting);
  if (object.kind === "Pod" && current.kind === "Pod") {
    keepPriority(object, current);
    addDefaultTolerations(object);
  }
  if (subresource === "") {
    prepareForUpdate(object, current, version);
    return conclude(decoded, current, context);
  }
  prepareForStatusUpdate(object, current, version);
  const errors = validateStatusUpdate(object, current, version);
  const { warnings } = errors;
  if (!errors.none) {
    const error = invalidObject(object.kind, object.metadata.name ?? "", errors);
    return { ok: false, error, warnings };
  }
  tieLooseEnds(loose);
  return { ok: true, object, warnings };
}

/** Validation, warnings and the validating admission plugins. `old` is undefined on create. */
function conclude(
  request: Request,
  old: KubeObject | undefined,
  context: RequestContext,
): RequestAnswer {
  const object = request.object as KubeObject;
  const { loose } = request;
  const { version } = context;
  let warnings = noWarnings;
  if (old !== undefined || !request.isPlain) {
    const errors =
      old === undefined ? validateCreate(object, version) : validateUpdate(object, old, version);
    if (!errors.none) {
      const error = invalidObject(object.kind, object.metadata.name, errors);
      return { ok: false, error, warnings: errors.warnings };
    }
    warnings = [...errors.warnings, ...warningsOf(object, old, version)];
  }
  if (old === undefined) dropField(object.metadata, "uid");
  completeStored(object);
  const admitted = admit(object, old, context);
  if (admitted !== undefined) return { ok: false, error: admitted, warnings };
  // Admission still sees the empty lists and maps that are not stored.
  tieLooseEnds(loose);
  const insecure = podSecurityWarnings(object, old, context);
  if (insecure.length > 0) warnings = [...warnings, ...insecure];
  return { ok: true, object, warnings };
}

const noWarnings: readonly string[] = [];

function warnFirst(early: readonly string[], answer: RequestAnswer): RequestAnswer {
  return early.length === 0 ? answer : { ...answer, warnings: [...early, ...answer.warnings] };
}

function recorded(answer: RequestAnswer): RequestAnswer {
  return answer.warnings.length === 0
    ? answer
    : { ...answer, warnings: recordWarnings(answer.warnings) };
}

/**
 * Runs the validating plugins in the server's order, except quotas: storage checks those last, because granting a request
 * changes them.
 */
function admit(
  object: KubeObject,
  old: KubeObject | undefined,
  context: RequestContext,
): ApiError | undefined {
  const { cluster } = context;
  const limited = checkLimits(object, old, cluster);
  if (limited !== undefined) return limited;
  if (object.kind === "Pod") {
    const insecure = checkPodSecurity(object, old, context);
    return insecure ?? (old === undefined ? checkClass(object, context) : undefined);
  }
  if (object.kind === "Namespace") return checkPodSecurityLabels(object, old, context);
  if (object.kind === "PriorityClass")
    return checkPriorityClass(object, old !== undefined, cluster);
  if (object.kind !== "PersistentVolumeClaim" || old?.kind !== "PersistentVolumeClaim")
    return undefined;
  return checkResize(object, old, cluster);
}

function checkClass(pod: KubeObject<"Pod">, context: RequestContext): ApiError | undefined {
  return isDisabled("RuntimeClass", context) ? undefined : checkOverhead(pod, context.cluster);
}

function isDisabled(
  plugin: AdmissionPlugin,
  { disabledAdmissionPlugins }: RequestContext,
): boolean {
  return disabledAdmissionPlugins?.includes(plugin) === true;
}

const versionOnCreate: ApiError = {
  code: 500,
  reason: "",
  message: "resourceVersion should not be set on objects to be created",
};

function refuse(error: ApiError): RequestAnswer {
  return { ok: false, error, warnings: [] };
}

/** The schema of the kind that the input names; undefined if this version does not serve it. */
function schemaOf(input: unknown, version: KubernetesVersion): KindSchema | undefined {
  const { apiVersion, kind } = (input ?? {}) as { apiVersion?: unknown; kind?: unknown };
  if (typeof kind !== "string" || typeof apiVersion !== "string") return undefined;
  const schema = kindSchema(kind);
  if (schema?.apiVersion !== apiVersion || !servesKind(schema.kind, version)) return undefined;
  return schema;
}

/**
 * Returns an error message unless the object has the name and namespace of the request's URL. Upstream: rest/meta.go
 * EnsureObjectNamespaceMatchesRequestNamespace, handlers/rest.go checkName.
 */
function namesAnother(
  sent: ObjectMeta,
  { name, namespace }: KubeObject["metadata"],
): string | undefined {
  if (sent.namespace !== namespace)
    return "the namespace of the provided object does not match the namespace sent on the request";
  if (sent.name === undefined || sent.name === "")
    return `the name of the object (${name} based on URL) was undeterminable: name must be provided`;
  return sent.name === name
    ? undefined
    : `the name of the object (${sent.name}) does not match the name on the URL (${name})`;
}

/** Decodes the object, gives it the request's namespace where it names none, and fills in defaults. */
function decode(
  sent: Sent | undefined,
  version: KubernetesVersion,
  namespace = "default",
  patch?: Patch,
): Request | { readonly error: ApiError } {
  if (sent === undefined) return { error: notServed };
  const { schema } = sent;
  const result = decoded(sent, version);
  if (!result.ok) return { error: undecodable(sent, result.cause, patch, version) };
  const unknown = result.unknown.length === 0 ? noWarnings : result.unknown.map(unknownField);
  const isDropped = patch?.fieldValidation === "Warn";
  if (unknown.length > 0 && !isDropped) {
    // For a patched object, the unknown fields are listed in alphabetical order, as Go sorts them.
    const listed = patch?.left === undefined ? unknown : [...unknown].sort(compareText);
    const cause = `strict decoding error: ${listed.join(", ")}`;
    return { error: undecodable(sent, cause, patch, version) };
  }
  const object = result.value as unknown as MutableObject;
  // One string object for all: comparing equal but distinct strings goes through every letter.
  object.kind = schema.kind;
  if (schema.namespaced) object.metadata.namespace ??= namespace;
  else dropField(object.metadata, "namespace");
  setDefaults(object, version);
  return { object, loose: result.loose, warnings: unknown, isPlain: sent.isPlain };
}

function decoded({ input, schema, isPlain }: Sent, version: KubernetesVersion): Decoded {
  const { kind, model } = schema;
  const fields = input as Record<string, unknown>;
  if (isPlain) return decodePlain(model, fields);
  return customKinds.has(kind) ? decodeCustom(kind, fields) : decodeModel(model, fields, version);
}

/** Upstream: handlers/create.go; for patches handlers/patch.go, whose error names no kind. */
function undecodable(
  { input, schema }: Sent,
  cause: string,
  patch: Patch | undefined,
  version: KubernetesVersion,
): ApiError {
  const { kind, model, apiVersion } = schema;
  if (patch === undefined) {
    const release = apiVersion.slice(apiVersion.indexOf("/") + 1);
    const message = `${kind} in version "${release}" cannot be handled as a ${kind}: ${cause}`;
    return { code: 400, reason: "BadRequest", message };
  }
  const { left } = patch;
  const errors = new FieldErrors(version);
  if (left === undefined) errors.invalid(new FieldPath("patch"), JSON.stringify(input), cause);
  else
    errors.invalid(new FieldPath("patch"), goPrint(left), conversionError(model, input) ?? cause);
  return invalidObject("", "", errors);
}

/** Runs the mutating plugins in the server's order. */
function mutate(request: Request, context: RequestContext): ApiError | undefined {
  const { object } = request;
  const { cluster } = context;
  const outside = checkNamespace(object, cluster);
  if (outside !== undefined) return outside;
  if (object.kind === "Pod") {
    if (setLimitDefaults(object, cluster)) request.isPlain = false;
    const { imagePullSecrets } = object.spec;
    const unfit = isDisabled("ServiceAccount", context)
      ? undefined
      : setServiceAccount(object, context);
    if (unfit !== undefined) return unfit;
    if (object.spec.imagePullSecrets !== imagePullSecrets) request.isPlain = false;
  }
  if (object.kind === "Node") addNotReadyTaint(object);
  if (object.kind === "Pod") {
    const unranked = isDisabled("Priority", context) ? undefined : setPriority(object, cluster);
    if (unranked !== undefined) return unranked;
    addDefaultTolerations(object);
    const isClassless = isDisabled("RuntimeClass", context);
    const unrunnable = isClassless ? undefined : setRuntimeClass(object, cluster);
    if (unrunnable !== undefined) return unrunnable;
  }
  if (object.kind === "PersistentVolumeClaim") setDefaultStorageClass(object, cluster);
  addProtectionFinalizer(object);
  return undefined;
}
