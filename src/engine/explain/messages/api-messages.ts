/**
 * Answers of the API server about storage. Upstream: pkg/apis/core/validation and pkg/apis/storage/validation v1.36,
 * plugin/pkg/admission/storage/persistentvolume/resize, plugin/pkg/admission/resourcequota, limitranger.
 */

import type { MessagePattern } from "./message-pattern.ts";
import { type Message, messagesOf } from "./messages-of.ts";

const apiserver = messagesOf("kube-apiserver");

/** An answer to a request, which stays refused. */
function answer(message: Omit<Message, "outlook">): MessagePattern {
  return apiserver({ outlook: "stuck", ...message });
}

const constraint = messagesOf(
  "kube-apiserver",
  "admission PodSecurityPolicy, OpenShift SecurityContextConstraints, ",
);

/** Objections of a policy to one field of the pod. Upstream: openshift/apiserver-library-go pkg/securitycontextconstraints. */
const constraintMessages: readonly MessagePattern[] = [
  constraint({
    id: "constraint-group",
    rule: "group/mustrunas.go Validate",
    texts: ["{fieldPath}: Invalid value: {given}: {group} is not an allowed group"],
    cause:
      "Group {group} is none that the policies take: those of the namespace's range (annotation openshift.io/sa.scc.supplemental-groups).",
    change: [
      "leave out fsGroup and supplementalGroups: the first group of the range is filled in",
      "let the service account use a policy that takes any group: nonroot-v2 or anyuid",
    ],
  }),
  constraint({
    id: "constraint-user",
    rule: "user/mustrunasrange.go Validate",
    texts: ["{fieldPath}: Invalid value: {given}: must be in the ranges: {range}"],
    cause:
      "User {given} is none that the policies take: those of the namespace's range (annotation openshift.io/sa.scc.uid-range).",
    change: [
      "leave out runAsUser: the first user of the range is filled in, and can write by fsGroup, which is filled in, too",
      "let the service account use a policy that takes any user: nonroot-v2 or anyuid",
    ],
  }),
  constraint({
    id: "constraint-volume",
    rule: "sccmatching/provider.go ValidatePodSecurityContext",
    texts: ["{fieldPath}: Invalid value: {given}: {type} volumes are not allowed to be used"],
    cause: "The policies let a pod bring no volume of type {type} along.",
    change: [
      "make a PersistentVolume of that source and a claim for it, which they let it use",
      "let the service account use a policy that takes the type: hostmount-anyuid for hostPath and nfs",
    ],
  }),
];

export const apiMessages: readonly MessagePattern[] = [
  answer({
    id: "server-refused",
    rule: "generic registry",
    texts: [
      'Error from server ({code}): error when {verb} "{file}": {detail}',
      "Error from server ({code}): error when applying patch: {detail}",
      "Error from server ({code}): {detail}",
    ],
    cause: "The API server refused the request ({code}).",
    change: [],
  }),
  answer({
    id: "object-forbidden",
    rule: "admission",
    texts: ['{resource} "{name}" is forbidden: {detail}'],
    cause: "An admission plugin refused {resource} {name}.",
    change: [],
  }),
  answer({
    id: "object-invalid",
    rule: "validation",
    texts: ['The {kind} "{name}" is invalid: {detail}', '{kind} "{name}" is invalid: {detail}'],
    cause: "{kind} {name} breaks a rule of the API.",
    change: [],
  }),
  answer({
    id: "expansion-forbidden",
    rule: "admission PersistentVolumeClaimResize",
    texts: [
      "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
    ],
    cause:
      "The claim is to grow, and its class has no allowVolumeExpansion: true, or its volume was made by hand.",
    change: [
      "set allowVolumeExpansion: true on the class (it may be changed)",
      "grow a volume made by hand in the storage system and in its spec.capacity",
    ],
  }),
  answer({
    id: "claim-spec-immutable",
    rule: "core/validation ValidatePersistentVolumeClaimUpdate",
    texts: [
      "{field}spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims{detail}",
      "{field}spec is immutable after creation except resources.requests for bound claims{detail}",
      "{field}is immutable after creation except resources.requests for bound claims{detail}",
    ],
    cause: "A claim's class, modes, selector and volume are fixed once it is made.",
    change: [
      "leave the field as the claim has it; where it has to be another, make a new claim, copy the data, and let the pods use the new one",
    ],
  }),
  answer({
    id: "claim-field-emptied",
    rule: "core/validation ValidatePersistentVolumeClaimUpdate, its comparison",
    texts: [
      '- VolumeName: "{volume}", + VolumeName: ""',
      '- "VolumeName": "{volume}", + "VolumeName": ""',
      '- StorageClassName: &"{class}", + StorageClassName: nil',
      '- "StorageClassName": "{class}", + "StorageClassName": null',
    ],
    cause:
      "What is sent no longer names the claim's volume or class, which the cluster has filled in. Who applies a manifest leaves alone what it does not name; who replaces the claim by it takes that away, as kubectl replace and Argo CD's Replace=true do.",
    change: [
      "apply the manifest instead: in Argo CD without Replace=true",
      "or write volumeName and storageClassName into it as the claim has them",
    ],
    isAnywhere: true,
  }),
  answer({
    id: "claim-shrink",
    rule: "core/validation ValidatePersistentVolumeClaimUpdate",
    texts: [
      "{field}field can not be less than previous value",
      "{field}field can not be less than status.capacity",
    ],
    cause: "Claims grow and never shrink.",
    change: ["make a smaller claim and copy the data"],
  }),
  answer({
    id: "one-pod-mode-mixed",
    rule: "core/validation ValidatePersistentVolumeClaimSpec",
    texts: ["{field}may not use ReadWriteOncePod with other access modes"],
    cause: "ReadWriteOncePod stands alone in accessModes.",
    change: ["remove the other modes, or it"],
  }),
  answer({
    id: "local-without-affinity",
    rule: "core/validation ValidatePersistentVolumeSpec",
    texts: ["{field}Local volume requires node affinity"],
    cause: "A local volume is on one node, and has to say which.",
    change: ["add spec.nodeAffinity with kubernetes.io/hostname"],
  }),
  answer({
    id: "set-update-forbidden",
    rule: "apps/validation ValidateStatefulSetUpdate",
    texts: [
      "{field}updates to statefulset spec for fields other than {fields} are forbidden{rest}",
    ],
    cause: "A StatefulSet's volumeClaimTemplates and selector are fixed.",
    change: [
      "kubectl delete statefulset NAME --cascade=orphan, then apply the new one; grow claims one by one",
    ],
  }),
  apiserver({
    id: "quota-needs-requests",
    rule: "admission ResourceQuota",
    texts: ["failed quota: {quota}: must specify {what}"],
    cause: "ResourceQuota {quota} counts {what}, and the pod does not say how much it takes.",
    change: ["set resources for every container, or let a LimitRange give them defaults"],
  }),
  apiserver({
    id: "service-account-missing",
    rule: "admission ServiceAccount",
    texts: ["error looking up service account {account}: {why}"],
    cause: "The pod's service account {account} does not exist.",
    change: ["make it, or correct serviceAccountName"],
  }),
  apiserver({
    id: "webhook-denied",
    rule: "admission webhooks",
    texts: [
      'admission webhook "{webhook}" denied the request: {detail}',
      'Internal error occurred: failed calling webhook "{webhook}": {why}',
      'failed calling webhook "{webhook}": {why}',
    ],
    cause:
      "Webhook {webhook} of the cluster refuses the request or does not answer; its rules are not Kubernetes' own.",
    change: ["read its message, or look at the pods that serve it"],
  }),
  apiserver({
    id: "constraints-deny",
    rule: "admission PodSecurityPolicy, OpenShift SecurityContextConstraints",
    texts: [
      "unable to validate against any security context constraint: {detail}",
      "unable to validate against any pod security policy: {detail}",
      "PodSecurityPolicy: unable to admit pod: {detail}",
    ],
    cause:
      "No policy that the pod's service account may use admits such a pod: its user, its group or its volume types.",
    change: ["change the pod, or let its service account use a policy that admits it"],
  }),
  apiserver({
    id: "namespace-ends",
    rule: "admission NamespaceLifecycle",
    texts: ["unable to create new content in namespace {namespace} because it is being terminated"],
    cause: "Namespace {namespace} is being deleted and takes nothing new.",
    change: ["use another namespace, or wait until it has gone and recreate it"],
    outlook: "stuck",
  }),
  apiserver({
    id: "account-may-not",
    rule: "authorization RBAC, Node",
    texts: [
      '{what} is forbidden: User "{user}" cannot {verb} resource {rest}',
      'User "{user}" cannot {verb} resource {rest}',
    ],
    cause: "{user} may not {verb} that.",
    change: [
      "give it a role that allows it: ClusterRole and binding come with the driver's manifests",
    ],
  }),
  apiserver({
    id: "write-conflict",
    rule: "generic registry store.go",
    texts: [
      'Operation cannot be fulfilled on {resource} "{name}": the object has been modified; {rest}',
    ],
    cause:
      "Somebody else has changed {resource} {name} in between; the writer reads it and tries again.",
    change: ["nothing, unless it goes on for minutes: then two controllers fight over the object"],
    outlook: "waits",
  }),
  apiserver({
    id: "cannot-be-completed",
    rule: "generic registry",
    texts: [
      "The POST operation against {kind} could not be completed at this time, please try again.",
    ],
    cause: "The API server was too busy, or an admission plugin of it did not answer.",
    change: ["wait; look at the API server's log and its webhooks"],
  }),
  apiserver({
    id: "quota-exceeded",
    rule: "admission ResourceQuota",
    texts: ["exceeded quota: {quota}, requested: {requested}, used: {used}, limited: {limited}"],
    cause:
      "ResourceQuota {quota} allows {limited} in this namespace; {used} are used and {requested} asked for.",
    change: ["ask for less, delete what is not needed, or raise the quota"],
  }),
  answer({
    id: "limit-range",
    rule: "admission LimitRanger",
    texts: [
      "maximum storage usage per PersistentVolumeClaim is {max}, but request is {request}",
      "minimum storage usage per PersistentVolumeClaim is {min}, but request is {request}",
    ],
    cause: "A LimitRange of the namespace bounds the size of claims.",
    change: ["ask for a size within it, or change the LimitRange"],
  }),
  apiserver({
    id: "limit-range-of-pods",
    rule: "admission LimitRanger",
    texts: [
      "maximum {resource} usage per {type} is {limit}, but {asked}",
      "minimum {resource} usage per {type} is {limit}, but {asked}",
      "{resource} max limit to request ratio per {type} is {limit}, but {asked}",
    ],
    cause: "A LimitRange of the namespace bounds {resource} per {type} at {limit}.",
    change: ["change the pods' resources, or the LimitRange"],
  }),
  apiserver({
    id: "several-errors",
    rule: "apimachinery util/errors Aggregate",
    texts: ["[{detail}]"],
    cause: "Several things are wrong; the list has them all.",
    change: [],
    detail: "list",
  }),
  answer({
    id: "pod-security",
    rule: "admission PodSecurity",
    texts: ['violates PodSecurity "{level}:{version}": {violations}'],
    cause:
      "The namespace holds its pods to the {level} Pod Security Standard, which forbids: {violations}.",
    change: [
      "set in the securityContext of the pod and of each container what the message wants set, and leave out what it forbids",
      "label the namespace pod-security.kubernetes.io/enforce with a less strict level",
    ],
  }),
  apiserver({
    id: "pod-security-warned",
    rule: "admission PodSecurity, at warn",
    texts: ['would violate PodSecurity "{level}:{version}": {violations}'],
    cause:
      "The namespace warns of pods beyond the {level} Pod Security Standard: {violations}. That alone refuses nothing; its label pod-security.kubernetes.io/enforce does, and then pods only, not the workloads that make them.",
    change: ["change what the message names in the pods, if the level is to be enforced"],
    outlook: "waits",
  }),
  answer({
    id: "volume-source-immutable",
    rule: "core/validation ValidatePersistentVolumeUpdate",
    texts: [
      "{field}spec.persistentvolumesource is immutable after creation{rest}",
      "{field}is immutable after creation{rest}",
    ],
    cause:
      "Where a volume lies (its source) is fixed once it is made, and so are nodeAffinity and volumeMode.",
    change: [
      "set persistentVolumeReclaimPolicy: Retain, delete the volume object, and recreate it with the same name",
    ],
  }),
  answer({
    id: "class-immutable",
    rule: "storage/validation ValidateStorageClassUpdate",
    texts: ["{field}updates to {what} are forbidden.", "{field}updates to {what} are forbidden"],
    cause:
      "The field is fixed once the object is made: a class's provisioner, parameters, reclaim policy and binding mode.",
    change: [
      "delete the object and recreate it (claims and volumes of a class stay as they are), or use another name",
    ],
  }),
  answer({
    id: "field-immutable",
    rule: "apimachinery api/validation ValidateImmutableField",
    texts: [
      "{field}field is immutable",
      "{field}field is immutable, except for updating from beta label to GA",
    ],
    cause: "The field is fixed once the object is made.",
    change: ["delete the object and recreate it, or use another name"],
  }),
  answer({
    id: "pod-update-forbidden",
    rule: "core/validation ValidatePodUpdate",
    texts: ["{field}pod updates may not change fields other than {fields}"],
    cause: "A pod's volumes, mounts and most other fields are fixed once it is made.",
    change: [
      "delete the pod and recreate it; change a Deployment's or StatefulSet's template instead",
    ],
  }),
  answer({
    id: "volume-type-missing",
    rule: "core/validation validateVolumeSource, ValidatePersistentVolumeSpec",
    texts: ["{field}must specify a volume type"],
    cause: "The volume does not say what it is: hostPath, nfs, csi, local or another type.",
    change: [
      "add one type",
      "leave the PersistentVolume out where a class makes volumes: its claim is enough",
    ],
  }),
  answer({
    id: "several-volume-types",
    rule: "core/validation validateVolumeSource, ValidatePersistentVolumeSpec",
    texts: [
      "{field}may not specify more than 1 volume type",
      "{field}may not specify more than one volume type",
    ],
    cause: "A volume has one source.",
    change: ["leave one of the sources"],
  }),
  answer({
    id: "mount-path-repeated",
    rule: "core/validation ValidateVolumeMounts",
    texts: ["{field}must be unique"],
    cause: "Two entries have the same value where each must have its own.",
    change: ["give each its own mountPath, devicePath or name"],
  }),
  answer({
    id: "quantity-unreadable",
    rule: "apimachinery resource.Quantity",
    texts: ["{before}quantities must match the regular expression {expression}"],
    cause:
      "A quantity cannot be read: it is a number with a unit such as Mi, Gi, M or G, without a blank.",
    change: ["write 10Gi, 500Mi or 1Ti"],
  }),
  answer({
    id: "kind-not-served",
    rule: "kubectl, RESTMapper",
    texts: [
      '{before}no matches for kind "{kind}" in version "{version}"{rest}',
      "the server doesn't have a resource type {type}",
    ],
    cause:
      "The cluster does not serve that kind in that version: a CustomResourceDefinition is missing, or the version was removed.",
    change: [
      "install what defines the kind (the snapshot CRDs with the snapshot controller)",
      "correct apiVersion",
    ],
  }),
  answer({
    id: "object-still-goes",
    rule: "generic registry store.go Create",
    texts: ['object is being deleted: {resource} "{name}" already exists'],
    cause: "{resource} {name} is being deleted, and another of that name waits until it is gone.",
    change: [
      "wait; if it stays, look at its metadata.finalizers, and at what those who set them wait for",
    ],
  }),
  answer({
    id: "object-exists",
    rule: "generic registry",
    texts: ['{resource} "{name}" already exists'],
    cause: "{resource} {name} exists already.",
    change: ["use kubectl apply instead of create, or another name"],
  }),
  answer({
    id: "name-not-there",
    rule: "validation",
    texts: ["{fieldPath}: Not found: {missing}"],
    cause:
      "{fieldPath} names {missing}, which is not in the same object: a volume of the pod, most often.",
    change: ["add the volume under spec.volumes or volumeClaimTemplates, or correct the name"],
  }),
  answer({
    id: "value-missing",
    rule: "validation",
    texts: ["{fieldPath}: Required value: {why}", "{fieldPath}: Required value"],
    cause: "{fieldPath} is missing.",
    change: ["add it"],
  }),
  answer({
    id: "value-unsupported",
    rule: "validation",
    texts: ["{fieldPath}: Unsupported value: {value}: supported values: {values}"],
    cause: "{fieldPath} cannot be {value}.",
    change: ["use one of the values that the message names"],
  }),
  ...constraintMessages,
  answer({
    id: "snapshot-writer-too-old",
    rule: "the snapshot CRDs' rules",
    texts: [
      "{fieldPath}: Invalid value: {value}: sourceVolumeMode is required once set",
      "{fieldPath}: Invalid value: sourceVolumeMode is required once set",
    ],
    cause:
      "Who writes the content does not know its sourceVolumeMode and leaves it out: a csi-snapshotter or snapshot-controller that is older than the cluster's snapshot CRDs.",
    change: [
      "bring the driver's csi-snapshotter and the snapshot-controller, with their roles, to the release of the CRDs",
    ],
  }),
  answer({
    id: "value-forbidden",
    rule: "validation",
    texts: [
      "{fieldPath}: Forbidden: {why}",
      "{fieldPath}: Invalid value: {why}",
      "{fieldPath}: Duplicate value: {why}",
    ],
    cause: "{fieldPath} cannot be what it is: {why}",
    change: ["correct the field"],
  }),
  apiserver({
    id: "priority-class-not-found",
    rule: "admission plugin Priority",
    texts: ["no PriorityClass with name {priorityClass} was found"],
    cause: "PriorityClass {priorityClass} does not exist.",
    change: ["make PriorityClass {priorityClass}, or correct the name"],
  }),
  apiserver({
    id: "object-not-found",
    rule: "generic registry",
    texts: ['{resource} "{name}" not found'],
    cause: "{resource} {name} does not exist.",
    change: ['make "{name}", or correct the name'],
  }),
];
