/** Mount options that stand in one text, separated by commas or blanks. Quoted values stay whole. */
export function optionsIn(option: string): readonly string[] {
  return option.match(/(?:"[^"]*"|[^\s,"])+/g) ?? [];
}
