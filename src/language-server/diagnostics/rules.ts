/** All rules, in the order in which their findings are listed where they share a place. */

import { accessModeUnsupported, rwxBlockDisk } from "./access-mode-unsupported.ts";
import { affinityNodeUnknown } from "./affinity-node-unknown.ts";
import { apiRefused, apiWarning } from "./api-refused.ts";
import { apiVersionRemoved, kindWrongGroup, snapshotBetaVersion } from "./api-version-removed.ts";
import { bareList } from "./bare-list.ts";
import {
  blockClaimMounted,
  blockFstype,
  blockMountOptions,
  filesystemClaimDevice,
  subpathOnBlock,
} from "./block-claim.ts";
import { pvcUnused, pvUnclaimed, pvWastefulMatch } from "./bound-volumes.ts";
import {
  classRecreateNeeded,
  expansionDisallowed,
  pvCapacityEdit,
  pvcImmutableChange,
  pvcShrink,
  pvRetainReuse,
  stsTemplateChanged,
} from "./change-refused.ts";
import { claimCauseRules } from "./claim-cause.ts";
import {
  limitrangeDefaultIgnored,
  pvcLimitsIgnored,
  pvcVolumenameSelector,
} from "./claim-fields.ts";
import {
  cronjobConcurrentRwo,
  daemonsetRwo,
  jobParallelRwo,
  rwoReplicas,
  statefulsetDirectClaim,
} from "./claim-replicas.ts";
import { claimStaysPending } from "./claim-stays-pending.ts";
import { claimStaysUnchanged } from "./claim-stays-unchanged.ts";
import { classDefaultNotTrue } from "./class-default-not-true.ts";
import { classMultipleDefaults } from "./class-multiple-defaults.ts";
import {
  classFstypeLegacyKey,
  classFstypeUnknown,
  classParameterValue,
  classSecretHalf,
  classUnknownParameter,
} from "./class-parameters.ts";
import { classSecretMissing } from "./class-secret-missing.ts";
import {
  classExpansionDriver,
  classImmediateAllowedTopologies,
  classImmediateTopologyDriver,
  classTopologyKeyUnknown,
} from "./class-topology.ts";
import { classTopologyPodConflict } from "./class-topology-pod-conflict.ts";
import { classWffcNoConsumer } from "./class-wffc-no-consumer.ts";
import { classWffcPodNodename } from "./class-wffc-pod-nodename.ts";
import {
  controllerAnnotation,
  handSetFinalizer,
  statusInManifest,
  volumeattachmentByHand,
} from "./copied-from-cluster.ts";
import { csiEphemeralUndeclared } from "./csi-ephemeral-undeclared.ts";
import { csiDriverCase, csiNodeStageSecret, csiReservedDriverPrefix } from "./csi-volume.ts";
import { csidriverMissing, provisionerTypo, provisionerUnknown } from "./csidriver-missing.ts";
import {
  datasourceCycle,
  datasourceDriver,
  datasourceDropped,
  datasourceNoGroup,
  datasourcerefNamespace,
  driverNoClone,
} from "./data-source.ts";
import { datasourceMissing, datasourceOtherNamespace } from "./datasource-missing.ts";
import { deprecatedTopologyLabel } from "./deprecated-topology-label.ts";
import { documentSeparator } from "./document-separator.ts";
import { duplicateObject } from "./duplicate-object.ts";
import { emptydirMediumUnknown, emptydirMemoryUnlimited } from "./empty-dir.ts";
import { ephemeralClaimClash } from "./ephemeral-claim-clash.ts";
import { fieldDropped } from "./field-dropped.ts";
import { fsgroupNotApplied, fsgroupSlow } from "./fs-group.ts";
import { helmTemplate } from "./helm-template.ts";
import { hostpathInWorkload, hostpathNoNodeAffinity, hostpathRelative } from "./host-path.ts";
import { importProblem } from "./import-problem.ts";
import { kindMissing } from "./kind-missing.ts";
import { kindUnknown } from "./kind-unknown.ts";
import { kustomizePatch } from "./kustomize-patch.ts";
import { localClassImmediate, localClassProvisioner } from "./local-class.ts";
import { modeLooksOctal } from "./mode-looks-octal.ts";
import { mountOptionsBlank, mountOptionsUnsupported } from "./mount-options.ts";
import {
  mountPathColon,
  mountPathNested,
  mountPathRelative,
  mountPathSame,
  mountPathSystem,
} from "./mount-path.ts";
import { namespaceMissing } from "./namespace-missing.ts";
import { namespaceOnClusterScoped } from "./namespace-on-cluster-scoped.ts";
import { affinityContradiction, affinityEmptyTerm } from "./node-terms.ts";
import {
  affinityExcludesVolume,
  nodeNamePassesScheduler,
  selectorExcludesTopology,
} from "./placement-conflict.ts";
import { affinityPodConflict } from "./pod-cause.ts";
import { podClaimBadName } from "./pod-claim-bad-name.ts";
import { podClaimMissing, podClaimOtherNamespace } from "./pod-claim-missing.ts";
import { priorityClassMissing, runtimeClassMissing } from "./pod-class-missing.ts";
import { podConfigMissing } from "./pod-config-missing.ts";
import { podDoesNotStart } from "./pod-does-not-start.ts";
import { podStaysPending } from "./pod-stays-pending.ts";
import { projectFileProblem } from "./project-file-problem.ts";
import { pvClaimrefMissingClaim } from "./pv-claimref-missing-claim.ts";
import { pvcBetaAnnotationWins } from "./pvc-beta-annotation-wins.ts";
import { pvcBindCompleted } from "./pvc-bind-completed.ts";
import { pvcClassAbsentExplicit } from "./pvc-class-absent-explicit.ts";
import { pvcClassMissing, pvcClassTypo, stsTemplateClassMissing } from "./pvc-class-missing.ts";
import { pvcDefaultClassOverVolume } from "./pvc-default-class-over-volume.ts";
import { pvcVolumenameMissing } from "./pvc-volumename-missing.ts";
import { quantityRules } from "./quantity.ts";
import { quotaClassUnknown } from "./quota-class-unknown.ts";
import {
  pvcReadonlyOverrides,
  roxEmpty,
  roxWritableMount,
  rwxWritableReadonlyClaim,
} from "./read-only-claim.ts";
import {
  provisionerInTree,
  sourceDeprecated,
  sourceMigrated,
  sourceRemoved,
} from "./removed-sources.ts";
import { limitrangeClaim, quotaExceeded, requestRefused } from "./request-refused.ts";
import { rollingUpdateRwo, rollingUpdateRwop } from "./rolling-update-claim.ts";
import type { Rule } from "./rule.ts";
import { pvDuplicateHandle, pvDuplicateSource } from "./same-storage.ts";
import { scenarioFileProblem } from "./scenario-file-problem.ts";
import { serverMetadata } from "./server-metadata.ts";
import { rwopReplicas, sharedRwoClaim } from "./shared-claim.ts";
import { snapshotNoDefault } from "./snapshot-cause.ts";
import { snapshotClassMissing } from "./snapshot-class-missing.ts";
import { snapshotNotReady } from "./snapshot-not-ready.ts";
import {
  stsAdoptsClaim,
  stsNameTooLong,
  stsRetentionDelete,
  stsTemplateHidesVolume,
  stsTemplateUnmounted,
} from "./stateful-set.ts";
import { subpathConfigUpdate, subpathReadonlyCreate } from "./sub-path.ts";
import { unusedSuppression } from "./suppression.ts";
import { vacMissing } from "./vac-missing.ts";
import { vacDriver, vacDriverNoModify } from "./volume-attributes.ts";
import {
  localAffinityNotHost,
  pvClaimrefUid,
  pvDeleteStatic,
  pvRecycleSource,
} from "./volume-fields.ts";
import { volumeLimit } from "./volume-limit.ts";
import { subpathOwnedByRoot, volumeNotWritable } from "./volume-not-writable.ts";
import {
  pvClaimrefDuplicate,
  pvClaimrefNoName,
  pvClaimrefNoNamespace,
  pvClaimrefNoUid,
} from "./volume-reservation.ts";
import {
  driverNoSnapshot,
  snapshotClassDriver,
  snapshotContentBackref,
  snapshotContentDelete,
  snapshotMultipleDefaults,
} from "./volume-snapshot.ts";
import { pvClaimrefIncompatible, pvReleased, volumeUnusable } from "./volume-unusable.ts";
import { volumeUnused } from "./volume-unused.ts";
import { workloadIncomplete } from "./workload-incomplete.ts";
import { yamlBoolValue } from "./yaml-bool-value.ts";
import { yamlDuplicateKey } from "./yaml-duplicate-key.ts";
import { fileLimit, yamlLimit } from "./yaml-limit.ts";
import { yamlSyntax } from "./yaml-syntax.ts";

export const rules: readonly Rule[] = [
  yamlSyntax,
  yamlLimit,
  fileLimit,
  documentSeparator,
  helmTemplate,
  kustomizePatch,
  projectFileProblem(() => ruleIds),
  scenarioFileProblem,
  kindMissing,
  bareList,
  kindUnknown,
  kindWrongGroup,
  apiVersionRemoved,
  snapshotBetaVersion,
  apiRefused,
  apiWarning,
  fieldDropped,
  yamlDuplicateKey,
  namespaceOnClusterScoped,
  serverMetadata,
  duplicateObject,
  pvcClassMissing,
  pvcClassTypo,
  stsTemplateClassMissing,
  pvcVolumenameMissing,
  pvcBetaAnnotationWins,
  podClaimMissing,
  podClaimOtherNamespace,
  podConfigMissing,
  runtimeClassMissing,
  priorityClassMissing,
  datasourceMissing,
  datasourceOtherNamespace,
  snapshotClassMissing,
  vacMissing,
  classMultipleDefaults,
  classSecretMissing,
  provisionerTypo,
  provisionerUnknown,
  csidriverMissing,
  affinityNodeUnknown,
  affinityExcludesVolume,
  selectorExcludesTopology,
  nodeNamePassesScheduler,
  pvClaimrefMissingClaim,
  ...quantityRules,
  sourceRemoved,
  sourceMigrated,
  sourceDeprecated,
  provisionerInTree,
  hostpathNoNodeAffinity,
  hostpathInWorkload,
  hostpathRelative,
  mountPathSame,
  mountPathNested,
  mountPathRelative,
  mountPathColon,
  mountPathSystem,
  mountOptionsUnsupported,
  mountOptionsBlank,
  emptydirMemoryUnlimited,
  emptydirMediumUnknown,
  modeLooksOctal,
  yamlBoolValue,
  classUnknownParameter,
  classParameterValue,
  classFstypeLegacyKey,
  classFstypeUnknown,
  classSecretHalf,
  classImmediateTopologyDriver,
  classImmediateAllowedTopologies,
  classTopologyKeyUnknown,
  classExpansionDriver,
  classDefaultNotTrue,
  csiDriverCase,
  csiNodeStageSecret,
  csiReservedDriverPrefix,
  controllerAnnotation,
  handSetFinalizer,
  statusInManifest,
  volumeattachmentByHand,
  deprecatedTopologyLabel,
  pvcLimitsIgnored,
  pvcVolumenameSelector,
  limitrangeDefaultIgnored,
  pvClaimrefUid,
  pvDeleteStatic,
  pvRecycleSource,
  localAffinityNotHost,
  pvClaimrefNoNamespace,
  pvClaimrefNoName,
  pvClaimrefNoUid,
  pvClaimrefDuplicate,
  pvDuplicateHandle,
  pvDuplicateSource,
  pvcBindCompleted,
  localClassImmediate,
  localClassProvisioner,
  namespaceMissing,
  quotaClassUnknown,
  pvcClassAbsentExplicit,
  csiEphemeralUndeclared,
  ...claimCauseRules,
  pvcDefaultClassOverVolume,
  pvWastefulMatch,
  pvUnclaimed,
  pvcUnused,
  classWffcPodNodename,
  limitrangeClaim,
  quotaExceeded,
  rollingUpdateRwo,
  rollingUpdateRwop,
  sharedRwoClaim,
  rwopReplicas,
  rwoReplicas,
  daemonsetRwo,
  jobParallelRwo,
  cronjobConcurrentRwo,
  statefulsetDirectClaim,
  rwxBlockDisk,
  accessModeUnsupported,
  roxEmpty,
  roxWritableMount,
  rwxWritableReadonlyClaim,
  pvcReadonlyOverrides,
  blockClaimMounted,
  subpathOnBlock,
  filesystemClaimDevice,
  blockFstype,
  blockMountOptions,
  subpathConfigUpdate,
  subpathReadonlyCreate,
  volumeNotWritable,
  subpathOwnedByRoot,
  fsgroupNotApplied,
  fsgroupSlow,
  classRecreateNeeded,
  stsTemplateChanged,
  pvcShrink,
  expansionDisallowed,
  pvcImmutableChange,
  pvCapacityEdit,
  stsTemplateHidesVolume,
  stsTemplateUnmounted,
  stsAdoptsClaim,
  stsRetentionDelete,
  stsNameTooLong,
  volumeUnused,
  datasourceDropped,
  datasourceNoGroup,
  datasourcerefNamespace,
  datasourceDriver,
  datasourceCycle,
  driverNoClone,
  snapshotClassDriver,
  snapshotMultipleDefaults,
  driverNoSnapshot,
  snapshotContentBackref,
  snapshotContentDelete,
  snapshotNoDefault,
  vacDriver,
  vacDriverNoModify,
  classTopologyPodConflict,
  pvRetainReuse,
  affinityEmptyTerm,
  affinityContradiction,
  affinityPodConflict,
  volumeLimit,
  ephemeralClaimClash,
  podClaimBadName,
  requestRefused,
  claimStaysPending,
  claimStaysUnchanged,
  classWffcNoConsumer,
  podStaysPending,
  podDoesNotStart,
  pvReleased,
  pvClaimrefIncompatible,
  volumeUnusable,
  snapshotNotReady,
  workloadIncomplete,
];

export const ruleIds: readonly string[] = [
  ...new Set([...rules, unusedSuppression, importProblem].map(({ id }) => id)),
];
