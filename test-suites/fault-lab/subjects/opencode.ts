import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import type { Subject } from "@sessile/fault-lab"
import { databasePath } from "@sessile/fixtures"
import { OpencodeStorage } from "@sessile/opencode-db"

export const subject: Subject = {
  name: "OpencodeStorage",
  module: import.meta.url,
  prepare: (folder) => copyFile(databasePath("native-1.18.34"), join(folder, "opencode.db")),
  open: (folder, { readonly }) => OpencodeStorage.open({ path: join(folder, "opencode.db"), readonly }),
  address: (folder) => `opencode:${join(folder, "opencode.db")}`,
  undetectable: "opencode's tables hold no checksums",
}
