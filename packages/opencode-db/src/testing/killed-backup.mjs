// A process of its own, on the build: begins to back up a database, and is killed.
import { OpencodeStorage } from "../../dist/index.js"

const storage = await OpencodeStorage.open({ path: process.argv[2] })
storage.backup()
process.kill(process.pid, "SIGKILL")
