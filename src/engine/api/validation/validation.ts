/** The rules for each kind. Upstream: the Validate and ValidateUpdate of pkg/registry/*\/*\/strategy.go, v1.36. */
import type { KubernetesVersion } from "../../scenario.ts";
import { customKinds, validateCustom } from "../decoding/custom-resource.ts";
import { FieldErrors } from "../field-error.ts";
import { untyped } from "../json.ts";
import type { Kind, KubeObject } from "../meta.ts";
import { checkPathSegment, checkSubdomain } from "../names/names.ts";
import type { KindMap } from "../types.ts";
import {
  validateDaemonSet,
  validateDaemonSetUpdate,
  validateDeployment,
  validateDeploymentUpdate,
  validateReplicaSet,
  validateReplicaSetUpdate,
  validateReplicationController,
  validateReplicationControllerUpdate,
} from "./apps.ts";
import { validateCronJob, validateCronJobUpdate, validateJob, validateJobUpdate } from "./batch.ts";
import {
  validateConfigMap,
  validateConfigMapUpdate,
  validateControllerRevision,
  validateControllerRevisionUpdate,
  validateNamespace,
  validateNamespaceUpdate,
  validatePodDisruptionBudget,
  validatePodDisruptionBudgetUpdate,
  validatePodTemplateObject,
  validatePodTemplateObjectUpdate,
  validatePriorityClass,
  validatePriorityClassUpdate,
  validateSecret,
  validateSecretUpdate,
  validateServiceAccount,
  validateServiceAccountUpdate,
} from "./core.ts";
import {
  validateCsiDriver,
  validateCsiDriverUpdate,
  validateCsiNode,
  validateCsiNodeUpdate,
  validateCsiStorageCapacity,
  validateCsiStorageCapacityUpdate,
} from "./csi.ts";
import { flawsOf } from "./flaws.ts";
import {
  validateLimitRange,
  validateLimitRangeUpdate,
  validateResourceQuota,
  validateResourceQuotaUpdate,
} from "./limits.ts";
import { validateNode, validateNodeUpdate } from "./node.ts";
import { validateGenericMeta, validateGenericUpdate, validateMetaUpdate } from "./object-meta.ts";
import { validatePersistentVolume, validatePersistentVolumeUpdate } from "./persistent-volume.ts";
import { validatePersistentVolumeClaim } from "./persistent-volume-claim.ts";
import { validatePersistentVolumeClaimUpdate } from "./persistent-volume-claim-update.ts";
import { validatePodCreate } from "./pod-spec.ts";
import { validatePodUpdate } from "./pod-update.ts";
import { validateRuntimeClass, validateRuntimeClassUpdate } from "./runtime-class.ts";
import { validateService, validateServiceAllocation, validateServiceUpdate } from "./service.ts";
import { validateStatefulSet, validateStatefulSetUpdate } from "./stateful-set.ts";
import { validateStatus } from "./status.ts";
import {
  validateStorageClass,
  validateStorageClassUpdate,
  validateVolumeAttributesClass,
  validateVolumeAttributesClassUpdate,
} from "./storage-class.ts";
import { validateVolumeAttachment, validateVolumeAttachmentUpdate } from "./volume-attachment.ts";

interface Rules<Object> {
  /** Rules that come before all others: if they find errors, only those are reported. */
  readonly first?: (object: Object, errors: FieldErrors, old?: Object) => void;
  readonly create: (object: Object, errors: FieldErrors) => void;
  readonly update: (next: Object, old: Object, errors: FieldErrors) => void;
}

const rules: { readonly [K in Kind]?: Rules<KindMap[K]> } = {
  PersistentVolume: { create: validatePersistentVolume, update: validatePersistentVolumeUpdate },
  PersistentVolumeClaim: {
    create: validatePersistentVolumeClaim,
    update: validatePersistentVolumeClaimUpdate,
  },
  Pod: { create: validatePodCreate, update: validatePodUpdate },
  PodTemplate: { create: validatePodTemplateObject, update: validatePodTemplateObjectUpdate },
  Node: { create: validateNode, update: validateNodeUpdate },
  Namespace: { create: validateNamespace, update: validateNamespaceUpdate },
  ConfigMap: { create: validateConfigMap, update: validateConfigMapUpdate },
  Secret: { create: validateSecret, update: validateSecretUpdate },
  ServiceAccount: { create: validateServiceAccount, update: validateServiceAccountUpdate },
  Service: {
    first: validateServiceAllocation,
    create: validateService,
    update: validateServiceUpdate,
  },
  ResourceQuota: { create: validateResourceQuota, update: validateResourceQuotaUpdate },
  LimitRange: { create: validateLimitRange, update: validateLimitRangeUpdate },
  ReplicationController: {
    create: validateReplicationController,
    update: validateReplicationControllerUpdate,
  },
  StorageClass: { create: validateStorageClass, update: validateStorageClassUpdate },
  VolumeAttachment: { create: validateVolumeAttachment, update: validateVolumeAttachmentUpdate },
  CSIDriver: { create: validateCsiDriver, update: validateCsiDriverUpdate },
  CSINode: { create: validateCsiNode, update: validateCsiNodeUpdate },
  CSIStorageCapacity: {
    create: validateCsiStorageCapacity,
    update: validateCsiStorageCapacityUpdate,
  },
  VolumeAttributesClass: {
    create: validateVolumeAttributesClass,
    update: validateVolumeAttributesClassUpdate,
  },
  Deployment: { create: validateDeployment, update: validateDeploymentUpdate },
  ReplicaSet: { create: validateReplicaSet, update: validateReplicaSetUpdate },
  StatefulSet: { create: validateStatefulSet, update: validateStatefulSetUpdate },
  DaemonSet: { create: validateDaemonSet, update: validateDaemonSetUpdate },
  ControllerRevision: {
    create: validateControllerRevision,
    update: validateControllerRevisionUpdate,
  },
  Job: { create: validateJob, update: validateJobUpdate },
  CronJob: { create: validateCronJob, update: validateCronJobUpdate },
  PodDisruptionBudget: {
    create: validatePodDisruptionBudget,
    update: validatePodDisruptionBudgetUpdate,
  },
  PriorityClass: { create: validatePriorityClass, update: validatePriorityClassUpdate },
  RuntimeClass: { create: validateRuntimeClass, update: validateRuntimeClassUpdate },
};

type AnyRules = Rules<KubeObject>;

export function validateCreate(object: KubeObject, version: KubernetesVersion): FieldErrors {
  const errors = new FieldErrors(version);
  if (customKinds.has(object.kind)) {
    validateGenericMeta(object.metadata, checkSubdomain, errors);
    validateCustom(object.kind, untyped(object), undefined, errors);
  }
  const own = rules[object.kind] as AnyRules | undefined;
  own?.first?.(object, errors);
  if (own !== undefined && errors.none) own.create(object, errors);
  return errors;
}

/** Through the status endpoint only the status and some of the metadata change. */
export function validateStatusUpdate(
  next: KubeObject,
  old: KubeObject,
  version: KubernetesVersion,
): FieldErrors {
  return judgeAgain(old, version, (errors) => {
    validateGenericMeta(next.metadata, checkPathSegment, errors);
    validateGenericUpdate(next.metadata, old.metadata, errors);
    if (customKinds.has(next.kind)) validateCustom(next.kind, untyped(next), untyped(old), errors);
    else {
      if (!trustsReports.has(next.kind)) validateMetaUpdate(next.metadata, old.metadata, errors);
      validateStatus(next, old, errors);
    }
  });
}

/** Kinds whose strategies do not validate the metadata that come with a status. */
const trustsReports: ReadonlySet<Kind> = new Set<Kind>(["CronJob", "PodDisruptionBudget"]);

export function validateUpdate(
  next: KubeObject,
  old: KubeObject,
  version: KubernetesVersion,
): FieldErrors {
  return judgeAgain(old, version, (errors) => {
    judgeUpdate(next, old, errors);
  });
}

/** If there are errors, judges once more and tolerates what the stored object already breaks. */
function judgeAgain(
  old: KubeObject,
  version: KubernetesVersion,
  judge: (errors: FieldErrors) => void,
): FieldErrors {
  const errors = new FieldErrors(version);
  judge(errors);
  if (errors.none) return errors;
  const flaws = flawsOf(old, version);
  if (flaws.size === 0) return errors;
  const again = new FieldErrors(version, flaws);
  judge(again);
  return again;
}

function judgeUpdate(next: KubeObject, old: KubeObject, errors: FieldErrors): void {
  const own = rules[next.kind] as AnyRules | undefined;
  own?.first?.(next, errors, old);
  if (!errors.none) return;
  validateGenericMeta(next.metadata, checkPathSegment, errors);
  validateGenericUpdate(next.metadata, old.metadata, errors);
  if (customKinds.has(next.kind)) {
    validateGenericUpdate(next.metadata, old.metadata, errors);
    validateCustom(next.kind, untyped(next), untyped(old), errors);
    return;
  }
  if (own === undefined) validateMetaUpdate(next.metadata, old.metadata, errors);
  else own.update(next, old, errors);
}
