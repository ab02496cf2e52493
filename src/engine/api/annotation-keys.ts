/** Annotations that several steps of a request read. Upstream: pkg/apis/core/annotation_key_constants.go v1.36. */

/** On pods that a kubelet has made of a file of its own. */
export const mirrorPod = "kubernetes.io/config.mirror";
export const podSeccomp = "seccomp.security.alpha.kubernetes.io/pod";
/** A container's name follows. */
export const containerSeccomp = "container.seccomp.security.alpha.kubernetes.io/";
/** A container's name follows. */
export const containerAppArmor = "container.apparmor.security.beta.kubernetes.io/";
/** On services. */
export const topologyMode = "service.kubernetes.io/topology-mode";
/** What topologyMode was called before. */
export const topologyHints = "service.kubernetes.io/topology-aware-hints";
/** On service accounts. Upstream: plugin/pkg/admission/serviceaccount. */
export const mountableSecrets = "kubernetes.io/enforce-mountable-secrets";
/** On volumes, before there was a field for them. Upstream: MountOptionAnnotation. */
export const mountOptionsAnnotation = "volume.beta.kubernetes.io/mount-options";
