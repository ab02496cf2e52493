/** The API server's answer to creating an object from a file. */

import {
  type ApiError,
  asKubeObject,
  type Kind,
  type KubeObject,
  kindOfRef,
  makeRef,
  type Ref,
} from "../../engine/api/meta.ts";
import { created } from "../../engine/api/patch/apply-patch.ts";
import type { ClusterView, RequestContext } from "../../engine/api/request-context.ts";
import { answerCreate, type Review, reviewCreate } from "../../engine/api/requests.ts";
import { runStart } from "../../engine/api/timestamp.ts";
import type { AdmissionPlugin, KubernetesVersion, Manifest } from "../../engine/scenario.ts";
import { fieldsAt } from "../workspace/manifest-fields.ts";
import type { ManifestObject } from "../yaml/manifest.ts";

const answers = new WeakMap<
  Manifest,
  { readonly version: KubernetesVersion; readonly answer: Review }
>();

/** Undefined for kinds that the engine does not serve. The answer is cached by the object's content. */
export function answerOf(object: ManifestObject, version: KubernetesVersion): Review | undefined {
  if (!object.served) return undefined;
  const known = answers.get(object.value);
  if (known?.version === version) return known.answer;
  const answer = reviewCreate(created(object.value), contextFor(object, version));
  answers.set(object.value, { version, answer });
  return answer;
}

/** The object if the server accepts it, with all required fields of its kind; undefined if it is refused or not served. */
export function takenObject(
  object: ManifestObject,
  version: KubernetesVersion,
): KubeObject | undefined {
  return answerOf(object, version)?.ok === true ? asKubeObject(object.value) : undefined;
}

/** Why the server refuses the object as long as another object that it needs is missing; undefined if it accepts it even so. */
export function refusalWithout(
  object: ManifestObject,
  missing: Ref,
  version: KubernetesVersion,
): ApiError | undefined {
  const kind = kindOfRef(missing);
  const answer = answerCreate(created(object.value), {
    ...contextFor(object, version),
    cluster: {
      ...anyNamespace,
      get: (of, namespace, name) =>
        makeRef(of, namespace, name) === missing
          ? undefined
          : anyNamespace.get(of, namespace, name),
    },
    knowsServiceAccounts: kind === "ServiceAccount",
    disabledAdmissionPlugins: pluginsOfClasses(object).filter(
      (plugin) => plugin !== pluginOfClass[kind],
    ),
  });
  return answer.ok ? undefined : answer.error;
}

const pluginOfClass: Readonly<Record<string, AdmissionPlugin>> = {
  PriorityClass: "Priority",
  RuntimeClass: "RuntimeClass",
};

/** The context in which the answer depends on the document alone. */
export function contextFor(object: ManifestObject, version: KubernetesVersion): RequestContext {
  return {
    version,
    cluster: anyNamespace,
    now: runStart,
    disabledAdmissionPlugins: pluginsOfClasses(object),
  };
}

/**
 * Disables the plugins that would look up a pod's PriorityClass or RuntimeClass; the classes of the system itself are known.
 */
function pluginsOfClasses({ kind, value }: ManifestObject): readonly AdmissionPlugin[] {
  if (kind !== "Pod") return [];
  const { priorityClassName, runtimeClassName } = fieldsAt(value, "spec");
  const isName = (field: unknown): field is string => typeof field === "string" && field !== "";
  const hasPriority = isName(priorityClassName) && !priorityClassName.startsWith("system-");
  return [
    ...(hasPriority ? (["Priority"] as const) : []),
    ...(isName(runtimeClassName) ? (["RuntimeClass"] as const) : []),
  ];
}

/**
 * A cluster that has every namespace and nothing else. What depends on other objects, such as quotas, comes from the
 * prediction.
 */
const anyNamespace: ClusterView = {
  get<K extends Kind>(
    kind: K,
    _namespace: string | undefined,
    name: string,
  ): KubeObject<K> | undefined {
    if (kind !== "Namespace") return undefined;
    const namespace = {
      apiVersion: "v1",
      kind,
      metadata: {
        name,
        uid: name,
        resourceVersion: "1",
        creationTimestamp: runStart,
      },
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Active" },
    };
    return asKubeObject(namespace);
  },
  list: () => [],
};
