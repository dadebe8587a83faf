export { LevelStorage, type LevelStorageOptions } from "./level-storage.js"
export type { RepairReport } from "./repair/repair.js"
