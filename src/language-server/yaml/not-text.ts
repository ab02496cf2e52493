/** Stands for bytes that are not valid text. Kubectl reads U+FFFD instead, kustomize and Helm refuse them. */
export const notText = "\uffff";
