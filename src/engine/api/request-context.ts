/** What the API server's answer to a request depends on besides the object that is sent. */
import type { AdmissionPlugin, KubernetesVersion } from "../scenario.ts";
import type { Kind, KubeObject } from "./meta.ts";

/** The other objects of the cluster, for admission. What is not there is undefined, or not in the list. */
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
  /** Whether `cluster` has all ServiceAccounts, so that pods of others are refused; one that is simulated need not list them. */
  readonly knowsServiceAccounts?: boolean;
  /** kube-apiserver --disable-admission-plugins. */
  readonly disabledAdmissionPlugins?: readonly AdmissionPlugin[];
  /** Of an update by PATCH: what is answered is the object with the patch on it. */
  readonly patch?: Patch | undefined;
}

export interface Patch {
  /** Of a strategic merge patch what is left once its directives have been obeyed; undefined of a merge patch. */
  readonly left: Readonly<Record<string, unknown>> | undefined;
  /** What becomes of fields that nobody knows: refused, or dropped with a warning. */
  readonly fieldValidation: "Strict" | "Warn";
}
