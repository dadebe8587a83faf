// A process of its own: holds a database for writing until it is told to let go of it.
import SqliteDatabase from "better-sqlite3"

const database = new SqliteDatabase(process.argv[2])
database.exec("BEGIN IMMEDIATE")
process.stdout.write("held\n")
process.stdin.once("data", () => {
  database.exec("COMMIT")
  database.close()
  process.exit()
})
