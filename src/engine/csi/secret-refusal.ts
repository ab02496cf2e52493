/**
 * What real drivers say to calls that come without the secret that they want, or without a key in it, as data. Upstream: the
 * beginning of each driver's calls; the catalogue says where it was read. Of a volume's creation and of mounts this is among
 * what else they refuse.
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
  /** The driver's words, without any placeholder. */
  readonly text: string;
  /** `InvalidArgument` where absent. */
  readonly code?: string;
}

/** For each call, first what the driver looks at first. */
export type SecretRefusals = Readonly<Partial<Record<SecretCall, readonly SecretRefusal[]>>>;

export function secretRefusal(
  { secretRefusals }: { readonly secretRefusals?: SecretRefusals },
  call: SecretCall,
  request: CsiRequest,
): Refusal | undefined {
  const refusal = secretRefusals?.[call]?.find((r) => meetsSecretCondition(r, request.secrets));
  return refusal && refuse(refusal.code ?? "InvalidArgument", refusal.text);
}
