// Everything at once, for applications; each folder's own index lists what it exports. Of the models only the
// types come along: their schemas load zod, which takes longer than all the rest, and have an entry of their own.
export * from "./identifier/index.js"
export type * from "./model/index.js"
export * from "./paths/index.js"
export * from "./project/index.js"
export * from "./snapshot/index.js"
export * from "./storage/index.js"
