import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const program = fileURLToPath(new URL("../../bin/sessile.js", import.meta.url))

/** Why no file systems can be mounted that nobody else sees, if so. */
export async function mediumObstacle(): Promise<string | undefined> {
  if (process.platform !== "linux") return "needs Linux, to mount file systems that nobody else sees"
  try {
    await inNamespace("mount -t tmpfs none /mnt", [])
    return undefined
  } catch {
    return "needs the right to mount file systems in a namespace"
  }
}

/**
 * Runs a shell script that may mount file systems, which nobody else sees. `sessile` in it runs the program, and its
 * parameters are `$1` and so on. Gives what the script wrote to its standard output.
 */
export async function inNamespace(script: string, parameters: readonly string[]): Promise<string> {
  const define = `sessile() { "${process.execPath}" "${program}" "$@"; }`
  const asRoot = process.getuid?.() === 0 ? [] : ["--map-root-user"]
  const { stdout } = await promisify(execFile)(
    "unshare",
    ["--mount", ...asRoot, "sh", "-euc", `${define}\n${script}`, "sh", ...parameters],
    { env: { ...process.env, XDG_DATA_HOME: "/nowhere", OPENCODE_DATA_DIR: "" } },
  )
  return stdout
}
