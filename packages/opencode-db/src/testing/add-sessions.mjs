// A process of its own, on the build: adds one session after the other, and tells each one that is there.
import { OpencodeStorage } from "../../dist/index.js"

const [path, sessions, messages] = process.argv.slice(2)
const storage = await OpencodeStorage.open({ path })
for (let session = 0; session < Number(sessions); session++) {
  const id = `ses_${session}`
  const record = (key, value) => ({ key: key.join("\0"), text: JSON.stringify(value) })
  const records = Array.from({ length: Number(messages) }, (_, index) => [
    record(["message", id, `msg_${session}_${index}`], { role: "assistant", parentID: "msg_", cost: 1 }),
    record(["part", `msg_${session}_${index}`, `prt_${session}_${index}`], { sessionID: id, type: "text" }),
  ])
  await storage.addTexts([record(["session", "global", id], { title: id }), ...records.flat()])
  process.stdout.write(`${id}\n`)
}
await storage.close()
