/**
 * Keeps outcomes from one start of the server to the next: if nothing has changed meanwhile, findings are there before the
 * first run has ended (decision 16). Kept outcomes are only used for exactly the texts they were found in.
 */
import type { CodedReport, ObjectReport, RelatedReport } from "../diagnostics/rule.ts";
import type { PredictionSettings } from "../prediction/scenario-of.ts";
import type { Digest, TextStorage } from "../storage/text-storage.ts";
import type { Environment } from "../workspace/environment.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import { generatedText } from "./generated-text.ts";
import type { OutcomeReports } from "./judged-island.ts";
import { textOf } from "./object-text.ts";
import { type PresentFiles, presentEntry } from "./present-entry.ts";

/** What is known about the islands, in order. */
type Outcomes = readonly OutcomeReports[];

type Drive = <T>(work: Generator<void, T>) => Promise<{ readonly end: T } | undefined>;

export class KeptOutcomes {
  readonly #storage: TextStorage;
  /** By environment: the key of the texts and settings that the kept outcomes belong to. */
  readonly #keys = new Map<string, string>();

  constructor(storage: TextStorage) {
    this.#storage = storage;
  }

  /** Undefined if nothing is kept for exactly these texts and settings. `drive` works in slices. */
  async read(
    environment: Environment,
    settings: PredictionSettings,
    drive: Drive,
  ): Promise<Outcomes | undefined> {
    const text = await this.#storage.read(this.#digestOf(environment.id));
    if (text === undefined) return undefined;
    const [key, sum, body = ""] = text.split("\n", 3);
    const work = keyOf(environment, settings, this.#storage.digest());
    const present = (await drive(work))?.end;
    if (present === undefined || present !== key || this.#digestOf(body) !== sum) return undefined;
    this.#keys.set(environment.id, present);
    return readOutcomes(body, environment.objects);
  }

  /** Does nothing if these outcomes are kept already. Yields often. */
  *write(
    environment: Environment,
    settings: PredictionSettings,
    outcomes: Outcomes,
    files: PresentFiles,
  ): Generator<void> {
    const key = yield* keyOf(environment, settings, this.#storage.digest());
    if (this.#keys.get(environment.id) === key) return;
    const body = yield* written(outcomes, environment.objects, files);
    if (body === undefined) return;
    this.#keys.set(environment.id, key);
    const text = [key, this.#digestOf(body), body].join("\n");
    void this.#storage.write(this.#digestOf(environment.id), text);
  }

  #digestOf(text: string): string {
    const digest = this.#storage.digest();
    digest.add(text);
    return digest.end();
  }
}

/** A digest of everything that outcomes depend on. Yields often. */
function* keyOf(
  environment: Environment,
  settings: PredictionSettings,
  digest: Digest,
): Generator<void, string> {
  digest.add(JSON.stringify(settings));
  digest.add(generatedText(environment));
  for (const { uri, manifest, skipped = "", linkTo = "" } of environment.files) {
    for (const text of [uri, skipped, linkTo, manifest.text]) digest.add(text);
    yield;
  }
  for (const [ref, object] of environment.committed) {
    digest.add(ref);
    digest.add(textOf(object));
    yield;
  }
  for (const { object, patched } of environment.objects)
    if (patched !== undefined) {
      digest.add(textOf(object));
      yield;
    }
  return digest.end();
}

/** Two lists for each island, in one line; undefined if an object with a finding is gone. Yields often. */
function* written(
  outcomes: Outcomes,
  objects: readonly WorkspaceObject[],
  files: PresentFiles,
): Generator<void, string | undefined> {
  const numbers = new Map(objects.map((entry, index) => [entry, index]));
  let isGone = false;
  const numberOf = (entry: WorkspaceObject): number => {
    const present = presentEntry(entry, files);
    const number = present === undefined ? undefined : numbers.get(present);
    if (number === undefined) isGone = true;
    return number ?? -1;
  };
  const lists: string[] = [];
  for (const { own, ofRead } of outcomes)
    for (const list of [own, ofRead]) {
      const texts: string[] = [];
      for (const found of list) {
        texts.push(JSON.stringify(aboutObjects(found, numberOf)));
        yield;
      }
      lists.push(`[${texts.join()}]`);
    }
  return isGone ? undefined : `[${lists.join()}]`;
}

/** Reads what `written` returned. */
function readOutcomes(text: string, objects: readonly WorkspaceObject[]): Outcomes {
  const lists = JSON.parse(text) as readonly (readonly Coded<number>[])[];
  const ofNumber = (number: number): WorkspaceObject => {
    const entry = objects[number];
    if (entry === undefined) throw new RangeError(`no object has the number ${number}`);
    return entry;
  };
  const reports = lists.map((list) => list.map((found) => aboutObjects(found, ofNumber)));
  return reports.flatMap((own, index) =>
    index % 2 === 0 ? [{ own, ofRead: reports[index + 1] ?? [] }] : [],
  );
}

/** A report that refers to objects (T is an entry) or to their numbers. */
interface Coded<T> extends Omit<CodedReport, "report"> {
  readonly report: Omit<ObjectReport, "entry" | "related" | "restsOn"> & {
    readonly entry: T;
    readonly related?: readonly (Omit<RelatedReport, "entry"> & { readonly entry: T })[];
    readonly restsOn?: readonly T[];
  };
}

function aboutObjects<T, U>({ report, ...rest }: Coded<T>, as: (object: T) => U): Coded<U> {
  const { entry, related, restsOn, ...others } = report;
  return {
    ...rest,
    report: {
      ...others,
      entry: as(entry),
      ...(related !== undefined && {
        related: related.map((other) => ({ ...other, entry: as(other.entry) })),
      }),
      ...(restsOn !== undefined && { restsOn: restsOn.map(as) }),
    },
  };
}
