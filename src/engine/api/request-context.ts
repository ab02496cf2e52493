/** What the API server's answer to a request depends on besides the object that is sent. */
import type { AdmissionPlugin, KubernetesVersion } from "../scenario.ts";
import type { Kind, KubeObject } from "./meta.ts";

/** The other objects of the cluster, for admission. */
export interface ClusterView {
  get<K extends Kind>(
    kind: K,
    namespace: string | undefined,
    name: string,
  ): KubeObject<K> | undefined;
  list<K extends Kind>(kind: K, namespace?: string): readonly KubeObject<K>[];
}

export interface RequestContext {
  readonly version: KubernetesVersion;
  readonly cluster: ClusterView;
  /** RFC 3339. */
  readonly now: string;
  /** The uid that storage will stamp on a new object; some kinds write it into their labels. */
  readonly uid?: string | undefined;
  /** The five characters that complete a generateName. */
  readonly nameSuffix?: string | undefined;
  /** True if `cluster` has all ServiceAccounts, so that pods with others are refused; a simulated one need not list them. */
  readonly knowsServiceAccounts?: boolean;
  /** kube-apiserver --disable-admission-plugins. */
  readonly disabledAdmissionPlugins?: readonly AdmissionPlugin[];
  /** Set if the update is a PATCH; the input is then the object with the patch applied. */
  readonly patch?: Patch | undefined;
}

export interface Patch {
  /** What is left of a strategic merge patch after its directives have been obeyed; undefined for a merge patch. */
  readonly left: Readonly<Record<string, unknown>> | undefined;
  /** Whether unknown fields are refused, or dropped with a warning. */
  readonly fieldValidation: "Strict" | "Warn";
}
