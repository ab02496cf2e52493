/** Makes text from untrusted files safe to show to a terminal or a person. */

/**
 * Escapes control characters, which terminals obey, and characters that are invisible or change the reading order. They are
 * written as in JSON and YAML, so that JSON keeps its meaning. Line feeds and tabs stay.
 */
export function visibleText(text: string): string {
  return text.replace(unseen, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

const unseen = /[^\P{Cc}\n\t]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu;

/** For labels of the editor, in which `$(name)` would be an icon. */
export function withoutIcons(text: string): string {
  return visibleText(text).replaceAll("$(", "$ (");
}

/** For messages of the editor, in which `[label](command:…)` would be a link that runs a command. */
export function withoutLinks(text: string): string {
  return visibleText(text).replaceAll("](", "] (");
}
