/** The checks of the Pod Security Standards. Upstream: pod-security-admission v0.36 policy/check_*.go, registry.go. */
import { containerAppArmor, containerSeccomp, podSeccomp } from "../annotation-keys.ts";
import { goQuote } from "../go/text.ts";
import { compareText } from "../go/text-order.ts";
import { containersOf } from "../pod-containers.ts";
import type { Container, EphemeralContainer, PodSpec, SecurityContext, Volume } from "../types.ts";

export type Level = "privileged" | "baseline" | "restricted";

type AnyContainer = Container | EphemeralContainer;

interface Subject {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
  /** Init containers come first. */
  readonly containers: readonly AnyContainer[];
  /** The policy's minor version; for latest, the server's. */
  readonly minor: number;
}

/** Why the pod is forbidden: a reason, and details in parentheses. Undefined if it is allowed. */
type Check = (subject: Subject) => string | undefined;

/** Restricts a check to policies from a minor version on. */
function from(minor: number, check: Check): Check {
  return (subject) => (subject.minor < minor ? undefined : check(subject));
}

/** Restricts a check to policies before a minor version. */
function until(minor: number, check: Check): Check {
  return (subject) => (subject.minor < minor ? check(subject) : undefined);
}

/** One text for each check that fails; none if the pod is allowed. */
export function violations(
  level: Level,
  minor: number,
  annotations: Readonly<Record<string, string>> | undefined,
  spec: PodSpec,
): readonly string[] {
  const containers = containersOf(spec);
  const subject: Subject = { annotations: annotations ?? {}, spec, containers, minor };
  const found: string[] = [];
  for (const check of checksOf[level]) {
    const violation = check(subject);
    if (violation !== undefined) found.push(violation);
  }
  return found;
}

/** The reason without the details; it has no parenthesis itself. */
export function reasonOf(violation: string): string {
  return violation.slice(0, violation.indexOf(" ("));
}

function quoted(items: readonly string[]): string {
  return items.map((item) => `"${item}"`).join(", ");
}

function sorted(items: ReadonlySet<string>): readonly string[] {
  return [...items].sort(compareText);
}

function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`;
}

function named(containers: readonly AnyContainer[]): string {
  return `${plural("container", containers.length)} ${quoted(containers.map(({ name }) => name))}`;
}

/** The containers whose values break the rule; those values are added to the set. */
function badContainers(
  { containers }: Subject,
  values: Set<string>,
  valuesOf: (container: AnyContainer) => readonly string[],
): readonly AnyContainer[] {
  return containers.filter((container) => {
    const bad = valuesOf(container);
    for (const value of bad) values.add(value);
    return bad.length > 0;
  });
}

/** "pod and containers …": those that break the rule. Undefined if none does. */
function setters(podIsBad: boolean, containers: readonly AnyContainer[]): string | undefined {
  const found = [
    ...(podIsBad ? ["pod"] : []),
    ...(containers.length > 0 ? [named(containers)] : []),
  ];
  return found.length === 0 ? undefined : found.join(" and ");
}

const appArmorProfile: Check = (subject) => {
  const isBad = (type: string | undefined): boolean =>
    type !== undefined && type !== "RuntimeDefault" && type !== "Localhost";
  const values = new Set<string>();
  const podType = subject.spec.securityContext?.appArmorProfile?.type;
  if (podType !== undefined && isBad(podType)) values.add(podType);
  const bad = badContainers(subject, values, ({ securityContext }) => {
    const type = securityContext?.appArmorProfile?.type;
    return type !== undefined && isBad(type) ? [type] : [];
  });
  const notes = Object.entries(subject.annotations)
    .filter(
      ([key, value]) =>
        key.startsWith(containerAppArmor) &&
        value !== "" &&
        value !== "runtime/default" &&
        !value.startsWith("localhost/"),
    )
    .map(([key, value]) => `${key}=${goQuote(value)}`)
    .sort(compareText);
  const by = [setters(isBad(podType), bad), notes.length > 0 && plural("annotation", notes.length)]
    .filter((setter) => typeof setter === "string")
    .join(" and ");
  const all = [...sorted(values), ...notes];
  if (all.length === 0) return undefined;
  const reason = plural("forbidden AppArmor profile", all.length);
  return `${reason} (${by} must not set AppArmor profile type to ${quoted(all)})`;
};

const defaultCapabilities: readonly string[] = [
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
];

function addedBeyond(
  subject: Subject,
  allowed: readonly string[],
): { readonly containers: readonly AnyContainer[]; readonly text: string } {
  const values = new Set<string>();
  const containers = badContainers(subject, values, ({ securityContext }) =>
    (securityContext?.capabilities?.add ?? []).filter((name) => !allowed.includes(name)),
  );
  const text = `${named(containers)} must not include ${quoted(sorted(values))} in securityContext.capabilities.add`;
  return { containers, text };
}

const capabilitiesBaseline: Check = (subject) => {
  const { containers, text } = addedBeyond(subject, defaultCapabilities);
  return containers.length === 0 ? undefined : `non-default capabilities (${text})`;
};

const hostNamespaces: Check = ({ spec }) => {
  const shared = (["hostNetwork", "hostPID", "hostIPC"] as const).filter((name) => spec[name]);
  if (shared.length === 0) return undefined;
  return `host namespaces (${shared.map((name) => `${name}=true`).join(", ")})`;
};

const hostPathVolumes: Check = ({ spec }) => {
  const volumes = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined);
  if (volumes.length === 0) return undefined;
  return `hostPath volumes (${plural("volume", volumes.length)} ${quoted(volumes.map(({ name }) => name))})`;
};

const hostPorts: Check = (subject) => {
  const ports = new Set<string>();
  const bad = badContainers(subject, ports, ({ ports: all = [] }) =>
    all.flatMap(({ hostPort = 0 }) => (hostPort === 0 ? [] : [String(hostPort)])),
  );
  if (bad.length === 0) return undefined;
  const use = bad.length === 1 ? "uses" : "use";
  return `hostPort (${named(bad)} ${use} ${plural("hostPort", ports.size)} ${sorted(ports).join(", ")})`;
};

const hostProbes: Check = (subject) => {
  const hosts = new Set<string>();
  const bad = badContainers(subject, hosts, (container) => {
    const { livenessProbe, readinessProbe, startupProbe, lifecycle } = container;
    const actions = [
      livenessProbe,
      readinessProbe,
      startupProbe,
      lifecycle?.postStart,
      lifecycle?.preStop,
    ];
    return actions
      .flatMap((action) => [action?.httpGet?.host ?? "", action?.tcpSocket?.host ?? ""])
      .filter((host) => host !== "");
  });
  if (bad.length === 0) return undefined;
  const use = bad.length === 1 ? "uses" : "use";
  const what = plural("probe or lifecycle host", hosts.size);
  const byName = [...bad].sort((a, b) => compareText(a.name, b.name));
  return `probe or lifecycle host (${named(byName)} ${use} ${what} ${quoted(sorted(hosts))})`;
};

const privileged: Check = ({ containers }) => {
  const bad = containers.filter(({ securityContext }) => securityContext?.privileged === true);
  if (bad.length === 0) return undefined;
  return `privileged (${named(bad)} must not set securityContext.privileged=true)`;
};

const procMount: Check = (subject) => {
  const types = new Set<string>();
  const bad = badContainers(subject, types, ({ securityContext }) => {
    const type = securityContext?.procMount;
    return type === undefined || type === "Default" ? [] : [type];
  });
  if (bad.length === 0) return undefined;
  return `procMount (${named(bad)} must not set securityContext.procMount to ${quoted(sorted(types))})`;
};

/** True for a pod with a user namespace of its own, whose root is not root on its node. */
function isRelaxed({ spec, minor }: Subject): boolean {
  return spec.hostUsers === false && minor >= 35;
}

const procMountBaseline: Check = (subject) => (isRelaxed(subject) ? undefined : procMount(subject));

/** Allowed types, with the policy's minor version that first allows them. */
const selinuxTypes: ReadonlyMap<string, number> = new Map([
  ["", 0],
  ["container_t", 0],
  ["container_init_t", 0],
  ["container_kvm_t", 0],
  ["container_engine_t", 31],
]);

const seLinuxOptions: Check = (subject) => {
  const types = new Set<string>();
  const facts = new Set<string>();
  const isBad = (options: SecurityContext["seLinuxOptions"]): boolean => {
    const { type = "", user = "", role = "" } = options ?? {};
    const since = selinuxTypes.get(type);
    const hasBadType = since === undefined || since > subject.minor;
    if (hasBadType) types.add(type);
    if (user !== "") facts.add("user may not be set");
    if (role !== "") facts.add("role may not be set");
    return hasBadType || user !== "" || role !== "";
  };
  const podIsBad = isBad(subject.spec.securityContext?.seLinuxOptions);
  const bad = subject.containers.filter(({ securityContext }) =>
    isBad(securityContext?.seLinuxOptions),
  );
  const by = setters(podIsBad, bad);
  if (by === undefined) return undefined;
  const ofTypes =
    types.size === 0 ? [] : [`${plural("type", types.size)} ${quoted(sorted(types))}`];
  const data = [...ofTypes, ...sorted(facts).toReversed()];
  return `seLinuxOptions (${by} set forbidden securityContext.seLinuxOptions: ${data.join("; ")})`;
};

const seccompTypes: readonly string[] = ["Localhost", "RuntimeDefault"];

/** The seccomp annotations from before there were fields. */
const seccompAnnotations: Check = ({ annotations, containers }) => {
  const keys = [podSeccomp, ...containers.map(({ name }) => `${containerSeccomp}${name}`)];
  const bad = new Set(
    keys.flatMap((key) => {
      const value = annotations[key];
      const isFree =
        value === undefined ||
        value === "runtime/default" ||
        value === "docker/default" ||
        value.startsWith("localhost/");
      return isFree ? [] : [`${key}=${goQuote(value)}`];
    }),
  );
  if (bad.size === 0) return undefined;
  return `seccompProfile (forbidden ${plural("annotation", bad.size)} ${sorted(bad).join(", ")})`;
};

const seccompFields: Check = (subject) => {
  const values = new Set<string>();
  const badTypes = (context: SecurityContext | undefined): readonly string[] => {
    const type = context?.seccompProfile?.type;
    return type === undefined || seccompTypes.includes(type) ? [] : [type];
  };
  const ofPod = badTypes(subject.spec.securityContext);
  for (const type of ofPod) values.add(type);
  const bad = badContainers(subject, values, ({ securityContext }) => badTypes(securityContext));
  const by = setters(ofPod.length > 0, bad);
  if (by === undefined) return undefined;
  return `seccompProfile (${by} must not set securityContext.seccompProfile.type to ${quoted(sorted(values))})`;
};

/** Allowed sysctls, with the policy's minor version that first allows them. */
const safeSysctls: ReadonlyMap<string, number> = new Map([
  ["kernel.shm_rmid_forced", 0],
  ["net.ipv4.ip_local_port_range", 0],
  ["net.ipv4.tcp_syncookies", 0],
  ["net.ipv4.ping_group_range", 0],
  ["net.ipv4.ip_unprivileged_port_start", 0],
  ["net.ipv4.ip_local_reserved_ports", 27],
  ["net.ipv4.tcp_keepalive_time", 29],
  ["net.ipv4.tcp_fin_timeout", 29],
  ["net.ipv4.tcp_keepalive_intvl", 29],
  ["net.ipv4.tcp_keepalive_probes", 29],
  ["net.ipv4.tcp_rmem", 32],
  ["net.ipv4.tcp_wmem", 32],
]);

const sysctls: Check = ({ spec, minor }) => {
  const names = (spec.securityContext?.sysctls ?? []).map(({ name }) => name);
  const bad = names.filter((name) => {
    const since = safeSysctls.get(name);
    return since === undefined || since > minor;
  });
  return bad.length === 0 ? undefined : `forbidden sysctls (${bad.join(", ")})`;
};

const windowsHostProcess: Check = ({ spec, containers }) => {
  const isBad = (context: SecurityContext | undefined): boolean =>
    context?.windowsOptions?.hostProcess === true;
  const bad = containers.filter(({ securityContext }) => isBad(securityContext));
  const by = setters(isBad(spec.securityContext), bad);
  if (by === undefined) return undefined;
  return `hostProcess (${by} must not set securityContext.windowsOptions.hostProcess=true)`;
};

/** Windows pods are exempt from rules about what Windows does not have. */
function isWindows({ spec, minor }: Subject): boolean {
  return spec.os?.name === "windows" && minor >= 25;
}

const allowPrivilegeEscalation: Check = (subject) => {
  const bad = subject.containers.filter(
    ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false,
  );
  if (bad.length === 0 || isWindows(subject)) return undefined;
  return `allowPrivilegeEscalation != false (${named(bad)} must set securityContext.allowPrivilegeEscalation=false)`;
};

const capabilitiesRestricted: Check = (subject) => {
  if (isWindows(subject)) return undefined;
  const keeping = subject.containers.filter(
    ({ securityContext }) => securityContext?.capabilities?.drop?.includes("ALL") !== true,
  );
  const added = addedBeyond(subject, ["NET_BIND_SERVICE"]);
  const details: string[] = [];
  if (keeping.length > 0)
    details.push(`${named(keeping)} must set securityContext.capabilities.drop=["ALL"]`);
  if (added.containers.length > 0) details.push(added.text);
  return details.length === 0 ? undefined : `unrestricted capabilities (${details.join("; ")})`;
};

const freeVolumes: readonly (keyof Volume)[] = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "image",
  "persistentVolumeClaim",
  "projected",
  "secret",
];

const restrictedVolumes: Check = ({ spec }) => {
  const bad = (spec.volumes ?? []).filter((volume) =>
    freeVolumes.every((type) => volume[type] === undefined),
  );
  if (bad.length === 0) return undefined;
  const types = new Set(
    bad.flatMap((volume) => Object.keys(volume).filter((field) => field !== "name")),
  );
  const use = bad.length === 1 ? "uses" : "use";
  const names = `${plural("volume", bad.length)} ${quoted(bad.map(({ name }) => name))}`;
  return `restricted volume types (${names} ${use} ${plural("restricted volume type", types.size)} ${quoted(sorted(types))})`;
};

const runAsNonRoot: Check = (subject) => {
  if (isRelaxed(subject)) return undefined;
  const ofPod = subject.spec.securityContext?.runAsNonRoot;
  const answerOf = ({ securityContext }: AnyContainer): boolean | undefined =>
    securityContext?.runAsNonRoot;
  const by = setters(
    ofPod === false,
    subject.containers.filter((container) => answerOf(container) === false),
  );
  if (by !== undefined)
    return `runAsNonRoot != true (${by} must not set securityContext.runAsNonRoot=false)`;
  const silent = subject.containers.filter((container) => answerOf(container) === undefined);
  if (ofPod === true || silent.length === 0) return undefined;
  return `runAsNonRoot != true (pod or ${named(silent)} must set securityContext.runAsNonRoot=true)`;
};

const runAsUser: Check = (subject) => {
  if (isRelaxed(subject)) return undefined;
  const isRoot = (context: SecurityContext | undefined): boolean => context?.runAsUser === 0;
  const bad = subject.containers.filter(({ securityContext }) => isRoot(securityContext));
  const by = setters(isRoot(subject.spec.securityContext), bad);
  return by === undefined ? undefined : `runAsUser=0 (${by} must not set runAsUser=0)`;
};

const seccompRestricted: Check = (subject) => {
  if (isWindows(subject)) return undefined;
  const bad = seccompFields(subject);
  if (bad !== undefined || subject.spec.securityContext?.seccompProfile !== undefined) return bad;
  const silent = subject.containers.filter(
    ({ securityContext }) => securityContext?.seccompProfile === undefined,
  );
  if (silent.length === 0) return undefined;
  return `seccompProfile (pod or ${named(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")`;
};

/** By name in each level. The restricted level leaves out baseline checks that its own checks include. */
const checksOf: Readonly<Record<Level, readonly Check[]>> = {
  privileged: [],
  baseline: [
    appArmorProfile,
    capabilitiesBaseline,
    hostNamespaces,
    hostPathVolumes,
    hostPorts,
    from(34, hostProbes),
    privileged,
    procMountBaseline,
    seLinuxOptions,
    until(19, seccompAnnotations),
    from(19, seccompFields),
    sysctls,
    windowsHostProcess,
  ],
  restricted: [
    appArmorProfile,
    until(22, capabilitiesBaseline),
    hostNamespaces,
    hostPorts,
    from(34, hostProbes),
    privileged,
    procMountBaseline,
    seLinuxOptions,
    until(19, seccompAnnotations),
    sysctls,
    windowsHostProcess,
    from(8, allowPrivilegeEscalation),
    from(22, capabilitiesRestricted),
    from(35, procMount),
    restrictedVolumes,
    runAsNonRoot,
    from(23, runAsUser),
    from(19, seccompRestricted),
  ],
};
