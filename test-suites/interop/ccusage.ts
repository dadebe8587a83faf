import { execFile } from "node:child_process"
import { chmod } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { isolated } from "./isolation.js"
import { obtainPackage } from "./npm-package.js"

const VERSION = "20.0.24"
const RUN_LIMIT = 60_000

const run = promisify(execFile)

/** What ccusage tells of the sessions in a data folder of opencode: cost and tokens, by session and in total. */
export async function ccusage(data: string): Promise<{ sessions: object[]; totals: object }> {
  const folder = await obtainPackage(`@ccusage/ccusage-linux-x64@${VERSION}`, `ccusage-${VERSION}`)
  const program = join(folder, "bin", "ccusage")
  // As it is published, nobody may execute it.
  await chmod(program, 0o755)
  const { stdout } = await run("unshare", isolated(program, "opencode", "session", "--json", "--offline"), {
    env: { PATH: process.env.PATH, HOME: data, OPENCODE_DATA_DIR: data },
    timeout: RUN_LIMIT,
  })
  return JSON.parse(stdout)
}
