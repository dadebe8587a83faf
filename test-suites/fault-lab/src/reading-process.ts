import { readStore } from "./read-store.js"
import type { ReadingTask } from "./reading.js"
import { loadSubject } from "./subject.js"

// Reads damaged stores in a process of its own: what aborts it or keeps it busy for ever must not end the lab.
const [, , module = ""] = process.argv
const subject = await loadSubject(module)

process.on("message", async (task: ReadingTask) => {
  process.send?.(await readStore(subject, task))
})
