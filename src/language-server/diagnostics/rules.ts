/** All rules, in the order in which their findings are listed where they share a place. */
import { affinityNodeUnknown } from "./affinity-node-unknown.ts";
import { apiRefused, apiWarning } from "./api-refused.ts";
import { apiVersionRemoved, kindWrongGroup } from "./api-version-removed.ts";
import { claimStaysPending } from "./claim-stays-pending.ts";
import { classMultipleDefaults } from "./class-multiple-defaults.ts";
import { classSecretMissing } from "./class-secret-missing.ts";
import { classWffcNoConsumer } from "./class-wffc-no-consumer.ts";
import { csidriverMissing, provisionerTypo, provisionerUnknown } from "./csidriver-missing.ts";
import { datasourceMissing } from "./datasource-missing.ts";
import { documentSeparator } from "./document-separator.ts";
import { duplicateObject } from "./duplicate-object.ts";
import { helmTemplate } from "./helm-template.ts";
import { kindMissing } from "./kind-missing.ts";
import { namespaceOnClusterScoped } from "./namespace-on-cluster-scoped.ts";
import { podClaimMissing, podClaimOtherNamespace } from "./pod-claim-missing.ts";
import { podConfigMissing } from "./pod-config-missing.ts";
import { podDoesNotStart } from "./pod-does-not-start.ts";
import { podStaysPending } from "./pod-stays-pending.ts";
import { projectFileProblem } from "./project-file-problem.ts";
import { pvClaimrefMissingClaim } from "./pv-claimref-missing-claim.ts";
import { pvcBetaAnnotationWins } from "./pvc-beta-annotation-wins.ts";
import { pvcClassMissing, pvcClassTypo } from "./pvc-class-missing.ts";
import { pvcVolumenameMissing } from "./pvc-volumename-missing.ts";
import { requestRefused } from "./request-refused.ts";
import type { Rule } from "./rule.ts";
import { serverMetadata } from "./server-metadata.ts";
import { snapshotClassMissing } from "./snapshot-class-missing.ts";
import { snapshotNotReady } from "./snapshot-not-ready.ts";
import { vacMissing } from "./vac-missing.ts";
import { volumeUnusable } from "./volume-unusable.ts";
import { workloadIncomplete } from "./workload-incomplete.ts";
import { yamlDuplicateKey } from "./yaml-duplicate-key.ts";
import { fileLimit, yamlLimit } from "./yaml-limit.ts";
import { yamlSyntax } from "./yaml-syntax.ts";

export const rules: readonly Rule[] = [
  yamlSyntax,
  yamlLimit,
  fileLimit,
  documentSeparator,
  helmTemplate,
  projectFileProblem(() => ruleIds),
  kindMissing,
  kindWrongGroup,
  apiVersionRemoved,
  apiRefused,
  apiWarning,
  yamlDuplicateKey,
  namespaceOnClusterScoped,
  serverMetadata,
  duplicateObject,
  pvcClassMissing,
  pvcClassTypo,
  pvcVolumenameMissing,
  pvcBetaAnnotationWins,
  podClaimMissing,
  podClaimOtherNamespace,
  podConfigMissing,
  datasourceMissing,
  snapshotClassMissing,
  vacMissing,
  classMultipleDefaults,
  classSecretMissing,
  provisionerTypo,
  provisionerUnknown,
  csidriverMissing,
  affinityNodeUnknown,
  pvClaimrefMissingClaim,
  requestRefused,
  claimStaysPending,
  classWffcNoConsumer,
  podStaysPending,
  podDoesNotStart,
  volumeUnusable,
  snapshotNotReady,
  workloadIncomplete,
];

export const ruleIds: readonly string[] = [...new Set(rules.map(({ id }) => id))];
