import { JsonStorage } from "../../dist/index.js"

const { path, key } = JSON.parse(process.argv[2])
const storage = await JsonStorage.open({ path })
await storage.update(key, () => process.kill(process.pid, "SIGKILL"))
