export const open = undefined
