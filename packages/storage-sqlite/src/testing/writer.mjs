// A process of its own, on the build: writes records, says so, and then does as it was told until it is killed.
import SqliteDatabase from "better-sqlite3"
import { SqliteStorage } from "../../dist/index.js"

const [path, manner] = process.argv.slice(2)
const storage = await SqliteStorage.open({ path })
for (let index = 0; index < 100; index++) await storage.write(["k", String(index)], { index })

if (manner === "within a rollback journal") {
  await storage.close()
  const database = new SqliteDatabase(path)
  // Nearly no cache: the changes are in the file before they are committed.
  database.exec("PRAGMA cache_size = 2; BEGIN; UPDATE records SET value = hex(zeroblob(10000))")
}
process.stdout.write("written\n")
if (manner === "without a pause")
  for (let index = 100; ; index++) await storage.write(["k", String(index)], { index })
else setInterval(() => storage, 60_000)
