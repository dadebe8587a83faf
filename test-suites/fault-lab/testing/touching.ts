import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { brokenSubject } from "./broken-subject.js"

export const subject = brokenSubject(import.meta.url, (storage, folder) => {
  writeFileSync(join(folder, "LOG"), "opened")
  return storage
})
