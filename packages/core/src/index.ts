// Everything at once, for applications. Each folder's own index lists what it exports.
export * from "./identifier/index.js"
export * from "./model/index.js"
export * from "./paths/index.js"
export * from "./project/index.js"
export * from "./storage/index.js"
