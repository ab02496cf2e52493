/**
 * Checks the claim and builds the request before CreateVolume is called.
 * Upstream: external-provisioner v6.3 pkg/controller/controller.go prepareProvision.
 */
import { requestedStorage } from "../../api/claim-size.ts";
import { withFields } from "../../api/json.ts";
import { quantityBytes } from "../../api/quantity.ts";
import type {
  CSIPersistentVolumeSource,
  PersistentVolumeClaim,
  SecretReference,
  StorageClass,
} from "../../api/types.ts";
import type { Parameters } from "../../csi/catalogue/sidecar-parameters.ts";
import { type SecretUse, secretUses } from "../../csi/catalogue/sidecar-parameters.ts";
import { hasTopology } from "../../csi/driver-capabilities.ts";
import type { CsiRequest, VolumeCapability, VolumeContentSource } from "../../csi/messages.ts";
import { errorGettingSecret, readSecret, type SecretField } from "../../csi/read-secret.ts";
import type { ControllerConnection } from "../../csi/sidecar.ts";
import { csiAccessMode } from "../../csi/volume-capability.ts";
import { annotation, annotationOf, finalizer } from "../../matching/annotations.ts";
import { secretFor } from "../../matching/class-secret.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { getLive, patch, type Task, update } from "../../runtime/effects.ts";
import { driverParameters, fsTypeOf } from "./class-parameters.ts";
import { claimSource, snapshotSource, snapshotSourceFinalizer } from "./content-source.ts";
import { translatedClass } from "./in-tree-migration.ts";
import { isBeforeV6 } from "./release.ts";
import type { TopologyCache } from "./topology-cache.ts";
import { topologyRequirement } from "./topology-requirement.ts";

/** Whether the driver may still be working on the volume, and who retries. */
export type ProvisioningState = "Finished" | "InBackground" | "NoChange" | "Reschedule";

export interface ProvisioningError {
  readonly type: "failed";
  readonly state: ProvisioningState;
  readonly message: string;
  /** gRPC code, if the driver was called. */
  readonly code?: string;
}

export interface Prepared {
  readonly type: "prepared";
  readonly request: CsiRequest;
  readonly fsType: string;
  readonly source: Omit<CSIPersistentVolumeSource, "volumeHandle">;
  readonly deletionSecret: SecretReference;
  readonly modifySecret: SecretReference | undefined;
}

/** An external populator will create the volume. */
export interface LeftToPopulator {
  readonly type: "populator";
}

export function failed(state: ProvisioningState, message: string): ProvisioningError {
  return { type: "failed", state, message };
}

export interface Attempt {
  readonly context: ComponentContext;
  readonly connection: ControllerConnection;
  readonly topologies: TopologyCache;
  readonly claim: PersistentVolumeClaim;
  readonly storageClass: StorageClass;
  readonly volumeName: string;
  readonly selectedNode: string | undefined;
}

const noParameters: Parameters = {};

export function* prepare(given: Attempt): Task<Prepared | LeftToPopulator | ProvisioningError> {
  const translated = translatedClass(given.storageClass);
  if (!translated.ok) return failed("Finished", translated.error);
  return yield* prepareFor({ ...given, storageClass: translated.value });
}

function* prepareFor(attempt: Attempt): Task<Prepared | LeftToPopulator | ProvisioningError> {
  const { claim, storageClass, connection } = attempt;
  const parameters = storageClass.parameters ?? noParameters;
  const sourceKind = contentSourceKind(claim);
  if (typeof sourceKind === "object") return sourceKind;
  const incapable = capabilityError(connection, claim, sourceKind);
  if (incapable !== undefined) return failed("Finished", incapable);
  if (claim.spec.selector !== undefined)
    return failed("Finished", "claim Selector is not supported");
  const ownFsType = fsTypeOf(parameters);
  if (!ownFsType.ok) return failed("Finished", ownFsType.error);

  const content = sourceKind === "none" ? undefined : yield* contentSource(attempt, sourceKind);
  if (content !== undefined && "type" in content) return content;
  const requirement = accessibilityRequirements(attempt);
  if (requirement !== undefined && "type" in requirement) return requirement;
  const secrets = yield* classSecrets(attempt);
  if ("type" in secrets) return secrets;
  const stripped = driverParameters(parameters, !isBeforeV6(connection));
  if (!stripped.ok) return failed("Finished", stripped.error);
  const mutable = yield* mutableParameters(attempt);
  if (mutable !== undefined && "type" in mutable) return mutable;

  const fsType =
    ownFsType.value === "" ? (connection.driver.sidecars?.defaultFsType ?? "") : ownFsType.value;
  const plain = plainRequest(attempt, fsType, stripped.value, secrets.given);
  const request: CsiRequest = withFields(plain, {
    ...(content !== undefined && { volume_content_source: content }),
    ...(requirement !== undefined && { accessibility_requirements: requirement }),
    ...(mutable !== undefined && { mutable_parameters: mutable.parameters }),
  });
  const { provisioner, controllerPublish, nodeStage, nodePublish, controllerExpand, nodeExpand } =
    secrets.named;
  return {
    type: "prepared",
    request,
    fsType,
    source: {
      driver: connection.driver.name,
      ...(controllerPublish !== undefined && { controllerPublishSecretRef: controllerPublish }),
      ...(nodeStage !== undefined && { nodeStageSecretRef: nodeStage }),
      ...(nodePublish !== undefined && { nodePublishSecretRef: nodePublish }),
      ...(controllerExpand !== undefined && { controllerExpandSecretRef: controllerExpand }),
      ...(nodeExpand !== undefined && { nodeExpandSecretRef: nodeExpand }),
    },
    deletionSecret: provisioner ?? { name: "", namespace: "" },
    modifySecret: secrets.named.controllerModify,
  };
}

/** The fields that every request has, in the order of csi.proto. */
function plainRequest(
  attempt: Attempt,
  fsType: string,
  parameters: Readonly<Record<string, string>>,
  secret: SecretField,
): CsiRequest {
  const { claim, connection, volumeName } = attempt;
  const { extraCreateMetadata = true } = connection.driver.sidecars ?? {};
  const bytes = quantityBytes(requestedStorage(claim));
  const metadata = {
    "csi.storage.k8s.io/pvc/name": claim.metadata.name,
    "csi.storage.k8s.io/pvc/namespace": claim.metadata.namespace ?? "",
    "csi.storage.k8s.io/pv/name": volumeName,
  };
  return {
    name: volumeName,
    capacity_range: { required_bytes: String(bytes) },
    volume_capabilities: capabilities(attempt, fsType),
    parameters: extraCreateMetadata ? withFields(parameters, metadata) : parameters,
    ...secret,
  };
}

type SourceKind = "none" | "clone" | "snapshot";

function contentSourceKind(
  claim: PersistentVolumeClaim,
): SourceKind | LeftToPopulator | ProvisioningError {
  const source = claim.spec.dataSourceRef ?? claim.spec.dataSource;
  if (source === undefined) return "none";
  if ((claim.spec.dataSourceRef?.namespace ?? "") !== "") {
    return failed(
      "Finished",
      "dataSourceRef namespace specified but the CrossNamespaceVolumeDataSource feature is disabled",
    );
  }
  if (source.name === "") {
    return failed("Finished", `the PVC source not found for PVC ${claim.metadata.name}`);
  }
  if (source.kind === "PersistentVolumeClaim") return "clone";
  if (source.kind !== "VolumeSnapshot") return { type: "populator" };
  if (source.apiGroup === "snapshot.storage.k8s.io") return "snapshot";
  return failed(
    "Finished",
    `the PVC source does not belong to the right APIGroup. Expected snapshot.storage.k8s.io, Got ${source.apiGroup ?? ""}`,
  );
}

function capabilityError(
  connection: ControllerConnection,
  claim: PersistentVolumeClaim,
  source: SourceKind,
): string | undefined {
  const lacks = (what: string, capability: string): string =>
    `CSI driver does not support ${what}: controller ${capability} capability is not reported`;
  if (source === "snapshot" && !connection.has("CREATE_DELETE_SNAPSHOT")) {
    return lacks("snapshot restore", "CREATE_DELETE_SNAPSHOT");
  }
  if (source === "clone" && !connection.has("CLONE_VOLUME")) {
    return lacks("clone operations", "CLONE_VOLUME");
  }
  const attributes = claim.spec.volumeAttributesClassName ?? "";
  if (attributes !== "" && !connection.has("MODIFY_VOLUME")) {
    return lacks("VolumeAttributesClass", "MODIFY_VOLUME");
  }
  return undefined;
}

function capabilities(attempt: Attempt, fsType: string): readonly VolumeCapability[] {
  const { claim, storageClass, connection } = attempt;
  const multiWriter = connection.has("SINGLE_NODE_MULTI_WRITER");
  const flags = storageClass.mountOptions ?? [];
  const access =
    claim.spec.volumeMode === "Block"
      ? { block: {} }
      : {
          mount: {
            ...(fsType !== "" && { fs_type: fsType }),
            ...(flags.length > 0 && { mount_flags: flags }),
          },
        };
  return (claim.spec.accessModes ?? []).map((mode) =>
    withFields(access, { access_mode: { mode: csiAccessMode(mode, multiWriter) } }),
  );
}

function* contentSource(
  attempt: Attempt,
  kind: "clone" | "snapshot",
): Task<VolumeContentSource | ProvisioningError> {
  const { context, connection, claim, storageClass } = attempt;
  const ref = claim.spec.dataSourceRef ?? claim.spec.dataSource;
  const name = ref?.name ?? "";
  const found =
    kind === "clone"
      ? yield* claimSource(context, claim, storageClass, name)
      : yield* snapshotSource(claim, storageClass, name, isBeforeV6(connection));
  if (!found.ok) {
    return failed(
      "NoChange",
      `error getting handle for DataSource Type ${ref?.kind ?? ""} by Name ${name}: ${found.error}`,
    );
  }
  const unprotected =
    kind === "clone" ? yield* protectClaim(attempt, name) : yield* protectSnapshot(attempt, name);
  return unprotected === undefined ? found.value : failed("NoChange", unprotected);
}

/** Upstream: setCloneFinalizer. */
function* protectClaim(attempt: Attempt, name: string): Task<string | undefined> {
  const { context, claim } = attempt;
  const source = context
    .informer("PersistentVolumeClaim")
    .get(`${claim.metadata.namespace}/${name}`);
  if (source === undefined) return `persistentvolumeclaim "${name}" not found`;
  const finalizers = source.metadata.finalizers ?? [];
  if (finalizers.includes(finalizer.cloningProtection)) return undefined;
  const metadata = { ...source.metadata, finalizers: [...finalizers, finalizer.cloningProtection] };
  const updated = yield* update({ ...source, metadata });
  return updated.ok ? undefined : updated.error.message;
}

/** Upstream: setSnapshotFinalizer, from 6.0.1 on. */
function* protectSnapshot(attempt: Attempt, name: string): Task<string | undefined> {
  if (isBeforeV6(attempt.connection)) return undefined;
  const { namespace } = attempt.claim.metadata;
  const live = yield* getLive("VolumeSnapshot", namespace, name);
  if (!live.ok) return live.error.message;
  if (live.object.metadata.finalizers?.includes(snapshotSourceFinalizer) === true) return undefined;
  const patched = yield* patch("VolumeSnapshot", namespace, name, (current) => ({
    ...current,
    metadata: {
      ...current.metadata,
      finalizers: [...(current.metadata.finalizers ?? []), snapshotSourceFinalizer],
    },
  }));
  return patched.ok ? undefined : patched.error.message;
}

function accessibilityRequirements(
  attempt: Attempt,
): CsiRequest["accessibility_requirements"] | ProvisioningError {
  const { context, connection, claim, storageClass, selectedNode, topologies } = attempt;
  if (!hasTopology(connection.driver)) return undefined;
  const { strictTopology = false, immediateTopology = true } = connection.driver.sidecars ?? {};
  const csiNodes = context.informer("CSINode");
  const nodes = context.informer("Node");
  const answer = topologyRequirement(
    {
      csiNode: (name) => csiNodes.get(name),
      csiNodes: () => csiNodes.list(),
      node: (name) => nodes.get(name),
      terms: (keys) => topologies.terms(keys),
    },
    isBeforeV6(connection) ? {} : topologies.of(claim.metadata.uid),
    {
      driver: connection.driver.name,
      claimName: claim.metadata.name,
      allowedTopologies: storageClass.allowedTopologies ?? [],
      selectedNode,
      isStrict: strictTopology,
      isImmediate: immediateTopology,
      tellsLabels: isBeforeV6(connection),
    },
  );
  if (!answer.ok) return failed(answer.nodeGone ? "Reschedule" : "NoChange", answer.error);
  return answer.requirement;
}

interface ClassSecrets {
  readonly named: Partial<Record<SecretUse, SecretReference>>;
  /** The provisioner's own Secret, which is sent to the driver. */
  readonly given: SecretField;
}

/** The provisioner's own Secret must exist now; the others are only referred to. */
function* classSecrets(attempt: Attempt): Task<ClassSecrets | ProvisioningError> {
  const { claim, connection, storageClass, volumeName } = attempt;
  const named: Partial<Record<SecretUse, SecretReference>> = {};
  let given: SecretField = {};
  for (const use of secretUses) {
    if (use === "controllerModify" && isBeforeV6(connection)) continue;
    const secret = secretFor(use, storageClass.parameters ?? noParameters, volumeName, claim);
    if (!secret.ok) return failed("NoChange", secret.error);
    if (secret.value === undefined) continue;
    named[use] = secret.value;
    if (use !== "provisioner") continue;
    const read = yield* readSecret(secret.value, errorGettingSecret);
    if (!read.ok) return failed("NoChange", read.error);
    given = read.field;
  }
  return { named, given };
}

function* mutableParameters(
  attempt: Attempt,
): Task<{ readonly parameters: Readonly<Record<string, string>> } | undefined | ProvisioningError> {
  const name = attempt.claim.spec.volumeAttributesClassName ?? "";
  if (name === "") return undefined;
  const found = yield* getLive("VolumeAttributesClass", undefined, name);
  if (!found.ok) return failed("NoChange", found.error.message);
  const { driverName, parameters = {} } = found.object;
  const own = attempt.connection.driver.name;
  if (driverName === own) return { parameters };
  return failed(
    "Finished",
    `VAC ${name} referenced in PVC is for driver ${driverName} which does not match driver name ${own}`,
  );
}

/** The provisioner that the PV controller has written on the claim. */
export function provisionerOf(claim: PersistentVolumeClaim): string | undefined {
  return (
    annotationOf(claim, annotation.storageProvisioner) ??
    annotationOf(claim, annotation.betaStorageProvisioner)
  );
}
