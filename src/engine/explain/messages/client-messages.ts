/**
 * What kubectl and helm say of manifests that they do not send, or that were refused. Upstream: kube-openapi
 * pkg/util/proto/validation (kubectl up to 1.24 by itself, later with --validate=strict against older clusters), apimachinery
 * pkg/runtime/serializer strict decoding, structured-merge-diff v6 typed, helm pkg/kube client.go.
 */
import { partsOf } from "./message-part.ts";
import type { MessagePattern } from "./message-pattern.ts";

const kubectl = partsOf("kubectl");
const apiserver = partsOf("kube-apiserver");
const helm = partsOf("helm");
const switchedOff =
  "; if you choose to ignore these errors, turn validation off with --validate=false";

export const clientMessages: readonly MessagePattern[] = [
  kubectl(
    "manifest-not-sent",
    "kubectl pkg/validation; cli-runtime pkg/resource/visitor.go",
    ["error: ", ""].flatMap((start) => [
      `${start}error validating "{file}": error validating data: {detail}${switchedOff}`,
      `${start}error validating "{file}": error validating data: {detail}`,
    ]),
    "The manifest does not fit the API's schema, and was not sent.",
    [],
    "stuck",
  ),
  kubectl(
    "field-not-in-schema",
    "kube-openapi validation/errors.go UnknownFieldError",
    ['ValidationError({path}): unknown field "{key}" in {schema}'],
    "The manifest has a field at {path} that the API does not know: {key}.",
    ["correct its name or its indentation: most often it belongs elsewhere, or to another kind"],
    "stuck",
  ),
  apiserver(
    "manifest-not-read",
    "apiserver endpoints/handlers/rest.go transformDecodeError",
    ['{kind} in version "{version}" cannot be handled as a {type}: {detail}'],
    "The API server cannot read the manifest as a {type}.",
    [],
    "stuck",
  ),
  apiserver(
    "field-unknown",
    "apimachinery runtime.NewStrictDecodingError",
    ['strict decoding error: unknown field "{key}"{rest}'],
    "The manifest has a field that the API does not know: {key}.",
    ["correct its name or its indentation: most often it belongs elsewhere, or to another kind"],
    "stuck",
  ),
  apiserver(
    "field-not-declared",
    "structured-merge-diff typed/validate.go visitMapItems, in a server-side apply",
    [
      "failed to create typed patch object ({namespace}/{name}; {version}, Kind={kind}): .{field}: field not declared in schema",
      "failed to create typed patch object (/{name}; {version}, Kind={kind}): .{field}: field not declared in schema",
    ],
    "{kind} {name} has a field that the API does not know: {field}.",
    ["correct its name or its indentation: most often it belongs elsewhere, or to another kind"],
    "stuck",
  ),
  kubectl(
    "field-missing",
    "kube-openapi validation/errors.go MissingRequiredFieldError",
    [
      'ValidationError({path}): missing required field "{key}" in {schema}',
      "field {key} for {schema} is required",
    ],
    "The manifest lacks {key}, which its kind must have.",
    ["add it"],
    "stuck",
  ),
  kubectl(
    "kind-not-told",
    "kubectl pkg/validation schema.go",
    ["apiVersion not set", "kind not set"],
    "A document of the file does not say its kind or the kind's version.",
    ["add apiVersion and kind, or take the document out: an empty one between two --- too"],
    "stuck",
  ),
  kubectl(
    "field-of-other-type",
    "kube-openapi validation/errors.go InvalidTypeError",
    [
      'ValidationError({path}): invalid type for {where}: got "{found}", expected "{wanted}"',
      "json: cannot unmarshal {found} into Go struct field {where} of type {wanted}",
    ],
    "{where} has a value of another type: {found} instead of {wanted}.",
    ["give it a value of that type; numbers that are texts need quotation marks"],
    "stuck",
  ),
  {
    id: "helm-waited",
    component: "helm",
    rule: "pkg/kube/wait.go, --wait",
    texts: [
      "Error: INSTALLATION FAILED: timed out waiting for the condition",
      "Error: UPGRADE FAILED: timed out waiting for the condition",
      "Error: INSTALLATION FAILED: context deadline exceeded",
      "Error: UPGRADE FAILED: context deadline exceeded",
      "Error: timed out waiting for the condition",
    ],
    outlook: "retried",
    cause:
      "helm --wait waits until every claim of the release is Bound and every pod ready. A claim whose class has WaitForFirstConsumer never is without a pod that uses it.",
    change: [
      "read the events of the release's claims and pods: the cause is there",
      "leave claims that nothing uses out of the release, or install without --wait",
    ],
  },
  helm(
    "release-failed",
    "pkg/cmd upgrade.go, install.go",
    ["Error: UPGRADE FAILED: {detail}", "Error: INSTALLATION FAILED: {detail}"],
    "The release was not installed as it is.",
    [],
    "stuck",
  ),
  helm(
    "release-not-patched",
    "pkg/kube/client.go updateResource",
    ['cannot patch "{name}" with kind {kind}: {detail}'],
    "{kind} {name} of the release could not be changed.",
    [],
    "stuck",
  ),
];
