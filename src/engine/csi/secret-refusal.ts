/**
 * What real drivers answer to calls without the secret that they need, or without a key in it, as data. For creation and mounts
 * this is in CreationRefusal and MountRefusal. Upstream: the beginning of each driver's calls; the catalogue says where it was
 * read.
 */
import type { CsiRequest } from "./messages.ts";
import { type Refusal, refuse } from "./rpc.ts";
import { meetsSecretCondition, type SecretCondition } from "./secret-need.ts";

export type SecretCall =
  | "ControllerExpandVolume"
  | "CreateSnapshot"
  | "DeleteSnapshot"
  | "DeleteVolume";

export interface SecretRefusal extends SecretCondition {
  /** The driver's words, without placeholders. */
  readonly text: string;
  /** `InvalidArgument` if absent. */
  readonly code?: string;
}

/** For each call, in the order of the driver's checks. */
export type SecretRefusals = Readonly<Partial<Record<SecretCall, readonly SecretRefusal[]>>>;

export function secretRefusal(
  { secretRefusals }: { readonly secretRefusals?: SecretRefusals },
  call: SecretCall,
  request: CsiRequest,
): Refusal | undefined {
  const refusal = secretRefusals?.[call]?.find((r) => meetsSecretCondition(r, request.secrets));
  return refusal && refuse(refusal.code ?? "InvalidArgument", refusal.text);
}
