/**
 * Links of an explanation as the editor's preview follows them. It follows no address of a file; it does follow a path that
 * begins with a slash, from the first folder of the workspace where the document itself lies in none.
 */
export function withFollowedLinks(text: string, folder: string): string {
  const from = folder.split("/");
  return text.replace(/\]\(([a-z][a-z-]*:[^)#\s]+)/g, (link, address: string) => {
    const to = address.split("/");
    if (to[0] !== from[0]) return link;
    const differs = from.findIndex((segment, i) => segment !== to[i]);
    const common = differs < 0 ? from.length : differs;
    const steps = [...Array<string>(from.length - common).fill(".."), ...to.slice(common)];
    return `](/${steps.join("/")}`;
  });
}
