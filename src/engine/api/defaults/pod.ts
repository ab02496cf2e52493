/**
 * Defaults of pods and pod templates. Upstream: pkg/apis/core/v1/defaults.go and zz_generated.defaults.go, v1.36.
 * Works in place: the object was just decoded and nobody else has it.
 */
import { withFields } from "../json.ts";
import { dropField, type Mutable } from "../mutable.ts";
import { defaultPullPolicy } from "../names/image-name.ts";
import { isHugePages, isPodLevelResource, mayOvercommit } from "../names/resource-names.ts";
import { containersAtCreation } from "../pod-containers.ts";
import { containerTotal } from "../resource-totals.ts";
import type {
  Container,
  EphemeralContainer,
  HTTPGetAction,
  LifecycleHandler,
  ObjectMeta,
  Pod,
  PodSpec,
  PodStatus,
  Probe,
} from "../types.ts";
import { setVolumeDefaults, withSources } from "./volume.ts";

/** Defaults of pods, including those that templates do not get. Upstream: SetDefaults_Pod. */
export function setPodDefaults(pod: Mutable<Pod>): void {
  dropInitContainerAnnotations(pod.metadata);
  setPodSpecDefaults(pod.spec);
  for (const container of containersAtCreation(pod.spec)) {
    const { resources } = container;
    if (resources?.limits !== undefined)
      resources.requests = withFields(resources.limits, resources.requests ?? {});
    if (pod.spec.hostNetwork === true) setHostPorts(container);
  }
  setPodResourceDefaults(pod.spec);
  pod.spec.enableServiceLinks ??= true;
  if (pod.status !== undefined) uniteAddresses(pod.status);
}

/** `podIP` is the first of `podIPs`, and takes precedence. Upstream: Convert_v1_PodStatus_To_core_PodStatus and back. */
function uniteAddresses(status: Mutable<PodStatus>): void {
  const { podIP = "", podIPs: [{ ip: first } = { ip: "" }] = [] } = status;
  if (podIP !== "" && podIP !== first) status.podIPs = [{ ip: podIP }];
  else if (first !== "") status.podIP = first;
}

const initContainerAnnotations = ["init-containers", "init-container-statuses"].flatMap((name) => [
  `pod.alpha.kubernetes.io/${name}`,
  `pod.beta.kubernetes.io/${name}`,
]);

/** Removes obsolete annotations. Upstream: dropInitContainerAnnotations, when a pod or a template is converted. */
export function dropInitContainerAnnotations(metadata: Mutable<ObjectMeta> | undefined): void {
  const annotations = metadata?.annotations;
  if (metadata === undefined || annotations === undefined) return;
  for (const name of initContainerAnnotations) delete annotations[name];
  if (Object.keys(annotations).length === 0) dropField(metadata, "annotations");
}

/** A pod in the host's network occupies the host's ports. Upstream: defaultHostNetworkPorts. */
function setHostPorts(container: Mutable<Container>): void {
  for (const port of container.ports ?? [])
    if ((port.hostPort ?? 0) === 0) port.hostPort = port.containerPort;
}

/**
 * A pod that has any resources of its own gets the rest: limits of huge pages from its containers, and requests from its
 * containers or, failing that, from its own limits. Upstream: defaultHugePagePodLimits, defaultPodRequests.
 */
function setPodResourceDefaults(spec: Mutable<PodSpec>): void {
  const { resources } = spec;
  if (resources === undefined) return;
  const saysNothing = [resources.limits, resources.requests].every(
    (list) => Object.keys(list ?? {}).length === 0,
  );
  if (saysNothing) return;
  const limits = { ...resources.limits };
  for (const [name, quantity] of containerTotal(spec, "limits"))
    if (isHugePages(name) && resources.requests?.[name] === undefined)
      limits[name] ??= quantity.text;
  if (Object.keys(limits).length === 0) return;
  const requests = { ...resources.requests };
  for (const [name, quantity] of containerTotal(spec, "requests"))
    if (isPodLevelResource(name) && mayOvercommit(name)) requests[name] ??= quantity.text;
  for (const name of Object.keys(limits))
    if (isPodLevelResource(name)) requests[name] ??= limits[name] as string;
  resources.limits = limits;
  if (Object.keys(requests).length > 0) resources.requests = requests;
}

/** Upstream: SetDefaults_PodSpec and the defaults of its parts. */
export function setPodSpecDefaults(spec: Mutable<PodSpec>): void {
  spec.dnsPolicy ??= "ClusterFirst";
  spec.restartPolicy ??= "Always";
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ??= "default-scheduler";
  setServiceAccountName(spec);
  if (spec.volumes !== undefined) {
    spec.volumes = withSources(spec.volumes);
    for (const volume of spec.volumes) setVolumeDefaults(volume);
  }
  for (const container of spec.initContainers ?? []) setContainerDefaults(container);
  for (const container of spec.containers ?? []) setContainerDefaults(container);
  for (const container of spec.ephemeralContainers ?? []) setContainerDefaults(container);
}

/** `serviceAccount` is the old name of the same field. Upstream: Convert_v1_PodSpec_To_core_PodSpec and back. */
function setServiceAccountName(spec: Mutable<PodSpec>): void {
  const name = spec.serviceAccountName ?? spec.serviceAccount;
  if (name === undefined) return;
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
}

function setContainerDefaults(container: Mutable<Container | EphemeralContainer>): void {
  container.imagePullPolicy ??= defaultPullPolicy(container.image ?? "");
  container.terminationMessagePath ??= "/dev/termination-log";
  container.terminationMessagePolicy ??= "File";
  for (const port of container.ports ?? []) port.protocol ??= "TCP";
  for (const { valueFrom } of container.env ?? []) {
    if (valueFrom?.fieldRef !== undefined) valueFrom.fieldRef.apiVersion ??= "v1";
    if (valueFrom?.fileKeyRef !== undefined) valueFrom.fileKeyRef.optional ??= false;
  }
  for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe]) {
    if (probe !== undefined) setProbeDefaults(probe);
  }
  setHandlerDefaults(container.lifecycle?.postStart);
  setHandlerDefaults(container.lifecycle?.preStop);
}

function setProbeDefaults(probe: Mutable<Probe>): void {
  probe.timeoutSeconds ??= 1;
  probe.periodSeconds ??= 10;
  probe.successThreshold ??= 1;
  probe.failureThreshold ??= 3;
  if (probe.grpc !== undefined) probe.grpc.service ??= "";
  setHttpDefaults(probe.httpGet);
}

function setHandlerDefaults(handler: Mutable<LifecycleHandler> | undefined): void {
  setHttpDefaults(handler?.httpGet);
}

function setHttpDefaults(action: Mutable<HTTPGetAction> | undefined): void {
  if (action === undefined) return;
  action.path ??= "/";
  action.scheme ??= "HTTP";
}
