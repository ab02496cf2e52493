/** A pod's DNS config. Upstream: pkg/apis/core/validation validatePodDNSConfig, v1.36. */
import { relaxesSearchPaths } from "../../version-differences.ts";
import { asJson, type FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { byteLength } from "../go/text.ts";
import { checkSubdomain, checkSubdomainWithUnderscore } from "../names/names.ts";
import type { PodDNSConfig } from "../types.ts";
import { validateAddress } from "./addresses.ts";

const serverCountMax = 3;
const searchCountMax = 32;
const searchBytesMax = 2048;

export function validateDnsConfig(
  config: PodDNSConfig | undefined,
  policy: string,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const { nameservers = [], searches = [], options = [] } = config ?? {};
  if (policy === "None" && config === undefined) {
    errors.required(path, "must provide `dnsConfig` when `dnsPolicy` is None");
    return;
  }
  if (policy === "None" && nameservers.length === 0) {
    errors.required(
      path.child("nameservers"),
      "must provide at least one DNS nameserver when `dnsPolicy` is None",
    );
    return;
  }
  if (nameservers.length > serverCountMax) {
    const detail = `must not have more than ${serverCountMax} nameservers`;
    errors.invalid(path.child("nameservers"), asJson(nameservers), detail);
  }
  nameservers.forEach((server, index) => {
    validateAddress(server, path.child("nameservers").index(index), errors);
  });
  validateSearches(searches, path.child("searches"), errors);
  options.forEach(({ name = "" }, index) => {
    if (name === "") errors.required(path.child("options").index(index), "must not be empty");
  });
}

function validateSearches(searches: readonly string[], path: FieldPath, errors: FieldErrors): void {
  if (searches.length > searchCountMax) {
    const detail = `must not have more than ${searchCountMax} search paths`;
    errors.invalid(path, asJson(searches), detail);
  }
  if (byteLength(searches.join(" ")) > searchBytesMax) {
    const detail = `must not have more than ${searchBytesMax} characters (including spaces) in the search list`;
    errors.invalid(path, asJson(searches), detail);
  }
  searches.forEach((search, index) => {
    const isRelaxed = relaxesSearchPaths(errors.version);
    if (isRelaxed && search === ".") return;
    const name = search.replace(/\.$/, "");
    errors.invalidEach(
      path.index(index),
      name,
      isRelaxed ? checkSubdomainWithUnderscore(name) : checkSubdomain(name),
    );
  });
}
