export { type GeneratedStore, type GenerateStoreOptions, generateStore } from "./generate-store.js"
export type { RecordCounts } from "./record-files.js"
