import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { defineTool, type Tool, type ToolCall } from "@sessile/core/engine"
import { leadsInside } from "@sessile/core/permission"
import { z } from "zod"
import { runCommand } from "./run-command.js"

const path = z.string().describe("From the working folder, or absolute")
const LARGEST = 1024 * 1024

/** What the agent can do in a folder. Writing, running commands, and whatever leads out of the folder ask first. */
export function createTools(folder: string): Tool[] {
  const locate = async (
    permission: string,
    path: string,
    call: ToolCall,
    content?: string,
  ): Promise<string> => {
    const patterns = [resolve(folder, path)]
    if (!leadsInside(folder, path)) await call.ask({ permission: "external_directory", patterns })
    await call.ask({ permission, patterns, metadata: content === undefined ? {} : { content } })
    return resolve(folder, path)
  }
  return [
    defineTool({
      name: "read",
      description: "Reads a text file",
      input: z.object({ path }),
      async execute({ path }, call) {
        const file = await locate("read", path, call)
        const found = await stat(file)
        if (!found.isFile() || found.size > LARGEST) throw new Error("This is no file of at most 1 MiB")
        return { title: path, output: await readFile(file, "utf8") }
      },
    }),
    defineTool({
      name: "list",
      description: "Lists the files and folders in a folder",
      input: z.object({ path }),
      async execute({ path }, call) {
        return { title: path, output: (await readdir(await locate("list", path, call))).join("\n") }
      },
    }),
    defineTool({
      name: "write",
      description: "Writes a text file, in place of what it held",
      input: z.object({ path, content: z.string() }),
      permission: "edit",
      async execute({ path, content }, call) {
        const file = await locate("edit", path, call, content)
        await mkdir(dirname(file), { recursive: true })
        await writeFile(file, content)
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
        return { title: command, output: await runCommand(command, folder, call.signal) }
      },
    }),
  ]
}
