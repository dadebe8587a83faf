export { JsonStorage, type JsonStorageOptions } from "./json-storage.js"
export { LegacyStorage, type LegacyStorageOptions } from "./migration/legacy-storage.js"
export { type MigrateOptions, migrate } from "./migration/migrate.js"
export type { MigratedProject, MigrationRemark, MigrationReport } from "./migration/migration-report.js"
