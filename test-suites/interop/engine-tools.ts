import { execFile } from "node:child_process"
import { readFile, writeFile } from "node:fs/promises"
import { relative } from "node:path"
import { promisify } from "node:util"
import type { Tool } from "@sessile/core/engine"
import { TodoList } from "@sessile/core/model"
import type { Sessions } from "@sessile/core/session"
import { z } from "zod"

const run = promisify(execFile)

/** Tools by the names, and with the inputs, that those of opencode have. */
export function opencodeTools(sessions: Sessions, worktree: string): Tool[] {
  return [
    tool({
      name: "bash",
      description: "Runs a command",
      input: z.object({ command: z.string(), description: z.string() }),
      execute: async ({ command, description }) => {
        const { stdout } = await run("bash", ["-c", command], { cwd: worktree })
        return { title: description, output: stdout }
      },
    }),
    tool({
      name: "write",
      description: "Writes a file",
      input: z.object({ filePath: z.string(), content: z.string() }),
      permission: "edit",
      execute: async ({ filePath, content }, call) => {
        const title = relative(worktree, filePath)
        await call.ask({ permission: "edit", patterns: [title] })
        await writeFile(filePath, content)
        return { title, output: "Written" }
      },
    }),
    tool({
      name: "read",
      description: "Reads a file",
      input: z.object({ filePath: z.string() }),
      execute: async ({ filePath }) => ({
        title: relative(worktree, filePath),
        output: await readFile(filePath, "utf8"),
      }),
    }),
    tool({
      name: "todowrite",
      description: "Writes the list of tasks",
      input: z.object({ todos: TodoList }),
      execute: async ({ todos }, { sessionID }) => {
        await sessions.setTodos(sessionID, todos)
        return { title: `${todos.length} todos`, output: "Written" }
      },
    }),
  ]
}

/** Lets the type of the input follow from its schema. */
function tool<Input extends z.ZodType>(definition: Tool<Input>): Tool {
  return definition
}
