/** Names of kernel parameters. Upstream: component-helpers node/util/sysctl ConvertSysctlVariableToDotsSeparator v1.36. */

/** Where slashes part the name (`net/ipv4/conf/eth0.1/mtu`), dots are what slashes are elsewhere. */
export function sysctlWithDots(name: string): string {
  if (!/^[^./]*\//.test(name)) return name;
  return name.replaceAll(/[./]/g, (separator) => (separator === "/" ? "." : "/"));
}
