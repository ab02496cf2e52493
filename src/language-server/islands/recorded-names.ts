/** Records which names rules ask for and the answers, to find out later whether the answers would be the same. */
import type { ClusterNames } from "../workspace/cluster-names.ts";
import type { ManifestObject } from "../yaml/manifest.ts";

export class RecordedNames {
  readonly #answers = new Map<string, { readonly ask: Question; readonly answer: string }>();

  /** Answers like `names`, and records the answers. */
  record(names: ClusterNames): ClusterNames {
    const remember = <T>(key: string, ask: (of: ClusterNames) => T): T => {
      const found = ask(names);
      this.#answers.set(key, { ask: (of) => summary(ask(of)), answer: summary(found) });
      return found;
    };
    return {
      index: names.index,
      has: (kind, namespace, name) =>
        remember(`has ${kind} ${namespace} ${name}`, (of) => of.has(kind, namespace, name)),
      isCarriedClass: (name) => remember(`carried ${name}`, (of) => of.isCarriedClass(name)),
      carriedClasses: () => remember("all carried", (of) => of.carriedClasses()),
      names: (kind, namespace) =>
        remember(`names ${kind} ${namespace}`, (of) => of.names(kind, namespace)),
      namespacesWith: (kind, name) =>
        remember(`namespaces ${kind} ${name}`, (of) => of.namespacesWith(kind, name)),
      templateOf: (namespace, claim) =>
        remember(`template ${namespace} ${claim}`, (of) => of.templateOf(namespace, claim)),
      makerOf: (namespace, secret) =>
        remember(`maker ${namespace} ${secret}`, (of) => of.makerOf(namespace, secret)),
    };
  }

  holdFor(names: ClusterNames): boolean {
    for (const { ask, answer } of this.#answers.values()) if (ask(names) !== answer) return false;
    return true;
  }
}

type Question = (of: ClusterNames) => string;

function summary(answer: unknown): string {
  if (Array.isArray(answer)) return answer.join("\n");
  if (typeof answer !== "object" || answer === null || !("object" in answer)) return String(answer);
  // Kinds that are not judged have no ref.
  const { ref, kind, name } = answer.object as Partial<ManifestObject>;
  return ref ?? `${kind}/${name}`;
}
