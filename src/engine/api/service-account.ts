/** The account of pods that name none; the serviceaccounts controller sees to it that every namespace has it. */
export const defaultServiceAccount = "default";
