/**
 * Rewrites links of an explanation so that the editor's preview follows them. The preview does not follow URIs of files, but it
 * does follow paths that begin with a slash: from the first workspace folder, if the document itself is in none.
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
