/**
 * Prefers nodes that report a pod's images: the more, the larger the images are and the more nodes have them.
 * Upstream: kube-scheduler v1.36 plugins/imagelocality/image_locality.go; pkg/scheduler/backend/cache/cache.go
 * addNodeImageStates. Kubelets of a run pull nothing and report nothing: only nodes of the initial cluster can have images.
 */
import type { Node, NodeStatus, Pod } from "../../api/types.ts";
import type { NodeInfo } from "../cache/node-info.ts";
import type { Snapshot } from "../cache/snapshot.ts";
import { maxNodeScore, type Plugin, type PodScorer } from "../framework/plugin.ts";

const megabyte = 1024 * 1024;
const minThreshold = 23 * megabyte;
const maxContainerThreshold = 1000 * megabyte;

type Sizes = ReadonlyMap<string, number>;

const noImages: Sizes = new Map();
const sizesByList = new WeakMap<object, Sizes>();

/** The node's image sizes in bytes, by each of their names. */
function sizesOn({ status }: Node): Sizes {
  const images = status?.images;
  if (images === undefined) return noImages;
  let sizes = sizesByList.get(images);
  if (sizes === undefined) sizesByList.set(images, (sizes = sizesIn(images)));
  return sizes;
}

function sizesIn(images: NonNullable<NodeStatus["images"]>): Sizes {
  const sizes = new Map<string, number>();
  for (const { names = [], sizeBytes = 0 } of images)
    for (const name of names) if (!sizes.has(name)) sizes.set(name, sizeBytes);
  return sizes;
}

/** Nodes report names with their registry, so an image written without one never matches. Upstream: normalizedImageName. */
function normalizedName(image: string): string {
  return image.lastIndexOf(":") <= image.lastIndexOf("/") ? `${image}:latest` : image;
}

function imagesOf({ spec }: Pod): readonly string[] {
  const images = [...(spec.initContainers ?? []), ...spec.containers].map(({ image }) => image);
  for (const { image } of spec.volumes ?? []) images.push(image?.reference);
  return images.flatMap((image) => (image === undefined ? [] : normalizedName(image)));
}

/** Takes the size from the first node that has the image. Upstream: scaledImageScore. */
function scaledSize(image: string, nodes: readonly NodeInfo[]): number {
  let size: number | undefined;
  let count = 0;
  for (const { node } of nodes) {
    const known = sizesOn(node).get(image);
    if (known === undefined) continue;
    size ??= known;
    count++;
  }
  return Math.trunc((size ?? 0) * (count / nodes.length));
}

/** Image volumes add to the sum but do not raise the maximum. Upstream: calculatePriority. */
function scoreOf(sum: number, { spec }: Pod): number {
  const containers = spec.containers.length + (spec.initContainers ?? []).length;
  const maxThreshold = maxContainerThreshold * containers;
  const within = Math.min(Math.max(sum, minThreshold), maxThreshold);
  return Math.trunc((maxNodeScore * (within - minThreshold)) / (maxThreshold - minThreshold));
}

function scorer(pod: Pod, { nodes }: Snapshot): PodScorer {
  const wanted = imagesOf(pod).map((image) => ({ image, size: scaledSize(image, nodes) }));
  return {
    score: ({ node }) => {
      const there = sizesOn(node);
      const sum = wanted.reduce(
        (total, { image, size }) => (there.has(image) ? total + size : total),
        0,
      );
      return scoreOf(sum, pod);
    },
  };
}

export const imageLocality: Plugin = {
  name: "ImageLocality",
  weight: 1,
  preScore: ({ pod }, _nodes, snapshot) => (snapshot.hasImages ? scorer(pod, snapshot) : undefined),
  hints: [],
};
