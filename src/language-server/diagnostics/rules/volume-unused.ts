/** A volume of a pod that no container uses. */
import { itemsOf, podSpecOf, podVolumesOf, textAt } from "../../workspace/manifest-fields.ts";
import { unknownMounts } from "../facts/meant-value.ts";
import { mountedVolumes } from "../facts/mounted-volumes.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

export const volumeUnused: DocumentRule = objectRule(
  "volume-unused",
  "hint",
  { yieldsTo: ["api-refused"] },
  function* (object) {
    const volumes = podVolumesOf(object);
    if (volumes.length === 0 || unknownMounts(object).length > 0) return;
    const mounted = new Set(mountedVolumes(object));
    // Ephemeral containers, which kubectl debug adds to running pods, count as well.
    const pod = podSpecOf(object)?.fields ?? {};
    for (const { fields } of itemsOf(pod["ephemeralContainers"], []))
      for (const mount of itemsOf(fields["volumeMounts"], [])) mounted.add(mount.fields["name"]);
    for (const { fields, path } of volumes) {
      const name = textAt(fields, "name");
      if (name === undefined || mounted.has(name)) continue;
      yield {
        path: [...path, "name"],
        message: `Volume “${name}” is mounted nowhere`,
        fix: { title: `Remove volume “${name}”`, path, value: null, isChoice: true },
      };
    }
  },
);
