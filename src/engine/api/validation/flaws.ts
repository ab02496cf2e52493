/**
 * Which newer rules a stored object breaks, so that an update may go on breaking them. Upstream: pkg/api/pod/util.go
 * GetValidationOptionsFromPodSpecAndMeta, LabelSelectorHasInvalidLabelValue, ValidationOptionsForPersistentVolume,
 * pkg/registry/batch/job/strategy.go validationOptionsForJob, v1.36.
 */
import type { KubernetesVersion } from "../../scenario.ts";
import { FieldErrors, type Flaw } from "../field-error.ts";
import { specPath } from "../field-path.ts";
import type { KubeObject } from "../meta.ts";
import { checkLabelValue } from "../names/names.ts";
import { isHugePages } from "../names/resource-names.ts";
import { containersOf, isSidecar } from "../pod-containers.ts";
import { quantityOrZero } from "../quantity.ts";
import { podSpecOf, podTemplateOf } from "../strategy/pod-fields.ts";
import type { KindMap, LabelSelector, NodeSelector, PodAffinityTerm, PodSpec } from "../types.ts";
import { deletionCost, isInt32 } from "./pod-annotations.ts";
import { validateFilePath } from "./pod-volumes.ts";
import { isWholePages } from "./resource-requirements.ts";
import { validateHostSysctl } from "./security-context.ts";
import { validateLabelSelector } from "./selectors.ts";

type Breaks = (judge: (errors: FieldErrors) => void) => boolean;

export function flawsOf(old: KubeObject, version: KubernetesVersion): ReadonlySet<Flaw> {
  const breaks: Breaks = (judge) => {
    const errors = new FieldErrors(version);
    judge(errors);
    return !errors.none;
  };
  const flaws = new Set<Flaw>();
  const note = (flaw: Flaw, isThere: boolean): void => {
    if (isThere) flaws.add(flaw);
  };
  note("selectorValues", hasBadSelector(old, breaks));
  if (old.kind === "PersistentVolume")
    note("nodeAffinityValues", hasBadNodeValue(old.spec.nodeAffinity?.required));
  if (old.kind === "Job") note("unprefixedJobLabels", !hasPrefixedLabels(old));
  const spec = podSpecOf(old);
  if (spec === undefined) return flaws;
  const { annotations } = (old.kind === "Pod" ? old : podTemplateOf(old))?.metadata ?? {};
  const cost = annotations?.[deletionCost];
  note("deletionCost", cost !== undefined && !isInt32(cost));
  note("selectorValues", hasBadTerm(spec, breaks));
  note("nodeAffinityValues", hasBadNodeValue(spec.affinity?.nodeAffinity?.[required]));
  note("spreadSelectors", hasBadSpread(spec, breaks));
  note("pageSizes", hasBrokenPages(spec));
  note("tokenPaths", hasBadTokenPath(spec, breaks));
  note("hostSysctls", hasHostSysctl(spec, breaks));
  note("devicesInUserNamespace", hasDevicesInUserNamespace(spec));
  note("initResizePolicy", hasInitRestart(spec));
  // Any value counts: the object has to stay changeable.
  note("seLinuxChangePolicy", spec.securityContext?.seLinuxChangePolicy !== undefined);
  return flaws;
}

const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";

/** Other workloads may keep invalid values only in their pods. Upstream: hasInvalidLabelValueInLabelSelector, twice. */
function hasBadSelector(object: KubeObject, breaks: Breaks): boolean {
  const isBad = (selector: LabelSelector | undefined): boolean =>
    breaks((errors) => validateLabelSelector(selector, specPath, errors));
  switch (object.kind) {
    case "CSIStorageCapacity":
      return isBad(object.nodeTopology);
    case "PodDisruptionBudget":
      return isBad(object.spec?.selector);
    case "Job":
      return hasBadValue(object.spec?.selector);
    default:
      return false;
  }
}

function isNoLabelValue(value: string): boolean {
  return checkLabelValue(value).length > 0;
}

function hasBadValue(selector: LabelSelector | undefined): boolean {
  return (
    selector?.matchExpressions?.some(({ values = [] }) => values.some(isNoLabelValue)) ?? false
  );
}

function hasBadNodeValue(selector: NodeSelector | undefined): boolean {
  const terms = selector?.nodeSelectorTerms ?? [];
  return terms.some(({ matchExpressions = [] }) =>
    matchExpressions.some(({ values = [] }) => values.some(isNoLabelValue)),
  );
}

/** Jobs from before 1.27 have only the short labels. */
function hasPrefixedLabels({ spec }: KindMap["Job"]): boolean {
  const labels = spec?.template.metadata?.labels ?? {};
  return ["job-name", "controller-uid"].every((name) => `batch.kubernetes.io/${name}` in labels);
}

function hasBadTerm({ affinity }: PodSpec, breaks: Breaks): boolean {
  const isBad = ({ labelSelector, namespaceSelector }: PodAffinityTerm): boolean =>
    breaks((errors) => {
      validateLabelSelector(labelSelector, specPath, errors);
      validateLabelSelector(namespaceSelector, specPath, errors);
    });
  return [affinity?.podAffinity, affinity?.podAntiAffinity].some(
    (side) =>
      (side?.[required] ?? []).some(isBad) ||
      (side?.[preferred] ?? []).some(({ podAffinityTerm }) => isBad(podAffinityTerm)),
  );
}

function hasBadSpread({ topologySpreadConstraints = [] }: PodSpec, breaks: Breaks): boolean {
  return topologySpreadConstraints.some(({ labelSelector }) =>
    breaks((errors) => validateLabelSelector(labelSelector, specPath, errors)),
  );
}

function hasInitRestart({ initContainers = [] }: PodSpec): boolean {
  return initContainers.some(
    (container) =>
      !isSidecar(container) &&
      container.resizePolicy?.some(({ restartPolicy }) => restartPolicy === "RestartContainer"),
  );
}

function hasBrokenPages(spec: PodSpec): boolean {
  const isBroken = (amounts: Readonly<Record<string, string>> | undefined): boolean =>
    Object.entries(amounts ?? {}).some(
      ([name, amount]) => isHugePages(name) && !isWholePages(name, quantityOrZero(amount)),
    );
  const all = containersOf(spec).flatMap(({ resources }) => [
    resources?.limits,
    resources?.requests,
  ]);
  return [spec.overhead, ...all].some(isBroken);
}

function hasBadTokenPath({ volumes = [] }: PodSpec, breaks: Breaks): boolean {
  const tokens = volumes.flatMap(
    ({ projected }) =>
      projected?.sources?.flatMap((source) => source.serviceAccountToken ?? []) ?? [],
  );
  return tokens.some(({ path }) => breaks((errors) => validateFilePath(path, specPath, errors)));
}

function hasHostSysctl(spec: PodSpec, breaks: Breaks): boolean {
  const sysctls = spec.securityContext?.sysctls ?? [];
  return sysctls.some(({ name }) =>
    breaks((errors) => validateHostSysctl(name, spec, specPath, errors)),
  );
}

function hasDevicesInUserNamespace(spec: PodSpec): boolean {
  const hasDevices = containersOf(spec).some(({ volumeDevices = [] }) => volumeDevices.length > 0);
  return hasDevices && spec.hostUsers === false;
}
