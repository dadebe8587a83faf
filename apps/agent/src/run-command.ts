import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"

/** More than a model can make use of. */
const MOST_OUTPUT = 1024 * 1024

const running = new Set<ChildProcess>()
process.once("exit", () => running.forEach(killGroup))

/** Runs a command in a shell, and returns what it prints; the signal ends it with all that it has started. */
export async function runCommand(command: string, cwd: string, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted()
  // A group of its own: a signal to the shell alone would leave behind what the shell has started.
  const detached = process.platform !== "win32"
  const shell = spawn("bash", ["-c", command], { cwd, detached, stdio: ["ignore", "pipe", "pipe"] })
  const kill = () => killGroup(shell)
  let output = ""
  const collect = (text: string) => {
    if (output.length < MOST_OUTPUT) output += text
  }
  for (const stream of [shell.stdout, shell.stderr]) stream.setEncoding("utf8").on("data", collect)
  signal.addEventListener("abort", kill)
  running.add(shell)
  try {
    const [code] = await once(shell, "close")
    signal.throwIfAborted()
    if (code !== 0) throw new Error(`The command ended with code ${code}\n${output}`)
    return output
  } finally {
    running.delete(shell)
    signal.removeEventListener("abort", kill)
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  if (process.platform === "win32") {
    spawn("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore", windowsHide: true })
    return
  }
  try {
    process.kill(-pid, "SIGKILL")
  } catch (error) {
    // All of it has ended already.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
  }
}
