// A process of its own, on the build: writes and updates as fast as it can, and reports any error by dying.
import { SqliteStorage } from "../../dist/index.js"

const [path, name, times] = process.argv.slice(2)
const storage = await SqliteStorage.open({ path })
for (let round = 0; round < Number(times); round++) {
  await storage.write(["written", name, String(round)], { round })
  await storage.update(["counter"], (draft) => {
    draft.count++
  })
  await storage.write(["session", "p", `ses_${name}`], { time: { updated: round } })
}
await storage.close()
