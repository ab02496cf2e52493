/**
 * The configuration of local-path-provisioner, as in its ConfigMap.
 * Upstream: rancher/local-path-provisioner provisioner.go loadConfigFile, canonicalizeConfig, pickConfig, isSharedFilesystem,
 * getPathOnNode. Not modeled: how much a path may hold (maxCapacity).
 */
import { cleanFilePath } from "../../api/go/file-path.ts";
import { goObjectError } from "../../api/go/json-syntax.ts";
import { goQuote } from "../../api/go/text.ts";
import { utf8Bytes } from "../../api/go/utf8.ts";
import {
  compareQuantities,
  parseQuantity,
  parseQuantityOrError,
  type Quantity,
} from "../../api/quantity.ts";

const nonListedNodes = "DEFAULT_PATH_FOR_NON_LISTED_NODES";

export interface LocalPathConfig {
  /** How long a helper pod may take. */
  readonly timeoutSeconds: number;
  /** For all classes, if none has an entry of its own. */
  readonly common: ClassConfig;
  readonly byClass: ReadonlyMap<string, ClassConfig>;
}

export interface ClassConfig {
  /** Directories by the node's name. */
  readonly paths: ReadonlyMap<string, readonly string[]>;
  /** A directory that all nodes mount; "" if there is none. */
  readonly sharedPath: string;
  readonly minSize?: Quantity;
  readonly maxSize?: Quantity;
}

/** Returns the configuration, or the provisioner's error why it does not start with it. */
export function readLocalPathConfig(text: string): LocalPathConfig | string {
  const syntaxError = goObjectError(utf8Bytes(text));
  if (syntaxError !== undefined)
    return `fail to load config file /etc/config/config.json: ${syntaxError}`;
  const file = new Members(JSON.parse(text));
  const timeout = file.get("cmdTimeoutSeconds");
  const timeoutSeconds = typeof timeout === "number" && timeout > 0 ? timeout : 120;
  const byClass = new Map<string, ClassConfig>();
  for (const [name, data] of new Members(file.get("storageClassConfigs")).entries) {
    const config = readClassConfig(new Members(data));
    if (typeof config === "string") return `config for class ${name} is invalid: ${config}`;
    byClass.set(name, config);
  }
  const common = byClass.size > 0 ? nothing : readClassConfig(file);
  return typeof common === "string" ? common : { timeoutSeconds, common, byClass };
}

const nothing: ClassConfig = { paths: new Map(), sharedPath: "" };

/** The members of a JSON object, found in any case as by Go; empty if the value is no object. */
class Members {
  readonly entries: readonly (readonly [string, unknown])[];

  constructor(value: unknown) {
    this.entries =
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.entries(value)
        : [];
  }

  get(name: string): unknown {
    const wanted = name.toLowerCase();
    return this.entries.findLast(([key]) => key.toLowerCase() === wanted)?.[1];
  }

  text(name: string): string {
    const value = this.get(name);
    return typeof value === "string" ? value : "";
  }

  list(name: string): readonly unknown[] {
    const value = this.get(name);
    return Array.isArray(value) ? value : [];
  }
}

function readClassConfig(data: Members): ClassConfig | string {
  const config = checkedClassConfig(data);
  return typeof config === "string"
    ? `StorageClass config canonicalization failed: ${config}`
    : config;
}

function checkedClassConfig(data: Members): ClassConfig | string {
  const sizes: { minSize?: Quantity; maxSize?: Quantity } = {};
  for (const name of ["minSize", "maxSize"] as const) {
    const text = data.text(name);
    if (text === "") continue;
    const size = parseQuantityOrError(text);
    if (typeof size === "string") return `invalid ${name} ${goQuote(text)}: ${size}`;
    sizes[name] = size;
  }
  const { minSize, maxSize } = sizes;
  if (minSize !== undefined && maxSize !== undefined && compareQuantities(minSize, maxSize) > 0)
    return `minSize ${minSize.text} must not exceed maxSize ${maxSize.text}`;
  const paths = new Map<string, readonly string[]>();
  for (const item of data.list("nodePathMap")) {
    const entry = new Members(item);
    const node = entry.text("node");
    if (paths.has(node)) return `duplicate node ${node}`;
    const ofNode = readPaths(node, entry.list("paths"));
    if (typeof ofNode === "string") return ofNode;
    paths.set(node, ofNode);
  }
  return { paths, sharedPath: data.text("sharedFileSystemPath"), ...sizes };
}

/** Each item is a path, or an object with a `path`. Returns the provisioner's error if one is invalid. */
function readPaths(node: string, items: readonly unknown[]): readonly string[] | string {
  const paths: string[] = [];
  for (const item of items) {
    const given = typeof item === "string" ? item : new Members(item).text("path");
    if (!given.startsWith("/")) return `path must start with / for path ${given} on node ${node}`;
    const path = cleanFilePath(given);
    if (path === "/") return `cannot use root ('/') as path on node ${node}`;
    if (paths.includes(path)) return `duplicate path ${given} on node ${node}`;
    paths.push(path);
  }
  return paths;
}

/** Returns the configuration of a class, or the provisioner's error if there is none. */
export function configOfClass(config: LocalPathConfig, className: string): ClassConfig | string {
  if (config.byClass.size === 0) return config.common;
  return (
    config.byClass.get(className) ?? `BUG: Got request for unexpected storage class ${className}`
  );
}

/** Returns whether all nodes share the class's directory, or the provisioner's error if that is not clear. */
export function isShared({ paths, sharedPath }: ClassConfig): boolean | string {
  if (sharedPath !== "" && paths.size > 0)
    return "both nodePathMap and sharedFileSystemPath are defined. Please make sure only one is in use";
  if (sharedPath === "" && paths.size === 0)
    return "both nodePathMap and sharedFileSystemPath are unconfigured";
  return sharedPath !== "";
}

/** Returns the parent directory for new volumes on a node, or an error. Of several, upstream takes any, here the first. */
export function basePathOn(
  { paths, sharedPath }: ClassConfig,
  node: string,
  wanted: string,
): { readonly path: string } | string {
  if (sharedPath !== "") return { path: sharedPath };
  const known = paths.get(node) ?? paths.get(nonListedNodes);
  if (known === undefined)
    return `config doesn't contain node ${node}, and no ${nonListedNodes} available`;
  const [first] = known;
  if (first === undefined) return `no local path available on node ${node}`;
  if (wanted !== "" && !known.includes(wanted))
    return `config doesn't contain path ${wanted} on node ${node}`;
  return { path: wanted === "" ? first : wanted };
}

/** Returns why the size is outside the limits, if it is. The class's parameters override the configuration. */
export function sizeRefusal(
  config: ClassConfig | undefined,
  parameters: Readonly<Record<string, string>>,
  asked: string,
): string | undefined {
  const limits: { minSize?: Quantity; maxSize?: Quantity } = { ...config };
  for (const name of ["minSize", "maxSize"] as const) {
    const text = parameters[name];
    if (text === undefined) continue;
    const limit = parseQuantityOrError(text);
    if (typeof limit === "string")
      return `invalid StorageClass parameter ${name} ${goQuote(text)}: ${limit}`;
    limits[name] = limit;
  }
  const size = parseQuantity(asked);
  const { minSize, maxSize } = limits;
  if (size === undefined) return undefined;
  if (minSize !== undefined && compareQuantities(size, minSize) < 0)
    return `PVC requests ${size.text} which is below minimum size ${minSize.text}`;
  if (maxSize !== undefined && compareQuantities(size, maxSize) > 0)
    return `PVC requests ${size.text} which exceeds maximum size ${maxSize.text}`;
  return undefined;
}
