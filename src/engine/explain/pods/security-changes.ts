/**
 * The security context fields that make a pod meet its Pod Security Standard, as far as they only give up rights that the pod
 * may not need; whether its programs work without them is not known. Read from the messages of the admission plugin PodSecurity
 * (policy/check_*.go).
 */
import type { KubeObject } from "../../api/meta.ts";
import { visitContainers } from "../../api/pod-containers.ts";
import { podSpecOf } from "../../api/strategy/pod-fields.ts";
import type { PodSpec, SecurityContext } from "../../api/types.ts";
import type { Fix } from "../verdict.ts";
import { podSpecPath, podViolations } from "./refused-pod-field.ts";

/** Fields of one security context. */
export interface SecurityChange {
  /** The path of the context, such as `spec.containers[0].securityContext`. */
  readonly field: string;
  /** Undefined for the pod's own context. */
  readonly container: string | undefined;
  readonly values: Values;
}

type Values = Pick<
  SecurityContext,
  "allowPrivilegeEscalation" | "capabilities" | "runAsNonRoot" | "seccompProfile"
>;

const wanted: Readonly<Record<string, Values>> = {
  "allowPrivilegeEscalation != false": { allowPrivilegeEscalation: false },
  "unrestricted capabilities": { capabilities: { drop: ["ALL"] } },
  "runAsNonRoot != true": { runAsNonRoot: true },
  seccompProfile: { seccompProfile: { type: "RuntimeDefault" } },
};

/** `runAsNonRoot != true (pod and containers "a", "b" must not set …`; for "pod or containers" the pod's context suffices. */
const violation = new RegExp(
  String.raw`(${Object.keys(wanted).join("|")}) \((pod)?(?: and | or )?(?:containers? ((?:"[^"]*"(?:, )?)+))? ?must (?:not )?set`,
  "g",
);

const rootContainers = /runAsUser=0 \((?:pod and )?containers? ([^()]*) must not set/;
const quoted = /"([^"]*)"/g;

/** The changes for a pod or workload; empty for other messages. */
export function securityChanges(object: KubeObject, message: string): readonly SecurityChange[] {
  const spec = podSpecOf(object);
  const violations = podViolations(message);
  if (spec === undefined || violations === undefined) return [];
  const ofPod: Values[] = [];
  const ofContainers = new Map<string, Values[]>();
  for (const [text, rule = "", pod, names = ""] of violations.matchAll(violation)) {
    const values = wanted[rule];
    // With runAsNonRoot a container that sets runAsUser to 0 would not start.
    if (values === undefined || (values.runAsNonRoot && violations.includes("runAsUser=0")))
      continue;
    if (pod !== undefined || isUntold(spec, values, message)) ofPod.push(values);
    if (text.includes("(pod or ")) continue;
    for (const [, name = ""] of names.matchAll(quoted))
      ofContainers.set(name, [...(ofContainers.get(name) ?? []), values]);
  }
  // A container that runs as root for a purpose, such as chown, would lack the rights for it.
  const [, roots = ""] = rootContainers.exec(violations) ?? [];
  for (const [, name = ""] of roots.matchAll(quoted)) ofContainers.delete(name);
  const path = podSpecPath(object);
  const changes: SecurityChange[] = [];
  visitContainers(spec, path, ({ name, securityContext }, at) => {
    const values = (ofContainers.get(name) ?? []).filter(
      (one) => one.allowPrivilegeEscalation === undefined || !mayEscalate(securityContext),
    );
    changes.push(...changeOf(at.child("securityContext").toString(), name, values));
  });
  return [...changes, ...changeOf(path.child("securityContext").toString(), undefined, ofPod)];
}

/** True if level restricted would complain about the missing field next: it reports wrong values before missing ones. */
function isUntold(spec: PodSpec, values: Values, message: string): boolean {
  const key = (["runAsNonRoot", "seccompProfile"] as const).find((one) => one in values);
  if (key === undefined || !message.includes('PodSecurity "restricted:')) return false;
  const containers = [...(spec.initContainers ?? []), ...spec.containers];
  const isSilent = containers.some(({ securityContext }) => securityContext?.[key] === undefined);
  return isSilent && spec.securityContext?.[key] === undefined;
}

function changeOf(
  field: string,
  container: string | undefined,
  values: readonly Values[],
): readonly SecurityChange[] {
  return values.length === 0 ? [] : [{ field, container, values: Object.assign({}, ...values) }];
}

/** True if the API server refuses allowPrivilegeEscalation: false here. Upstream: validation.go ValidateSecurityContext. */
function mayEscalate(context: SecurityContext | undefined): boolean {
  return context?.privileged === true || context?.capabilities?.add?.includes("SYS_ADMIN") === true;
}

/** The fixes in words: first the rights that the manifest requests, which a person has to decide about, then the changes. */
export function securityFixes(object: KubeObject, message: string): readonly Fix[] {
  const given = securityChanges(object, message).map(({ container, values }) => {
    const where = container === undefined ? "the pod" : `container "${container}"`;
    const fields = Object.entries(values).map(([name, value]) => `${name} ${printed(value)}`);
    return `give the securityContext of ${where}: ${fields.join(", ")}`;
  });
  return [...rightsTaken(podViolations(message) ?? ""), ...given].map((text) => ({ text }));
}

/** `privileged (container "a" must not set securityContext.privileged=true)`, `(…; container "a" must not include "SYS_TIME" in …)` */
const forbidden =
  /\(([^()]*) must not (?:include ("[^()]*") in securityContext\.capabilities\.add|set (?:securityContext\.)?([\w.]+=(?:true|0)))\)/g;

/** Violations by something that the manifest requests, and the text of the fix. */
const asked: readonly (readonly [RegExp, (...told: string[]) => string])[] = [
  [/\bhost namespaces \(([^()]+)\)/, (fields) => `take ${fields} away from the pod`],
  [/\bhostPath volumes \((volumes? [^()]+)\)/, (who) => `keep ${who} elsewhere than in a hostPath`],
  [
    /\brestricted volume types \((volumes? [^()]+) uses? restricted volume types? ([^()]+)\)/,
    (who, types) => `keep ${who} elsewhere than in ${types}, in a claim or an emptyDir say`,
  ],
  [
    /\bhostPort \((containers? [^()]+) uses? (hostPorts? [^()]+)\)/,
    (who, ports) => `take ${ports} away from ${who}`,
  ],
  [
    /\bprobe or lifecycle host \((containers? [^()]+) uses? probe or lifecycle hosts? ([^()]+)\)/,
    (who, hosts) => `take host ${hosts} out of the probes and hooks of ${who}`,
  ],
  [/\bforbidden sysctls \(([^()]+)\)/, (names) => `take sysctls ${names} away from the pod`],
];

function rightsTaken(violations: string): readonly string[] {
  const taken = [...violations.matchAll(forbidden)].map(([, told = "", capabilities, field]) => {
    const who = told.slice(told.lastIndexOf("; ") + 1).trim();
    return field === undefined
      ? `take ${capabilities} out of capabilities.add of ${who}`
      : `take ${field} away from ${who}`;
  });
  const others = asked.flatMap(([pattern, textOf]) => {
    const [found, ...told] = pattern.exec(violations) ?? [];
    return found === undefined ? [] : [textOf(...told)];
  });
  return [...new Set([...taken, ...others])];
}

function printed(value: Values[keyof Values]): string {
  if (typeof value !== "object") return String(value);
  const [[name, inner] = []] = Object.entries(value);
  return `${name}: ${Array.isArray(inner) ? `[${inner.join(", ")}]` : inner}`;
}
