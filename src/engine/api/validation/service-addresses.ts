/**
 * Addresses of services. Upstream: pkg/apis/core/validation ValidateServiceClusterIPsRelatedFields,
 * validateUpgradeDowngradeClusterIPs, ValidateNonSpecialIP, ValidateLoadBalancerStatus, v1.36. Not modeled: which families
 * the cluster has, and changes of families.
 */
import { asJson, type FieldErrors } from "../field-error.ts";
import { type FieldPath, specPath, statusPath } from "../field-path.ts";
import { checkSubdomain } from "../names/names.ts";
import { TextSet } from "../text-set.ts";
import type { LoadBalancerIngress, Service, ServiceSpec } from "../types.ts";
import { isAddress, isIPv6, specialAddress, validateAddress } from "./addresses.ts";

const addressesPath = specPath.child("clusterIPs");
const families: readonly string[] = ["IPv4", "IPv6"];
const familyPolicies: readonly string[] = ["PreferDualStack", "RequireDualStack", "SingleStack"];

export function isHeadless({ clusterIPs = [] }: ServiceSpec): boolean {
  return clusterIPs.length === 1 && clusterIPs[0] === "None";
}

export function validateClusterAddresses(
  spec: ServiceSpec,
  errors: FieldErrors,
  stored: readonly string[] = [],
): void {
  if (spec.type === "ExternalName") return;
  const { clusterIP = "", clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec;
  const complain = (detail: string): void =>
    errors.invalid(addressesPath, asJson(clusterIPs), detail);
  if (clusterIP === "") {
    if (clusterIPs.length > 0) complain("must be empty when `clusterIP` is not specified");
  } else if (clusterIPs.length === 0) errors.required(addressesPath);
  else if (clusterIPs[0] !== clusterIP) complain("first value must match `clusterIP`");
  validateFamilies(ipFamilies, errors);
  if (ipFamilyPolicy !== undefined && !familyPolicies.includes(ipFamilyPolicy)) {
    const path = specPath.child("ipFamilyPolicy");
    errors.notSupported(path, asJson(ipFamilyPolicy), familyPolicies);
  }
  const before = errors.causes.length;
  clusterIPs.forEach((address, index) => {
    if (index > 0 || address !== "None")
      validateAddress(address, addressesPath.index(index), errors, stored);
    else if (clusterIPs.length > 1) complain("'None' must be the first and only value");
  });
  const allGood = errors.causes.length === before;
  if (clusterIPs.length > 2) complain("may only hold up to 2 values");
  if (!allGood) return;
  const sixes = clusterIPs.filter(isIPv6).length;
  if (clusterIPs.length > 1 && (sixes === 0 || sixes === clusterIPs.length))
    complain("may specify no more than one IP for each IP family");
  if (!isHeadless(spec)) validateFamiliesMatch(clusterIPs, ipFamilies, errors);
}

/** A SingleStack service has one address and one family. Upstream: initIPFamilyFields. */
export function validateSingleStack(spec: ServiceSpec, errors: FieldErrors): void {
  const { type, clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec;
  if (type === "ExternalName" || ipFamilyPolicy !== "SingleStack") return;
  const path = specPath.child("ipFamilyPolicy");
  const complain = (what: string): void =>
    errors.invalid(
      path,
      ipFamilyPolicy,
      `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`,
    );
  if (clusterIPs.length === 2) complain("cluster IPs");
  if (ipFamilies.length === 2) complain("IP families");
}

function validateFamilies(list: readonly string[], errors: FieldErrors): void {
  const seen = new TextSet();
  list.forEach((family, index) => {
    const path = specPath.child("ipFamilies").index(index);
    if (!families.includes(family)) errors.notSupported(path, asJson(family), families);
    if (seen.has(family)) errors.duplicate(path, asJson(family));
    seen.add(family);
  });
}

function validateFamiliesMatch(
  addresses: readonly string[],
  list: readonly string[],
  errors: FieldErrors,
): void {
  addresses.forEach((address, index) => {
    const family = list[index];
    if (family === undefined || !families.includes(family)) return;
    if ((family === "IPv6") === isIPv6(address)) return;
    errors.invalid(
      addressesPath.index(index),
      address,
      `expected an ${family} value as indicated by \`ipFamilies[${index}]\``,
    );
  });
}

/** A service keeps its first cluster IP, unless it was or becomes an ExternalName. */
export function validateAddressesKept(
  next: ServiceSpec,
  old: ServiceSpec,
  errors: FieldErrors,
): void {
  if (next.type === "ExternalName" || old.type === "ExternalName") return;
  if (isHeadless(next) && isHeadless(old)) return;
  const [addresses, before] = [next.clusterIPs ?? [], old.clusterIPs ?? []];
  const complain = (index: number, detail: string): void =>
    errors.invalid(addressesPath.index(index), asJson(addresses), detail);
  const compared = before.length === addresses.length ? before.length : 1;
  if (before.length > 0 && addresses.length === 0)
    complain(0, "primary clusterIP can not be unset");
  else
    before.slice(0, compared).forEach((address, index) => {
      if (address !== addresses[index]) complain(index, "may not change once set");
    });
  if (before.length > addresses.length && addresses.length === 1) {
    if (next.ipFamilyPolicy === "SingleStack") return;
    errors.invalid(
      specPath.child("ipFamilyPolicy"),
      asJson(next.ipFamilyPolicy ?? null),
      "must be set to 'SingleStack' when releasing the secondary clusterIP",
    );
  }
}

export function validateExternalAddresses(
  addresses: readonly string[],
  path: FieldPath,
  errors: FieldErrors,
  stored: readonly string[] = [],
): void {
  addresses.forEach((address, index) => {
    const before = errors.causes.length;
    validateAddress(address, path.index(index), errors, stored);
    const complaint = errors.causes.length > before ? undefined : specialAddress(address);
    if (complaint !== undefined) errors.invalid(path.index(index), address, complaint);
  });
}

const balancerPath = statusPath.child("loadBalancer").child("ingress");
const addressModes: readonly string[] = ["Proxy", "VIP"];

/** Where a load balancer says that the service can be reached. */
export function validateBalancer(next: Service, old: Service, errors: FieldErrors): void {
  const ways = next.status?.loadBalancer?.ingress ?? [];
  if (next.spec?.type !== "LoadBalancer") {
    if (ways.length > 0)
      errors.forbidden(balancerPath, 'may only be used when `spec.type` is "LoadBalancer"');
    return;
  }
  const stored = (old.status?.loadBalancer?.ingress ?? []).map(({ ip = "" }) => ip);
  ways.forEach((way, index) => {
    validateWay(way, balancerPath.index(index), stored, errors);
  });
}

function validateWay(
  { ip = "", ipMode, hostname = "" }: LoadBalancerIngress,
  path: FieldPath,
  stored: readonly string[],
  errors: FieldErrors,
): void {
  if (ip !== "") validateAddress(ip, path.child("ip"), errors, stored);
  if (ipMode !== undefined && ip === "")
    errors.forbidden(path.child("ipMode"), "may not be specified when `ip` is not set");
  else if (ipMode !== undefined && !addressModes.includes(ipMode))
    errors.notSupported(path.child("ipMode"), ipMode, addressModes);
  if (hostname === "") return;
  errors.invalidEach(path.child("hostname"), hostname, checkSubdomain(hostname));
  if (isAddress(hostname))
    errors.invalid(path.child("hostname"), hostname, "must be a DNS name, not an IP address");
}
