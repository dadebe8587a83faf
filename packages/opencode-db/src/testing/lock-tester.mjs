// A process of its own: exits with 7 if somebody else holds the write lock of a database, and with 0 if it gets it.
import SqliteDatabase from "better-sqlite3"

const database = new SqliteDatabase(process.argv[2], { timeout: 0 })
try {
  database.exec("BEGIN IMMEDIATE")
} catch (error) {
  if (error.code !== "SQLITE_BUSY") throw error
  process.exitCode = 7
}
database.close()
