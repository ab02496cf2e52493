/**
 * Keeps only the names of the secrets that an account lists. Upstream: pkg/registry/core/serviceaccount/strategy.go
 * cleanSecretReferences, v1.36.
 */
import type { Mutable } from "../mutable.ts";
import type { ServiceAccount } from "../types.ts";

export function keepSecretNames(account: Mutable<ServiceAccount>): void {
  if (account.secrets === undefined) return;
  account.secrets = account.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}
