/**
 * Which names a release may have. Upstream: pkg/chart/v2/util/validate_name.go ValidateReleaseName, pkg/action/install.go
 * NameAndChart, TemplateName.
 */
import { sprigFunctions } from "../functions/all.ts";
import { executeAsGo } from "../go-template/execution.ts";
import { readTemplates } from "../go-template/templates.ts";

const pattern = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";
const lengthMax = 53;
/** Only applied to names up to the maximum length, so that matching cannot take long. */
const isProper = new RegExp(pattern);

/** Why Helm refuses the name; undefined if it does not. */
export function releaseNameComplaint(name: string): string | undefined {
  if (name.length <= lengthMax && isProper.test(name)) return undefined;
  return `release name check failed: release name "${name}": invalid release name, must match regex ${pattern} and the length must not be longer than ${lengthMax}`;
}

/** The name, or a similar one that Helm accepts. */
export function properReleaseName(name: string): string {
  if (releaseNameComplaint(name) === undefined) return name;
  const words = name
    .slice(0, lengthMax)
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join("-") ?? "release";
}

export interface AskedName {
  /** "" if there is none. */
  readonly name: string;
  readonly template: string;
}

/** The name that `helm template --generate-name` gives to a release without one. */
const nameless = "release-name";

/** The name that a release gets, or why Helm refuses it. */
export function releaseNameOf({ name, template }: AskedName): string | { refusal: string } {
  if (template !== "" && name !== "")
    return { refusal: "cannot set --name-template and also specify a name" };
  const made = template === "" ? name || nameless : printed(template);
  const refusal = typeof made === "string" ? releaseNameComplaint(made) : undefined;
  return refusal === undefined ? made : { refusal };
}

/** Executes the template without any data. */
function printed(text: string): string | { refusal: string } {
  const source = { name: "name-template", uri: "", text };
  const { templates, problems } = readTemplates([source], sprigFunctions);
  const [unread] = problems;
  if (unread !== undefined) return { refusal: unread.message };
  const { output, problem } = executeAsGo(templates, source.name, null, sprigFunctions);
  return problem === undefined ? output.text : { refusal: problem.message };
}
