import { execFile } from "node:child_process"
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { promisify } from "node:util"
import { defineTool, type Tool } from "@sessile/core/engine"
import { z } from "zod"

const run = promisify(execFile)
const path = z.string().describe("From the working folder, or absolute")

/** What the agent can do in a folder. Writing and running commands ask first. */
export function createTools(folder: string): Tool[] {
  const at = (path: string) => resolve(folder, path)
  return [
    defineTool({
      name: "read",
      description: "Reads a text file",
      input: z.object({ path }),
      execute: async ({ path }) => ({ title: path, output: await readFile(at(path), "utf8") }),
    }),
    defineTool({
      name: "list",
      description: "Lists the files and folders in a folder",
      input: z.object({ path }),
      execute: async ({ path }) => ({ title: path, output: (await readdir(at(path))).join("\n") }),
    }),
    defineTool({
      name: "write",
      description: "Writes a text file, in place of what it held",
      input: z.object({ path, content: z.string() }),
      permission: "edit",
      async execute({ path, content }, call) {
        await call.ask({ permission: "edit", patterns: [path], metadata: { content } })
        await mkdir(dirname(at(path)), { recursive: true })
        await writeFile(at(path), content)
        return { title: path, output: "Written" }
      },
    }),
    defineTool({
      name: "bash",
      description: "Runs a command in a shell",
      input: z.object({ command: z.string() }),
      timeLimit: 120_000,
      async execute({ command }, call) {
        await call.ask({ permission: "bash", patterns: [command] })
        const { stdout, stderr } = await run("bash", ["-c", command], { cwd: folder, signal: call.signal })
        return { title: command, output: stdout + stderr }
      },
    }),
  ]
}
