/**
 * Answers of the API server about storage. Upstream: pkg/apis/core/validation and pkg/apis/storage/validation v1.36,
 * plugin/pkg/admission/storage/persistentvolume/resize, plugin/pkg/admission/resourcequota, limitranger.
 */
import { partsOf } from "./message-part.ts";
import type { MessagePattern } from "./message-pattern.ts";

const part = partsOf("kube-apiserver");

function answer(
  id: string,
  rule: string,
  texts: readonly string[],
  cause: string,
  change: readonly string[],
): MessagePattern {
  return part(id, rule, texts, cause, change, "stuck");
}

export const apiMessages: readonly MessagePattern[] = [
  answer(
    "server-refused",
    "generic registry",
    [
      'Error from server ({code}): error when {verb} "{file}": {detail}',
      "Error from server ({code}): error when applying patch: {detail}",
      "Error from server ({code}): {detail}",
    ],
    "The API server refused the request ({code}).",
    [],
  ),
  answer(
    "object-forbidden",
    "admission",
    ['{resource} "{name}" is forbidden: {detail}'],
    "An admission plugin refused {resource} {name}.",
    [],
  ),
  answer(
    "object-invalid",
    "validation",
    ['The {kind} "{name}" is invalid: {detail}', '{kind} "{name}" is invalid: {detail}'],
    "{kind} {name} breaks a rule of the API.",
    [],
  ),
  answer(
    "expansion-forbidden",
    "admission PersistentVolumeClaimResize",
    [
      "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
    ],
    "The claim is to grow, and its class has no allowVolumeExpansion: true, or its volume was made by hand.",
    [
      "set allowVolumeExpansion: true on the class (it may be changed)",
      "grow a volume made by hand in the storage system and in its spec.capacity",
    ],
  ),
  answer(
    "claim-spec-immutable",
    "core/validation ValidatePersistentVolumeClaimUpdate",
    [
      "{field}spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims{rest}",
      "{field}spec is immutable after creation except resources.requests for bound claims{rest}",
      "{field}is immutable after creation except resources.requests for bound claims{rest}",
    ],
    "A claim's class, modes, selector and volume are fixed once it is made.",
    ["make a new claim, copy the data, and let the pods use the new one"],
  ),
  answer(
    "claim-shrink",
    "core/validation ValidatePersistentVolumeClaimUpdate",
    [
      "{field}field can not be less than previous value",
      "{field}field can not be less than status.capacity",
    ],
    "Claims grow and never shrink.",
    ["make a smaller claim and copy the data"],
  ),
  answer(
    "one-pod-mode-mixed",
    "core/validation ValidatePersistentVolumeClaimSpec",
    ["{field}may not use ReadWriteOncePod with other access modes"],
    "ReadWriteOncePod stands alone in accessModes.",
    ["remove the other modes, or it"],
  ),
  answer(
    "local-without-affinity",
    "core/validation ValidatePersistentVolumeSpec",
    ["{field}Local volume requires node affinity"],
    "A local volume is on one node, and has to say which.",
    ["add spec.nodeAffinity with kubernetes.io/hostname"],
  ),
  answer(
    "set-update-forbidden",
    "apps/validation ValidateStatefulSetUpdate",
    ["{field}updates to statefulset spec for fields other than {fields} are forbidden{rest}"],
    "A StatefulSet's volumeClaimTemplates and selector are fixed.",
    [
      "kubectl delete statefulset NAME --cascade=orphan, then apply the new one; grow claims one by one",
    ],
  ),
  part(
    "quota-needs-requests",
    "admission ResourceQuota",
    ["failed quota: {quota}: must specify {what}"],
    "ResourceQuota {quota} counts {what}, and the pod does not say how much it takes.",
    ["set resources for every container, or let a LimitRange give them defaults"],
  ),
  part(
    "service-account-missing",
    "admission ServiceAccount",
    ["error looking up service account {account}: {why}"],
    "The pod's service account {account} does not exist.",
    ["make it, or correct serviceAccountName"],
  ),
  part(
    "webhook-denied",
    "admission webhooks",
    [
      'admission webhook "{webhook}" denied the request: {detail}',
      'Internal error occurred: failed calling webhook "{webhook}": {why}',
      'failed calling webhook "{webhook}": {why}',
    ],
    "Webhook {webhook} of the cluster refuses the request or does not answer; its rules are not Kubernetes' own.",
    ["read its message, or look at the pods that serve it"],
  ),
  part(
    "constraints-deny",
    "admission PodSecurityPolicy, OpenShift SecurityContextConstraints",
    [
      "unable to validate against any security context constraint: {why}",
      "unable to validate against any pod security policy: {why}",
      "PodSecurityPolicy: unable to admit pod: {why}",
    ],
    "No policy that the pod's service account may use admits such a pod: its user, its group or its volume types.",
    ["change the pod, or let its service account use a policy that admits it"],
  ),
  part(
    "namespace-ends",
    "admission NamespaceLifecycle",
    ["unable to create new content in namespace {namespace} because it is being terminated"],
    "Namespace {namespace} is being deleted and takes nothing new.",
    ["use another namespace, or wait until it has gone and make it anew"],
    "stuck",
  ),
  part(
    "account-may-not",
    "authorization RBAC, Node",
    [
      '{what} is forbidden: User "{user}" cannot {verb} resource {rest}',
      'User "{user}" cannot {verb} resource {rest}',
    ],
    "{user} may not {verb} that.",
    ["give it a role that allows it: ClusterRole and binding come with the driver's manifests"],
  ),
  part(
    "write-conflict",
    "generic registry store.go",
    ['Operation cannot be fulfilled on {resource} "{name}": the object has been modified; {rest}'],
    "Somebody else has changed {resource} {name} in between; the writer reads it and tries again.",
    ["nothing, unless it goes on for minutes: then two controllers fight over the object"],
    "waits",
  ),
  part(
    "cannot-be-completed",
    "generic registry",
    ["The POST operation against {kind} could not be completed at this time, please try again."],
    "The API server was too busy, or an admission plugin of it did not answer.",
    ["wait; look at the API server's log and its webhooks"],
  ),
  part(
    "quota-exceeded",
    "admission ResourceQuota",
    ["exceeded quota: {quota}, requested: {requested}, used: {used}, limited: {limited}"],
    "ResourceQuota {quota} allows {limited} in this namespace; {used} are used and {requested} asked for.",
    ["ask for less, delete what is not needed, or raise the quota"],
  ),
  answer(
    "limit-range",
    "admission LimitRanger",
    [
      "maximum storage usage per PersistentVolumeClaim is {max}, but request is {request}",
      "minimum storage usage per PersistentVolumeClaim is {min}, but request is {request}",
    ],
    "A LimitRange of the namespace bounds the size of claims.",
    ["ask for a size within it, or change the LimitRange"],
  ),
  part(
    "limit-range-of-pods",
    "admission LimitRanger",
    [
      "maximum {resource} usage per {type} is {limit}, but {asked}",
      "minimum {resource} usage per {type} is {limit}, but {asked}",
      "{resource} max limit to request ratio per {type} is {limit}, but {asked}",
    ],
    "A LimitRange of the namespace bounds {resource} per {type} at {limit}.",
    ["change the pods' resources, or the LimitRange"],
  ),
  {
    ...part(
      "several-errors",
      "apimachinery util/errors Aggregate",
      ["[{detail}]"],
      "Several things are wrong; the list has them all.",
      [],
    ),
    detail: "list",
  },
  answer(
    "pod-security",
    "admission PodSecurity",
    ['violates PodSecurity "{level}:{version}": {violations}'],
    "The namespace holds its pods to the {level} Pod Security Standard, which forbids: {violations}.",
    [
      "change the pods",
      "label the namespace pod-security.kubernetes.io/enforce with a less strict level",
    ],
  ),
  answer(
    "volume-source-immutable",
    "core/validation ValidatePersistentVolumeUpdate",
    [
      "{field}spec.persistentvolumesource is immutable after creation{rest}",
      "{field}is immutable after creation{rest}",
    ],
    "Where a volume lies (its source) is fixed once it is made, and so are nodeAffinity and volumeMode.",
    [
      "set persistentVolumeReclaimPolicy: Retain, delete the volume object, and make it anew with the same name",
    ],
  ),
  answer(
    "class-immutable",
    "storage/validation ValidateStorageClassUpdate",
    ["{field}updates to {what} are forbidden.", "{field}updates to {what} are forbidden"],
    "The field is fixed once the object is made: a class's provisioner, parameters, reclaim policy and binding mode.",
    [
      "delete the object and make it anew (claims and volumes of a class stay as they are), or use another name",
    ],
  ),
  answer(
    "field-immutable",
    "apimachinery api/validation ValidateImmutableField",
    [
      "{field}field is immutable",
      "{field}field is immutable, except for updating from beta label to GA",
    ],
    "The field is fixed once the object is made.",
    ["delete the object and make it anew, or use another name"],
  ),
  answer(
    "pod-update-forbidden",
    "core/validation ValidatePodUpdate",
    ["{field}pod updates may not change fields other than {fields}"],
    "A pod's volumes, mounts and most other fields are fixed once it is made.",
    ["delete the pod and make it anew; change a Deployment's or StatefulSet's template instead"],
  ),
  answer(
    "volume-type-missing",
    "core/validation validateVolumeSource, ValidatePersistentVolumeSpec",
    ["{field}must specify a volume type"],
    "The volume does not say what it is: hostPath, nfs, csi, local or another type.",
    [
      "add one type",
      "leave the PersistentVolume out where a class makes volumes: its claim is enough",
    ],
  ),
  answer(
    "several-volume-types",
    "core/validation validateVolumeSource, ValidatePersistentVolumeSpec",
    [
      "{field}may not specify more than 1 volume type",
      "{field}may not specify more than one volume type",
    ],
    "A volume has one source.",
    ["leave one of the sources"],
  ),
  answer(
    "mount-path-repeated",
    "core/validation ValidateVolumeMounts",
    ["{field}must be unique"],
    "Two entries have the same value where each must have its own.",
    ["give each its own mountPath, devicePath or name"],
  ),
  answer(
    "quantity-unreadable",
    "apimachinery resource.Quantity",
    ["{before}quantities must match the regular expression {expression}"],
    "A quantity cannot be read: it is a number with a unit such as Mi, Gi, M or G, without a blank.",
    ["write 10Gi, 500Mi or 1Ti"],
  ),
  answer(
    "kind-not-served",
    "kubectl, RESTMapper",
    [
      '{before}no matches for kind "{kind}" in version "{version}"{rest}',
      "the server doesn't have a resource type {type}",
    ],
    "The cluster does not serve that kind in that version: a CustomResourceDefinition is missing, or the version was removed.",
    [
      "install what defines the kind (the snapshot CRDs with the snapshot controller)",
      "correct apiVersion",
    ],
  ),
  answer(
    "object-exists",
    "generic registry",
    ['{resource} "{name}" already exists'],
    "{resource} {name} exists already.",
    ["use kubectl apply instead of create, or another name"],
  ),
  answer(
    "name-not-there",
    "validation",
    ["{fieldPath}: Not found: {missing}"],
    "{fieldPath} names {missing}, which is not in the same object: a volume of the pod, most often.",
    ["add the volume under spec.volumes or volumeClaimTemplates, or correct the name"],
  ),
  answer(
    "value-missing",
    "validation",
    ["{fieldPath}: Required value: {why}", "{fieldPath}: Required value"],
    "{fieldPath} is missing.",
    ["add it"],
  ),
  answer(
    "value-unsupported",
    "validation",
    ["{fieldPath}: Unsupported value: {value}: supported values: {values}"],
    "{fieldPath} cannot be {value}.",
    ["use one of the values that the message names"],
  ),
  answer(
    "value-forbidden",
    "validation",
    [
      "{fieldPath}: Forbidden: {why}",
      "{fieldPath}: Invalid value: {why}",
      "{fieldPath}: Duplicate value: {why}",
    ],
    "{fieldPath} cannot be what it is: {why}",
    ["correct the field"],
  ),
  part(
    "priority-class-not-found",
    "admission plugin Priority",
    ["no PriorityClass with name {class} was found"],
    "PriorityClass {class} does not exist.",
    ["make it, or correct the name"],
  ),
  part(
    "object-not-found",
    "generic registry",
    ['{resource} "{name}" not found'],
    "{resource} {name} does not exist.",
    ["make it, or correct the name"],
  ),
];
