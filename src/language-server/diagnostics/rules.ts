/** All rules, grouped by subject. Findings are sorted by place and id, whatever the order here. */
import type { Rule } from "./rule.ts";
import { accessModeUnsupported, rwxBlockDisk } from "./rules/access-mode-unsupported.ts";
import { affinityNodeUnknown } from "./rules/affinity-node-unknown.ts";
import { apiRefused, apiWarning } from "./rules/api-refused.ts";
import {
  apiVersionRemoved,
  kindWrongGroup,
  snapshotBetaVersion,
} from "./rules/api-version-removed.ts";
import { argocdReplaceClaim } from "./rules/argocd-replace-claim.ts";
import { bareList } from "./rules/bare-list.ts";
import {
  blockClaimMounted,
  blockFstype,
  blockMountOptions,
  filesystemClaimDevice,
  subpathOnBlock,
} from "./rules/block-claim.ts";
import { pvcUnused, pvUnclaimed, pvWastefulMatch } from "./rules/bound-volumes.ts";
import {
  classRecreateNeeded,
  expansionDisallowed,
  pvCapacityEdit,
  pvcImmutableChange,
  pvcShrink,
  pvRetainReuse,
  stsTemplateChanged,
} from "./rules/change-refused.ts";
import { chownRefused, chownWithoutEffect } from "./rules/chown-refused.ts";
import { claimCauseRules } from "./rules/claim-cause.ts";
import {
  limitrangeDefaultIgnored,
  pvcLimitsIgnored,
  pvcVolumenameSelector,
} from "./rules/claim-fields.ts";
import {
  cronjobConcurrentRwo,
  daemonsetRwo,
  jobParallelRwo,
  rwoReplicas,
  statefulsetDirectClaim,
} from "./rules/claim-replicas.ts";
import { claimStaysPending } from "./rules/claim-stays-pending.ts";
import { claimStaysUnchanged } from "./rules/claim-stays-unchanged.ts";
import { classDefaultNotTrue } from "./rules/class-default-not-true.ts";
import { classMultipleDefaults } from "./rules/class-multiple-defaults.ts";
import {
  classFstypeLegacyKey,
  classFstypeUnknown,
  classParameterValue,
  classUnknownParameter,
} from "./rules/class-parameters.ts";
import { classPoolMissing } from "./rules/class-pool-missing.ts";
import { classSecretMissing } from "./rules/class-secret-missing.ts";
import { classSecretUnnamed } from "./rules/class-secret-unnamed.ts";
import { classReservedParameter, classSecretHalf } from "./rules/class-sidecar-parameters.ts";
import {
  classExpansionDriver,
  classImmediateAllowedTopologies,
  classImmediateTopologyDriver,
  classTopologyKeyUnknown,
} from "./rules/class-topology.ts";
import { classTopologyPodConflict } from "./rules/class-topology-pod-conflict.ts";
import { classWffcNoConsumer } from "./rules/class-wffc-no-consumer.ts";
import { classWffcPodNodename } from "./rules/class-wffc-pod-nodename.ts";
import {
  configMountedAsDirectory,
  mountFileInConfig,
  subpathKeyMissing,
} from "./rules/config-file-mount.ts";
import { configVolumeWritten } from "./rules/config-volume-written.ts";
import {
  controllerAnnotation,
  handSetFinalizer,
  statusInManifest,
  volumeattachmentByHand,
} from "./rules/copied-from-cluster.ts";
import { csiEphemeralUndeclared } from "./rules/csi-ephemeral-undeclared.ts";
import {
  csiCephStatic,
  csiDriverCase,
  csiFsxStatic,
  csiNodeStageSecret,
  csiReservedDriverPrefix,
} from "./rules/csi-volume.ts";
import {
  csidriverMissing,
  provisionerTypo,
  provisionerUnknown,
} from "./rules/csidriver-missing.ts";
import { dataDirNotMounted } from "./rules/data-dir-not-mounted.ts";
import {
  datasourceCycle,
  datasourceDriver,
  datasourceDropped,
  datasourceIgnored,
  datasourceNoGroup,
  datasourcerefNamespace,
  driverNoClone,
} from "./rules/data-source.ts";
import {
  databaseOnBucket,
  databaseOnSmb,
  dataDirLostFound,
  dataDirOwnedByRoot,
} from "./rules/database-directory.ts";
import { datasourceMissing, datasourceOtherNamespace } from "./rules/datasource-missing.ts";
import { deprecatedTopologyLabel } from "./rules/deprecated-topology-label.ts";
import { documentSeparator } from "./rules/document-separator.ts";
import { driverPodAnnotation } from "./rules/driver-pod-annotation.ts";
import { duplicateObject } from "./rules/duplicate-object.ts";
import {
  emptydirMediumUnknown,
  emptydirMemoryUnlimited,
  emptydirOverLimit,
} from "./rules/empty-dir.ts";
import { ephemeralClaimClash } from "./rules/ephemeral-claim-clash.ts";
import { fieldDropped } from "./rules/field-dropped.ts";
import {
  fsgroupNotApplied,
  fsgroupOpensCookie,
  fsgroupSlow,
  fsgroupWidensMode,
} from "./rules/fs-group.ts";
import { helmChart, helmValueUnread } from "./rules/helm-chart.ts";
import { helmTemplate } from "./rules/helm-template.ts";
import {
  hostpathInWorkload,
  hostpathNoNodeAffinity,
  hostpathOwnedByRoot,
  hostpathOwnMachine,
  hostpathRelative,
  hostpathWindowsDrive,
} from "./rules/host-path.ts";
import { importProblem } from "./rules/import-problem.ts";
import { kindMissing } from "./rules/kind-missing.ts";
import { kindNotSimulated } from "./rules/kind-not-simulated.ts";
import { kindUnknown } from "./rules/kind-unknown.ts";
import { applyTooLong, applyWithoutName } from "./rules/kubectl-apply.ts";
import { kustomizePatch } from "./rules/kustomize-patch.ts";
import { localClassImmediate, localClassProvisioner } from "./rules/local-class.ts";
import { longhornMigratable } from "./rules/longhorn-migratable.ts";
import { modeLooksOctal } from "./rules/mode-looks-octal.ts";
import { modeNotReadable } from "./rules/mode-not-readable.ts";
import {
  mountOptionsBlank,
  mountOptionsUnsupported,
  pvClassMountOptions,
} from "./rules/mount-options.ts";
import {
  mountPathColon,
  mountPathNested,
  mountPathReadonly,
  mountPathRelative,
  mountPathSame,
  mountPathSystem,
} from "./rules/mount-path.ts";
import { mountRootOnly } from "./rules/mount-root-only.ts";
import { commandHidden, commandNotExecutable } from "./rules/mounted-command.ts";
import { namespaceMissing } from "./rules/namespace-missing.ts";
import { namespaceOnClusterScoped } from "./rules/namespace-on-cluster-scoped.ts";
import { neededEarlier } from "./rules/needed-earlier.ts";
import { nfsServerPath, nfsServerService } from "./rules/nfs-server.ts";
import { nfsSmbOptions } from "./rules/nfs-smb-options.ts";
import { affinityContradiction, affinityEmptyTerm } from "./rules/node-terms.ts";
import { ownerUid } from "./rules/owner-uid.ts";
import {
  affinityExcludesVolume,
  nodeNamePassesScheduler,
  selectorExcludesTopology,
} from "./rules/placement-conflict.ts";
import { affinityPodConflict } from "./rules/pod-cause.ts";
import { podClaimBadName } from "./rules/pod-claim-bad-name.ts";
import { podClaimMissing, podClaimOtherNamespace } from "./rules/pod-claim-missing.ts";
import { priorityClassMissing, runtimeClassMissing } from "./rules/pod-class-missing.ts";
import { podConfigMissing } from "./rules/pod-config-missing.ts";
import { podDoesNotStart } from "./rules/pod-does-not-start.ts";
import { podStaysPending } from "./rules/pod-stays-pending.ts";
import { projectFileProblem } from "./rules/project-file-problem.ts";
import { pvClaimrefMissingClaim } from "./rules/pv-claimref-missing-claim.ts";
import { pvNoZone } from "./rules/pv-no-zone.ts";
import { pvcAlphaAnnotation } from "./rules/pvc-alpha-annotation.ts";
import { pvcBetaAnnotationWins } from "./rules/pvc-beta-annotation-wins.ts";
import { pvcBindCompleted } from "./rules/pvc-bind-completed.ts";
import { pvcClassAbsentExplicit } from "./rules/pvc-class-absent-explicit.ts";
import {
  pvcClassMissing,
  pvcClassTypo,
  stsTemplateClassMissing,
} from "./rules/pvc-class-missing.ts";
import { pvcDefaultClassOverVolume } from "./rules/pvc-default-class-over-volume.ts";
import { pvcVolumeUntied } from "./rules/pvc-volume-untied.ts";
import { pvcVolumenameMissing } from "./rules/pvc-volumename-missing.ts";
import { quantityRules } from "./rules/quantity.ts";
import { quotaClassUnknown } from "./rules/quota-class-unknown.ts";
import {
  pvcReadonlyOverrides,
  roxEmpty,
  roxWritableMount,
  rwxWritableReadonlyClaim,
} from "./rules/read-only-claim.ts";
import {
  provisionerInTree,
  sourceDeprecated,
  sourceMigrated,
  sourceRemoved,
} from "./rules/removed-sources.ts";
import { limitrangeClaim, quotaExceeded, requestRefused } from "./rules/request-refused.ts";
import { requestWarning } from "./rules/request-warning.ts";
import { rollingUpdateRwo, rollingUpdateRwop } from "./rules/rolling-update-claim.ts";
import { rootReadOnly } from "./rules/root-read-only.ts";
import { nfsSubdirShare, provisionerOtherName } from "./rules/run-provisioner.ts";
import { pvDuplicateHandle, pvDuplicateSource } from "./rules/same-storage.ts";
import { savedCluster } from "./rules/saved-cluster.ts";
import { scenarioFileProblem } from "./rules/scenario-file-problem.ts";
import { secretKeyMissing } from "./rules/secret-key-missing.ts";
import { secretProviderClassMissing } from "./rules/secret-provider-class-missing.ts";
import { serverMetadata } from "./rules/server-metadata.ts";
import { rwopReplicas, sharedRwoClaim } from "./rules/shared-claim.ts";
import { snapshotNoDefault } from "./rules/snapshot-cause.ts";
import { snapshotClassMissing } from "./rules/snapshot-class-missing.ts";
import { snapshotNotReady } from "./rules/snapshot-not-ready.ts";
import { sqliteOnNfs } from "./rules/sqlite-on-nfs.ts";
import { sqliteOnSmb } from "./rules/sqlite-on-smb.ts";
import {
  stsAdoptsClaim,
  stsNameTooLong,
  stsRetentionDelete,
  stsTemplateHidesVolume,
  stsTemplateSameName,
  stsTemplateUnmounted,
} from "./rules/stateful-set.ts";
import { stsServiceMissing } from "./rules/sts-service-missing.ts";
import { stsTemplateChartVersion } from "./rules/sts-template-chart-version.ts";
import {
  subpathConfigUpdate,
  subpathNotExpanded,
  subpathReadonlyCreate,
} from "./rules/sub-path.ts";
import { unusedSuppression } from "./rules/suppression.ts";
import { syncedSecretUnmade } from "./rules/synced-secret-unmade.ts";
import { hookAlwaysFails, livenessPortUnknown } from "./rules/unknown-port.ts";
import { vacMissing } from "./rules/vac-missing.ts";
import { vacDriver, vacDriverNoModify } from "./rules/volume-attributes.ts";
import {
  localAffinityNotHost,
  pvClaimrefUid,
  pvDeleteStatic,
  pvRecycleSource,
} from "./rules/volume-fields.ts";
import { volumeLimit } from "./rules/volume-limit.ts";
import { subpathOwnedByRoot, volumeNotWritable } from "./rules/volume-not-writable.ts";
import {
  pvClaimrefDuplicate,
  pvClaimrefNoName,
  pvClaimrefNoNamespace,
  pvClaimrefNoUid,
} from "./rules/volume-reservation.ts";
import {
  driverNoSnapshot,
  snapshotClassDriver,
  snapshotContentBackref,
  snapshotContentDelete,
  snapshotMultipleDefaults,
} from "./rules/volume-snapshot.ts";
import { pvClaimrefIncompatible, pvReleased, volumeUnusable } from "./rules/volume-unusable.ts";
import { volumeUnused } from "./rules/volume-unused.ts";
import { workloadIncomplete } from "./rules/workload-incomplete.ts";
import { yamlBoolValue } from "./rules/yaml-bool-value.ts";
import { yamlDocumentEnd } from "./rules/yaml-document-end.ts";
import { yamlDuplicateKey } from "./rules/yaml-duplicate-key.ts";
import { fileLimit, yamlLimit } from "./rules/yaml-limit.ts";
import { yamlSyntax } from "./rules/yaml-syntax.ts";

export const rules: readonly Rule[] = [
  yamlSyntax,
  yamlLimit,
  fileLimit,
  documentSeparator,
  yamlDocumentEnd,
  helmChart,
  helmValueUnread,
  helmTemplate,
  kustomizePatch,
  projectFileProblem(() => ruleIds),
  scenarioFileProblem,
  kindMissing,
  bareList,
  kindUnknown,
  kindWrongGroup,
  kindNotSimulated,
  apiVersionRemoved,
  snapshotBetaVersion,
  apiRefused,
  apiWarning,
  fieldDropped,
  yamlDuplicateKey,
  namespaceOnClusterScoped,
  savedCluster,
  serverMetadata,
  applyTooLong,
  applyWithoutName,
  duplicateObject,
  pvcClassMissing,
  pvcClassTypo,
  stsTemplateClassMissing,
  pvcVolumenameMissing,
  pvcAlphaAnnotation,
  argocdReplaceClaim,
  pvcBetaAnnotationWins,
  podClaimMissing,
  podClaimOtherNamespace,
  podConfigMissing,
  secretProviderClassMissing,
  syncedSecretUnmade,
  runtimeClassMissing,
  priorityClassMissing,
  datasourceMissing,
  datasourceOtherNamespace,
  snapshotClassMissing,
  vacMissing,
  classMultipleDefaults,
  classSecretMissing,
  classPoolMissing,
  provisionerTypo,
  provisionerUnknown,
  provisionerOtherName,
  nfsSubdirShare,
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
  hostpathOwnMachine,
  hostpathOwnedByRoot,
  hostpathWindowsDrive,
  nfsServerPath,
  nfsServerService,
  mountPathSame,
  mountPathNested,
  mountPathReadonly,
  mountPathRelative,
  mountPathColon,
  mountPathSystem,
  mountOptionsUnsupported,
  mountOptionsBlank,
  nfsSmbOptions,
  emptydirMemoryUnlimited,
  emptydirMediumUnknown,
  emptydirOverLimit,
  modeLooksOctal,
  modeNotReadable,
  livenessPortUnknown,
  hookAlwaysFails,
  yamlBoolValue,
  classUnknownParameter,
  classParameterValue,
  classFstypeLegacyKey,
  classFstypeUnknown,
  classReservedParameter,
  classSecretHalf,
  classSecretUnnamed,
  secretKeyMissing,
  classImmediateTopologyDriver,
  classImmediateAllowedTopologies,
  classTopologyKeyUnknown,
  classExpansionDriver,
  classDefaultNotTrue,
  csiDriverCase,
  csiNodeStageSecret,
  csiCephStatic,
  csiFsxStatic,
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
  ownerUid,
  pvDeleteStatic,
  pvRecycleSource,
  localAffinityNotHost,
  pvClaimrefNoNamespace,
  pvClaimrefNoName,
  pvClaimrefNoUid,
  pvClaimrefDuplicate,
  pvDuplicateHandle,
  pvDuplicateSource,
  pvClassMountOptions,
  pvNoZone,
  pvcBindCompleted,
  localClassImmediate,
  localClassProvisioner,
  namespaceMissing,
  neededEarlier,
  quotaClassUnknown,
  pvcClassAbsentExplicit,
  csiEphemeralUndeclared,
  driverPodAnnotation,
  ...claimCauseRules,
  pvcDefaultClassOverVolume,
  pvcVolumeUntied,
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
  longhornMigratable,
  roxEmpty,
  roxWritableMount,
  rwxWritableReadonlyClaim,
  pvcReadonlyOverrides,
  blockClaimMounted,
  subpathOnBlock,
  filesystemClaimDevice,
  blockFstype,
  blockMountOptions,
  subpathKeyMissing,
  configMountedAsDirectory,
  mountFileInConfig,
  commandNotExecutable,
  commandHidden,
  configVolumeWritten,
  rootReadOnly,
  subpathConfigUpdate,
  subpathNotExpanded,
  subpathReadonlyCreate,
  volumeNotWritable,
  mountRootOnly,
  chownRefused,
  chownWithoutEffect,
  dataDirLostFound,
  dataDirOwnedByRoot,
  dataDirNotMounted,
  databaseOnSmb,
  sqliteOnSmb,
  sqliteOnNfs,
  databaseOnBucket,
  subpathOwnedByRoot,
  fsgroupNotApplied,
  fsgroupOpensCookie,
  fsgroupSlow,
  fsgroupWidensMode,
  classRecreateNeeded,
  stsTemplateChanged,
  pvcShrink,
  expansionDisallowed,
  pvcImmutableChange,
  pvCapacityEdit,
  stsTemplateHidesVolume,
  stsTemplateSameName,
  stsTemplateUnmounted,
  stsAdoptsClaim,
  stsRetentionDelete,
  stsNameTooLong,
  stsTemplateChartVersion,
  stsServiceMissing,
  volumeUnused,
  datasourceDropped,
  datasourceNoGroup,
  datasourcerefNamespace,
  datasourceDriver,
  datasourceCycle,
  driverNoClone,
  datasourceIgnored,
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
  requestWarning,
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
