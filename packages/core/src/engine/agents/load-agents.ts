import { readdir, readFile } from "node:fs/promises"
import { join, relative, sep } from "node:path"
import { checkText } from "../config/check-text.js"
import { isAbsent } from "../config/read-text.js"
import { AgentDefinition } from "./agent-definition.js"
import { type AgentDefinitions, mergeAgents } from "./merge-agents.js"
import { readFrontMatter } from "./read-front-matter.js"

/**
 * Reads the agents that are defined in `agent/*.md` and `agents/*.md` of some folders, such as `loadConfiguration`
 * gives; what a later folder states goes over what an earlier one does. The name of an agent is that of its file,
 * after those of the folders in between: `agent/review/security.md` defines `review/security`.
 *
 * @throws ConfigurationError with line, column and reason, when the front matter of a file defines no agent
 *
 * @example
 * ```md
 * ---
 * description: Looks for mistakes, and changes nothing
 * mode: subagent
 * permission:
 *   edit: deny
 * ---
 * You review code. Name each mistake with its file and line.
 * ```
 */
export async function loadAgents(folders: readonly string[]): Promise<AgentDefinitions> {
  const places = folders.flatMap((folder) => [join(folder, "agent"), join(folder, "agents")])
  const found = await Promise.all(places.map(readFolder))
  return found.reduce(mergeAgents, {})
}

async function readFolder(folder: string): Promise<AgentDefinitions> {
  const definitions = (await markdownFiles(folder)).map(async (path): Promise<[string, AgentDefinition]> => {
    const name = relative(folder, path).slice(0, -".md".length).replaceAll(sep, "/")
    return [name, readDefinition(path, await readFile(path, "utf8"))]
  })
  return Object.fromEntries(await Promise.all(definitions))
}

async function markdownFiles(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder, { recursive: true })
    return names
      .filter((name) => name.endsWith(".md"))
      .sort()
      .map((name) => join(folder, name))
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}

function readDefinition(path: string, text: string): AgentDefinition {
  const { fields, body } = readFrontMatter(path, text)
  return { ...checkText(AgentDefinition, fields), ...(body !== "" && { prompt: body }) }
}
