/**
 * What a client hands over for which the protocol has no fields: at the start how it wants to be served, and at any time the
 * user's settings. Editors that have no list to choose from may send anything, so nothing is taken unseen.
 */
import type { InitializeParams } from "vscode-languageserver";
import { profileNames } from "../../engine/profiles/assume-cluster.ts";
import { kubernetesVersionOf, kubernetesVersions } from "../../engine/scenario.ts";
import type { Settings } from "../../protocol/messages.ts";
import type { HintKind } from "../features/inlay-hints.ts";
import type { ServiceSettings } from "../service-options.ts";

/** Fields of which nothing is known but their names. */
type Unchecked = { readonly [name in keyof Settings]?: unknown };

const settingNames: readonly (keyof Settings)[] = [
  "profile",
  "kubernetesVersion",
  "yamlSchemas",
  "exclude",
  "inlayHints",
];

/** Whether the client has handed settings over at the start, and not only what it can do. */
export function hasSettings({ initializationOptions }: InitializeParams): boolean {
  return settingNames.some((name) => name in uncheckedOf(initializationOptions));
}

/** Whether the client is the extension, or has commands by the names of its own. */
export function hasCommands({ initializationOptions }: InitializeParams): boolean {
  return uncheckedOf(initializationOptions).commandLinks === true;
}

/** Undefined where the client has no place to keep anything in. */
export function storageFolderOf({ initializationOptions }: InitializeParams): string | undefined {
  const { storageFolder } = uncheckedOf(initializationOptions);
  return typeof storageFolder === "string" && storageFolder !== "" ? storageFolder : undefined;
}

/** Neovim 0.12, told to ask again, leaves out the files that are open: those showed what was found one edit before. */
const asksTooLate: ReadonlySet<string | undefined> = new Set(["Neovim"]);

/** One that can ask for diagnostics does, unless it says that it would rather have them sent, or has to have them sent. */
export function asksForDiagnostics(params: InitializeParams): boolean {
  const { capabilities, clientInfo, initializationOptions } = params;
  if (capabilities.textDocument?.diagnostic === undefined) return false;
  const { diagnostics } = uncheckedOf(initializationOptions);
  return diagnostics === undefined ? !asksTooLate.has(clientInfo?.name) : diagnostics !== "push";
}

/** Bytes are for those who ask. */
const usualHints: Readonly<Record<string, unknown>> = { quantity: false };

/** The settings that were handed over last. */
export class ClientSettings {
  readonly #warn: (message: string) => void;
  #hints: Readonly<Record<string, unknown>> = usualHints;
  /** By setting, what was asked for and nobody knows. */
  readonly #unknown = new Map<string, string>();

  /** `warn` tells the user, once of each value that nobody knows, until it is another. */
  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  readonly wantsHint = (kind: HintKind): boolean => this.#hints[kind] !== false;

  /** What the service is to know of them; undefined where none were given. */
  take(given: unknown): ServiceSettings | undefined {
    if (!isFields(given)) return undefined;
    const { profile, kubernetesVersion, yamlSchemas, exclude, inlayHints }: Unchecked = given;
    this.#hints = { ...usualHints, ...(isFields(inlayHints) && inlayHints) };
    const name = this.#chosen("profile", profile, profileNames, profileOf);
    const versions = kubernetesVersions;
    const version = this.#chosen(
      "kubernetesVersion",
      kubernetesVersion,
      versions,
      kubernetesVersionOf,
    );
    return {
      ...(name !== undefined && { profile: name }),
      ...(version !== undefined && { kubernetesVersion: version }),
      ...(isFields(yamlSchemas) && { yamlSchemas }),
      ...(isFields(exclude) && { exclude }),
    };
  }

  /** Undefined where nothing is chosen, or what nobody knows, of which the user is told. */
  #chosen<T>(
    setting: string,
    given: unknown,
    known: readonly string[],
    read: (text: string) => T | undefined,
  ): T | undefined {
    const text = given === undefined || given === null ? "" : String(given);
    const chosen = read(text);
    if (chosen !== undefined || text === "") {
      this.#unknown.delete(setting);
    } else if (this.#unknown.get(setting) !== text) {
      this.#unknown.set(setting, text);
      this.#warn(`Claimcheck's setting ${setting} is one of ${known.join(", ")}, not ${text}`);
    }
    return chosen;
  }
}

function profileOf(text: string): string | undefined {
  return profileNames.find((name) => name === text);
}

function uncheckedOf(given: unknown): Unchecked {
  return isFields(given) ? given : {};
}

function isFields(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === "object" && given !== null;
}
