/** Stands for bytes that are no text. Kubectl reads U+FFFD in their place, kustomize and Helm refuse them. */
export const notText = "\uffff";
