export { SqliteStorage, type SqliteStorageOptions } from "./sqlite-storage.js"
