/** The tag of a container image. Upstream: pkg/util/parsers ParseImageName with distribution/reference and go-digest. */

const component = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
const host = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
const domain = `(?:${host}(?:\\.${host})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const reference = new RegExp(
  `^((?:${domain}/)?${component}(?:/${component})*)(?::(\\w[\\w.-]{0,127}))?(?:@(.+))?$`,
);
const onlyDomain = new RegExp(`^${domain}$`);
const digest = /^(?:sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})$/;
const pathLengthMax = 255;

/** `latest` if there is neither tag nor digest; undefined if there is only a digest, or if the name is invalid. */
function imageTag(image: string): string | undefined {
  const match = reference.exec(image);
  if (match === null || /^[a-f0-9]{64}$/.test(image)) return undefined;
  const [, name = "", tag, content] = match;
  if (repositoryPath(name).length > pathLengthMax) return undefined;
  if (content !== undefined && !digest.test(content)) return undefined;
  return tag ?? (content === undefined ? "latest" : undefined);
}

/** The name without the registry. Upstream: splitDockerDomain. */
function repositoryPath(name: string): string {
  const [first = "", ...others] = name.split("/");
  const saysRegistry = others.length > 0 && (/[.:A-Z]/.test(first) || first === "localhost");
  if (saysRegistry && !onlyDomain.test(first)) return name;
  const isFamiliar = !saysRegistry || first === "docker.io" || first === "index.docker.io";
  const path = saysRegistry ? others.join("/") : name;
  return isFamiliar && !path.includes("/") ? `library/${path}` : path;
}

/** The pull policy of a container or an image volume that specifies none. */
export function defaultPullPolicy(image: string): "Always" | "IfNotPresent" {
  return imageTag(image) === "latest" ? "Always" : "IfNotPresent";
}
