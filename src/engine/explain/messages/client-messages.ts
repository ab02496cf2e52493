/**
 * Messages of kubectl and helm about manifests that they do not send, or that were refused. Upstream: kube-openapi
 * pkg/util/proto/validation (kubectl up to 1.24 by itself, later with --validate=strict against older clusters), apimachinery
 * pkg/runtime/serializer strict decoding, structured-merge-diff v6 typed, helm pkg/kube client.go.
 */

import type { MessagePattern } from "./message-pattern.ts";
import { messagesOf } from "./messages-of.ts";

const kubectl = messagesOf("kubectl");
const apiserver = messagesOf("kube-apiserver");
const helm = messagesOf("helm");
const switchedOff =
  "; if you choose to ignore these errors, turn validation off with --validate=false";

export const clientMessages: readonly MessagePattern[] = [
  kubectl({
    id: "manifest-not-sent",
    rule: "kubectl pkg/validation; cli-runtime pkg/resource/visitor.go",
    texts: ["error: ", ""].flatMap((start) => [
      `${start}error validating "{file}": error validating data: {detail}${switchedOff}`,
      `${start}error validating "{file}": error validating data: {detail}`,
    ]),
    cause: "The manifest does not fit the API's schema, and was not sent.",
    change: [],
    outlook: "stuck",
  }),
  kubectl({
    id: "field-not-in-schema",
    rule: "kube-openapi validation/errors.go UnknownFieldError",
    texts: ['ValidationError({path}): unknown field "{key}" in {schema}'],
    cause: "The manifest has a field at {path} that the API does not know: {key}.",
    change: [
      "correct its name or its indentation: most often it belongs elsewhere, or to another kind",
    ],
    outlook: "stuck",
  }),
  apiserver({
    id: "manifest-not-read",
    rule: "apiserver endpoints/handlers/rest.go transformDecodeError",
    texts: ['{kind} in version "{version}" cannot be handled as a {type}: {detail}'],
    cause: "The API server cannot read the manifest as a {type}.",
    change: [],
    outlook: "stuck",
  }),
  apiserver({
    id: "field-unknown",
    rule: "apimachinery runtime.NewStrictDecodingError",
    texts: ['strict decoding error: unknown field "{key}"{rest}'],
    cause: "The manifest has a field that the API does not know: {key}.",
    change: [
      "correct its name or its indentation: most often it belongs elsewhere, or to another kind",
    ],
    outlook: "stuck",
  }),
  apiserver({
    id: "field-not-declared",
    rule: "structured-merge-diff typed/validate.go visitMapItems, in a server-side apply",
    texts: [
      "failed to create typed patch object ({namespace}/{name}; {version}, Kind={kind}): .{field}: field not declared in schema",
      "failed to create typed patch object (/{name}; {version}, Kind={kind}): .{field}: field not declared in schema",
    ],
    cause: "{kind} {name} has a field that the API does not know: {field}.",
    change: [
      "correct its name or its indentation: most often it belongs elsewhere, or to another kind",
    ],
    outlook: "stuck",
  }),
  kubectl({
    id: "field-missing",
    rule: "kube-openapi validation/errors.go MissingRequiredFieldError",
    texts: [
      'ValidationError({path}): missing required field "{key}" in {schema}',
      "field {key} for {schema} is required",
    ],
    cause: "The manifest lacks {key}, which its kind must have.",
    change: ["add it"],
    outlook: "stuck",
  }),
  kubectl({
    id: "kind-not-told",
    rule: "kubectl pkg/validation schema.go",
    texts: ["apiVersion not set", "kind not set"],
    cause: "A document of the file does not say its kind or the kind's version.",
    change: ["add apiVersion and kind, or take the document out: an empty one between two --- too"],
    outlook: "stuck",
  }),
  kubectl({
    id: "field-of-other-type",
    rule: "kube-openapi validation/errors.go InvalidTypeError",
    texts: [
      'ValidationError({path}): invalid type for {where}: got "{found}", expected "{wanted}"',
      "json: cannot unmarshal {found} into Go struct field {where} of type {wanted}",
    ],
    cause: "{where} has a value of another type: {found} instead of {wanted}.",
    change: ["give it a value of that type; numbers that are texts need quotation marks"],
    outlook: "stuck",
  }),
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
  helm({
    id: "release-failed",
    rule: "pkg/cmd upgrade.go, install.go",
    texts: ["Error: UPGRADE FAILED: {detail}", "Error: INSTALLATION FAILED: {detail}"],
    cause: "The release was not installed as it is.",
    change: [],
    outlook: "stuck",
  }),
  helm({
    id: "release-not-patched",
    rule: "pkg/kube/client.go updateResource",
    texts: ['cannot patch "{name}" with kind {kind}: {detail}'],
    cause: "{kind} {name} of the release could not be changed.",
    change: [],
    outlook: "stuck",
  }),
];
