export { backupPath } from "./backup.js"
export {
  type DetectedDatabase,
  detectOpencodeDatabase,
  type RecordCounts,
} from "./detect-opencode-database.js"
export { OpencodeStorage, type OpencodeStorageOptions } from "./opencode-storage.js"
export type { OpencodeSchema } from "./schema.js"
