/**
 * What a client sends beyond the protocol's fields: options at the start, and the user's settings at any time. Not every editor
 * offers a choice of values, so all values are checked.
 */
import type { InitializeParams } from "vscode-languageserver";
import { profileNames } from "../../engine/profiles/assume-cluster.ts";
import { kubernetesVersionOf, kubernetesVersions } from "../../engine/scenario.ts";
import type { Settings } from "../../protocol/messages.ts";
import type { HintKind } from "../features/inlay-hints.ts";
import type { ServiceSettings } from "../service-options.ts";

/** Only the names of the fields are known. */
type Unchecked = { readonly [name in keyof Settings]?: unknown };

const settingNames: readonly (keyof Settings)[] = [
  "profile",
  "kubernetesVersion",
  "yamlSchemas",
  "exclude",
  "inlayHints",
];

/** True if the client has sent settings at the start, and not only options for the server. */
export function hasSettings({ initializationOptions }: InitializeParams): boolean {
  return settingNames.some((name) => name in uncheckedOf(initializationOptions));
}

/** True if the client is the extension, or one that has commands of the same names. */
export function hasCommands({ initializationOptions }: InitializeParams): boolean {
  return uncheckedOf(initializationOptions).commandLinks === true;
}

/** Undefined if the client has no folder to store anything in. */
export function storageFolderOf({ initializationOptions }: InitializeParams): string | undefined {
  const { storageFolder } = uncheckedOf(initializationOptions);
  return typeof storageFolder === "string" && storageFolder !== "" ? storageFolder : undefined;
}

/** Neovim 0.12, on a refresh, does not ask again for open files: they showed the findings of one edit before. */
const asksTooLate: ReadonlySet<string | undefined> = new Set(["Neovim"]);

/** True if the client can ask for diagnostics, unless it wants them sent, or is known to need that. */
export function asksForDiagnostics(params: InitializeParams): boolean {
  const { capabilities, clientInfo, initializationOptions } = params;
  if (capabilities.textDocument?.diagnostic === undefined) return false;
  const { diagnostics } = uncheckedOf(initializationOptions);
  return diagnostics === undefined ? !asksTooLate.has(clientInfo?.name) : diagnostics !== "push";
}

/** Hints with the number of bytes are off by default. */
const usualHints: Readonly<Record<string, unknown>> = { quantity: false };

/** The settings that were sent last. */
export class ClientSettings {
  readonly #warn: (message: string) => void;
  #hints: Readonly<Record<string, unknown>> = usualHints;
  /** By setting, the unknown value that the user was warned of. */
  readonly #unknown = new Map<string, string>();

  /** `warn` tells the user of an unknown value: once, until the value changes. */
  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  readonly wantsHint = (kind: HintKind): boolean => this.#hints[kind] !== false;

  /** The settings for the service; undefined if none were given. */
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

  /** Undefined if nothing is chosen. So too for an unknown value, of which the user is warned. */
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
      this.#warn(`Claimcheck's setting ${setting} must be one of ${known.join(", ")}, not ${text}`);
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
