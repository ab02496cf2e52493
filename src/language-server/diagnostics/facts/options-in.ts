/** Splits mount options in one text at commas and spaces, but not within quotes. */
export function optionsIn(option: string): readonly string[] {
  return option.match(/(?:"[^"]*"|[^\s,"])+/g) ?? [];
}
