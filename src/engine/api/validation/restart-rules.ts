/**
 * Restart policies and rules of single containers. Upstream: pkg/apis/core/validation validateContainerRestartPolicy,
 * validateInitContainerRestartPolicy, v1.36 and v1.35.
 */
import { refusesOwnRestartPolicy, restartsAllContainers } from "../../version-differences.ts";
import { asJson, type FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import type { Container, ContainerRestartRule } from "../types.ts";

const policies: readonly string[] = ["Always", "Never", "OnFailure"];
const operators: readonly string[] = ["In", "NotIn"];
const ruleCountMax = 20;
const exitCodeCountMax = 255;
const noRulesOfSidecars =
  "restartPolicyRules are not allowed for init containers with restart policy Always";

/** `path` is the container's. */
export function validateRestarts(
  { restartPolicy: policy, restartPolicyRules: rules = [] }: Container,
  path: FieldPath,
  errors: FieldErrors,
  isInit = false,
): void {
  if (refusesOwnRestartPolicy(errors.version)) {
    validateSidecarPolicy(policy, isInit, path.child("restartPolicy"), errors);
    return;
  }
  const policyPath = path.child("restartPolicy");
  const rulesPath = path.child("restartPolicyRules");
  if (isInit && policy === "Always" && !restartsAllContainers(errors.version)) {
    if (rules.length > 0) errors.forbidden(rulesPath, noRulesOfSidecars);
    return;
  }
  if (policy === undefined) {
    if (rules.length > 0)
      errors.required(policyPath, "must specify restartPolicy when restart rules are used");
    // Upstream: validateInitContainerRestartPolicy, which stops here.
    if (isInit) return;
  } else if (!policies.includes(policy)) {
    errors.notSupported(policyPath, asJson(policy), policies);
  }
  if (rules.length > ruleCountMax) errors.tooMany(rulesPath, rules.length, ruleCountMax);
  rules.forEach((rule, index) => {
    validateRule(rule, rulesPath.index(index), errors);
  });
}

/** Upstream: validateInitContainerRestartPolicy, and the end of validateContainers, v1.33. */
function validateSidecarPolicy(
  policy: string | undefined,
  isInit: boolean,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (policy === undefined) return;
  if (!isInit) errors.forbidden(path, "may not be set for non-init containers");
  else if (policy !== "Always") errors.notSupported(path, asJson(policy), ["Always"]);
}

function validateRule(
  { action, exitCodes }: ContainerRestartRule,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const actions = restartsAllContainers(errors.version)
    ? ["Restart", "RestartAllContainers"]
    : ["Restart"];
  if (!actions.includes(action)) errors.notSupported(path.child("action"), asJson(action), actions);
  const codesPath = path.child("exitCodes");
  if (exitCodes === undefined) {
    errors.required(codesPath, "must be specified");
    return;
  }
  const { operator, values = [] } = exitCodes;
  if (!operators.includes(operator))
    errors.notSupported(codesPath.child("operator"), asJson(operator), operators);
  if (values.length > exitCodeCountMax)
    errors.tooMany(codesPath.child("values"), values.length, exitCodeCountMax);
}
