/** Invalid image names, with the error texts of the library that parses them. */
import assert from "node:assert/strict";
import { unreadableImage } from "../../../src/engine/kubelet/image-name.ts";

const digits = "0123456789abcdef".repeat(4);

suite("kubelet: names of images", () => {
  const readable = [
    "app",
    "app:1.0-RC_1",
    "team/app",
    "docker.io/app",
    "index.docker.io/app",
    "localhost/app",
    "Registry/app",
    "registry.example.com:5000/team/sub.dir/a__b---c:tag",
    "[fd00::1]:5000/app",
    `app@sha256:${digits}`,
    `app:1.0@sha512:${digits}${digits}`,
    `${"a".repeat(247)}`,
  ];
  for (const image of readable)
    test(`${image.slice(0, 60)} is valid`, () => assert.equal(unreadableImage(image), undefined));

  const format = "invalid reference format";
  const unreadable: readonly (readonly [image: string, why: string])[] = [
    ["App:1", `${format}: repository name (library/App) must be lowercase`],
    ["team/App", `${format}: repository name (team/App) must be lowercase`],
    ["Team/App", `${format}: repository name (App) must be lowercase`],
    ["$IMAGE", `${format}: repository name (library/$IMAGE) must be lowercase`],
    ["https://registry.example.com/app:1", format],
    ["app:", format],
    ["app:1:2", format],
    ["app:latest app", format],
    ["/app", format],
    ["app..b", format],
    [`app:${"1".repeat(129)}`, format],
    ["app@sha256:0123", format],
    [digits, `invalid repository name (${digits}), cannot specify 64-byte hexadecimal strings`],
    ["a".repeat(248), "repository name must not be more than 255 characters"],
    [`app@sha256:${digits.slice(1)}`, "invalid checksum digest length"],
    [`app@sha512:${digits.toUpperCase()}`, "invalid checksum digest length"],
    [`app@sha256:${digits.toUpperCase()}`, "invalid checksum digest format"],
    [`app@md5:${digits}`, "unsupported digest algorithm"],
    [`app:1@MD5:${digits}`, "invalid checksum digest format"],
  ];
  for (const [image, why] of unreadable)
    test(`${image.slice(0, 60)}: ${why.slice(0, 80)}`, () => {
      const message = `Failed to apply default image tag "${image}": couldn't parse image name "${image}": ${why}`;
      assert.deepEqual(unreadableImage(image), { reason: "InvalidImageName", message });
    });
});
