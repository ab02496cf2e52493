// accepted
export const plain: string = "plain";
