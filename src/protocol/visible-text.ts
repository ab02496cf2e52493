/** Text of files that nobody vouches for, where a terminal or a person reads it. */

/**
 * Control characters, which a terminal obeys, and those that nobody sees or that have a line read in another order than it is
 * written in: as JSON and YAML write them, so that what is JSON stays the same JSON. Ends of lines and tabs stay.
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

/** For a label of the editor, in which `$(name)` would be an icon. */
export function withoutIcons(text: string): string {
  return visibleText(text).replaceAll("$(", "$ (");
}

/** For a message of the editor, in which `[label](command:…)` would be a link that runs a command. */
export function withoutLinks(text: string): string {
  return visibleText(text).replaceAll("](", "] (");
}
