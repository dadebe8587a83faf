import { readdir } from "node:fs/promises"
import { join, relative, sep } from "node:path"
import { leadsInside } from "../../permission/path-target.js"
import { checkText } from "../config/check-text.js"
import { IGNORED, type IgnoredSetting } from "../config/ignored-setting.js"
import { isAbsent, readText } from "../config/read-text.js"
import { restrictDefinition, widens } from "../config/restrict-layer.js"
import { AgentDefinition } from "./agent-definition.js"
import { type AgentDefinitions, mergeAgents } from "./merge-agents.js"
import { readFrontMatter } from "./read-front-matter.js"

/** A folder with definitions of agents in `agent` and `agents`. */
export interface AgentFolder {
  readonly path: string
  /** The folder around it, when the user does not trust that: files must lie in it, and can only narrow rules. */
  readonly within?: string
}

/** The agents of some folders. */
export interface LoadedAgents {
  readonly definitions: AgentDefinitions
  /** What has no effect because the user does not trust a folder. */
  readonly ignored: readonly IgnoredSetting[]
}

/**
 * Reads the agents that are defined in `agent/*.md` and `agents/*.md` of some folders, such as `loadConfiguration`
 * returns; what a later folder states goes over what an earlier one does. The name of an agent is that of its file,
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
export async function loadAgents(folders: readonly AgentFolder[]): Promise<LoadedAgents> {
  const places = folders.flatMap(({ path, within }) => [
    { path: join(path, "agent"), within },
    { path: join(path, "agents"), within },
  ])
  const found = await Promise.all(places.map(readFolder))
  return {
    definitions: found.map(({ definitions }) => definitions).reduce(mergeAgents, {}),
    ignored: found.flatMap(({ ignored }) => ignored),
  }
}

interface Place {
  readonly path: string
  readonly within: string | undefined
}

async function readFolder({ path: folder, within }: Place): Promise<LoadedAgents> {
  const ignored: IgnoredSetting[] = []
  const isOutside = (path: string) => within !== undefined && !leadsInside(within, path)
  if (isOutside(folder)) return { definitions: {}, ignored: [{ source: folder, reason: IGNORED.outside }] }
  const definitions: [string, AgentDefinition][] = []
  for (const path of await markdownFiles(folder)) {
    if (isOutside(path)) ignored.push({ source: path, reason: IGNORED.outside })
    const text = isOutside(path) ? undefined : await readText(path)
    if (text === undefined) continue
    const definition = readDefinition(path, text)
    const name = relative(folder, path).slice(0, -".md".length).replaceAll(sep, "/")
    definitions.push([name, within === undefined ? definition : restrictDefinition(definition)])
    if (within === undefined || !widens(definition.permission ?? [])) continue
    ignored.push({ source: path, setting: "permission", reason: IGNORED.rules })
  }
  return { definitions: Object.fromEntries(definitions), ignored }
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
