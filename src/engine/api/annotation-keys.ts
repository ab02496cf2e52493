/** Annotations that several steps of a request read. Upstream: pkg/apis/core/annotation_key_constants.go v1.36. */

/** On mirror pods, which kubelets create for their static pods. */
export const mirrorPod = "kubernetes.io/config.mirror";
export const podSeccomp = "seccomp.security.alpha.kubernetes.io/pod";
/** Followed by a container's name. */
export const containerSeccomp = "container.seccomp.security.alpha.kubernetes.io/";
/** Followed by a container's name. */
export const containerAppArmor = "container.apparmor.security.beta.kubernetes.io/";
/** On services. */
export const topologyMode = "service.kubernetes.io/topology-mode";
/** The former name of topologyMode. */
export const topologyHints = "service.kubernetes.io/topology-aware-hints";
/** On service accounts. Upstream: plugin/pkg/admission/serviceaccount. */
export const mountableSecrets = "kubernetes.io/enforce-mountable-secrets";
/** On volumes, from before they had a field for mount options. Upstream: MountOptionAnnotation. */
export const mountOptionsAnnotation = "volume.beta.kubernetes.io/mount-options";
