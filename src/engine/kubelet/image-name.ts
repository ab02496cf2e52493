/**
 * Checks whether an image name can be parsed. Upstream: pkg/kubelet/images/image_manager.go EnsureImageExists, pkg/util/parsers
 * ParseImageName v1.36; github.com/distribution/reference v0.6.0 ParseNormalizedNamed; opencontainers/go-digest Validate.
 */
import { goQuote } from "../api/go/text.ts";
import type { Pod } from "../api/types.ts";
import type { WaitingReason } from "./pod-observation.ts";

/** Undefined if the name can be parsed. */
export function unreadableImage(image: string): WaitingReason | undefined {
  const why = nameError(image);
  if (why === undefined) return undefined;
  const quoted = goQuote(image);
  return {
    reason: "InvalidImageName",
    message: `Failed to apply default image tag ${quoted}: couldn't parse image name ${quoted}: ${why}`,
  };
}

/**
 * The image volumes whose reference cannot be parsed, by name. Upstream: kuberuntime_manager.go getImageVolumes,
 * toKubeContainerImageVolumes.
 */
export function unreadableImageVolumes({ spec }: Pod): ReadonlyMap<string, WaitingReason> {
  const found = new Map<string, WaitingReason>();
  for (const { name, image } of spec.volumes ?? []) {
    const unreadable = image && unreadableImage(image.reference ?? "");
    if (unreadable !== undefined) found.set(name, unreadable);
  }
  return found;
}

const identifier = /^[a-f0-9]{64}$/;
const domainPart = "[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?";
const domain = `(?:${domainPart}(?:\\.${domainPart})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const pathPart = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const path = `${pathPart}(?:/${pathPart})*`;
const digest = "[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}";
const reference = new RegExp(
  `^(?:${domain}/)?(?<path>${path})(?::\\w[\\w.-]{0,127})?(?:@(?<digest>${digest}))?$`,
);
const pathLengthMax = 255;

function nameError(image: string): string | undefined {
  if (identifier.test(image))
    return `invalid repository name (${image}), cannot specify 64-byte hexadecimal strings`;
  const [server, rest] = parted(image);
  const [name = ""] = rest.split(":", 1);
  if (name !== name.toLowerCase())
    return `invalid reference format: repository name (${name}) must be lowercase`;
  const found = reference.exec(`${server}/${rest}`)?.groups;
  if (found === undefined) return "invalid reference format";
  if ((found["path"] ?? "").length > pathLengthMax)
    return `repository name must not be more than ${pathLengthMax} characters`;
  return found["digest"] === undefined ? undefined : digestError(found["digest"]);
}

/** The part before the first slash is a server only if it looks like one. Upstream: splitDockerDomain. */
function parted(image: string): readonly [server: string, rest: string] {
  const slash = image.indexOf("/");
  const first = slash === -1 ? "" : image.slice(0, slash);
  const isServer = /[.:]/.test(first) || first === "localhost" || first !== first.toLowerCase();
  const server = !isServer || first === "index.docker.io" ? "docker.io" : first;
  const rest = isServer ? image.slice(slash + 1) : image;
  return [server, server === "docker.io" && !rest.includes("/") ? `library/${rest}` : rest];
}

/** The digest algorithms that a kubelet knows, with their lengths in hex digits. */
const digestLengths: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 };

function digestError(text: string): string | undefined {
  const [algorithm = "", digits = ""] = text.split(":");
  const length = digestLengths[algorithm];
  if (length !== undefined && digits.length !== length) return "invalid checksum digest length";
  if (length === undefined && algorithm === algorithm.toLowerCase())
    return "unsupported digest algorithm";
  return length !== undefined && digits === digits.toLowerCase()
    ? undefined
    : "invalid checksum digest format";
}
