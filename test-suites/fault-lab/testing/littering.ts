import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { brokenSubject } from "./broken-subject.js"

export const subject = brokenSubject(import.meta.url, (storage) => {
  mkdtempSync(join(tmpdir(), "copy-"))
  return storage
})
