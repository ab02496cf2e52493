/** The account of pods that name none; the serviceaccounts controller creates it in every namespace. */
export const defaultServiceAccount = "default";
