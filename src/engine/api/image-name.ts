/** The tag of a container image. Upstream: pkg/util/parsers ParseImageName with distribution/reference. */

const component = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
const host = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
const domain = `(?:${host}(?:\\.${host})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const reference = new RegExp(
  `^((?:${domain}/)?${component}(?:/${component})*)(?::(\\w[\\w.-]{0,127}))?(@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$`,
);

/** `latest` where neither tag nor digest is written; undefined where only a digest is, or the name cannot be read. */
function imageTag(image: string): string | undefined {
  const match = reference.exec(image);
  if (match === null || /^[a-f0-9]{64}$/.test(image)) return undefined;
  return match[2] ?? (match[3] === undefined ? "latest" : undefined);
}

/** What a container or image volume without a pull policy gets. */
export function defaultPullPolicy(image: string): "Always" | "IfNotPresent" {
  return imageTag(image) === "latest" ? "Always" : "IfNotPresent";
}
