/** Names of kernel parameters. Upstream: component-helpers node/util/sysctl ConvertSysctlVariableToDotsSeparator v1.36. */

/** If slashes separate the name (`net/ipv4/conf/eth0.1/mtu`), slashes and dots are swapped. */
export function sysctlWithDots(name: string): string {
  if (!/^[^./]*\//.test(name)) return name;
  return name.replaceAll(/[./]/g, (separator) => (separator === "/" ? "." : "/"));
}
