/** Translates a component's write effects into API server requests. */
import { type Kind, makeRef, type Ref, type Result } from "../api/meta.ts";
import type { ApiServer } from "../store/api-server.ts";
import type { WriteEffect } from "./effects.ts";

export function write(api: ApiServer, effect: WriteEffect): Result<unknown> {
  switch (effect.type) {
    case "create":
      return api.create(effect.object);
    case "update":
      return api.update(effect.object, effect.subresource);
    case "patch":
      return api.patch(
        effect.kind,
        effect.namespace,
        effect.name,
        effect.subresource,
        effect.change,
      );
    case "delete":
      return api.delete(effect.kind, effect.namespace, effect.name, effect.options);
    case "bind":
      return api.bind(effect.namespace, effect.name, effect.uid, effect.node);
  }
}

/** The kind and name that an effect writes to. */
export function targetOf(effect: WriteEffect): [Kind, string] {
  switch (effect.type) {
    case "create":
    case "update":
      return [effect.object.kind, effect.object.metadata.name ?? ""];
    case "patch":
    case "delete":
      return [effect.kind, effect.name];
    case "bind":
      return ["Pod", effect.name];
  }
}

export function refOfTarget(effect: WriteEffect): Ref {
  const [kind, name] = targetOf(effect);
  const isWhole = effect.type === "create" || effect.type === "update";
  return makeRef(kind, isWhole ? effect.object.metadata.namespace : effect.namespace, name);
}
