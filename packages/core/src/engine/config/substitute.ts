import { dirname, join, resolve } from "node:path"
import { leadsInside } from "../../permission/path-target.js"
import type { CheckedText } from "./check-text.js"
import { ConfigurationError } from "./configuration-error.js"
import { IGNORED } from "./ignored-setting.js"
import { locate } from "./locate.js"
import { readText } from "./read-text.js"

/** Where the texts that are put in come from. */
export interface SubstitutionSources {
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly home: string | undefined
  /** The folder that files must lie in, and that is not trusted with variables; none when not given. */
  readonly within: string | undefined
  /** Reports a reference that is not followed: nothing takes its place. */
  readonly onIgnored: (reference: string, reason: string) => void
}

/**
 * Puts into the strings of a configuration what they refer to: for `{env:NAME}` the environment variable, or nothing
 * when it is not set, and for `{file:PATH}` the text of the file, from the folder of the configuration on.
 *
 * @throws ConfigurationError when there is no such file
 */
export async function substitute(checked: CheckedText, sources: SubstitutionSources): Promise<CheckedText> {
  return { ...checked, value: await visit(checked.value, []) }

  async function visit(value: unknown, path: readonly PropertyKey[]): Promise<unknown> {
    if (typeof value === "string") return replaceAll(value, path)
    if (Array.isArray(value)) return Promise.all(value.map((item, index) => visit(item, [...path, index])))
    if (typeof value !== "object" || value === null) return value
    const fields = Object.entries(value).map(async ([name, field]) => [
      name,
      await visit(field, [...path, name]),
    ])
    return Object.fromEntries(await Promise.all(fields))
  }

  async function replaceAll(text: string, path: readonly PropertyKey[]): Promise<string> {
    const pieces = text.split(/(\{(?:env|file):[^}]+\})/)
    const replaced = pieces.map((piece) => {
      const [, kind, name = ""] = piece.match(/^\{(env|file):([^}]+)\}$/) ?? []
      if (kind === "env") return readVariable(name, piece)
      return kind === "file" ? readReference(name, piece, path) : piece
    })
    return (await Promise.all(replaced)).join("")
  }

  function readVariable(name: string, reference: string): string {
    if (sources.within === undefined) return sources.variables[name] ?? ""
    sources.onIgnored(reference, IGNORED.variable)
    return ""
  }

  async function readReference(
    name: string,
    reference: string,
    path: readonly PropertyKey[],
  ): Promise<string> {
    const { home, within } = sources
    const isAtHome = home !== undefined && name.startsWith("~/")
    const file = isAtHome ? join(home, name.slice(2)) : resolve(dirname(checked.source), name)
    if (within !== undefined && !leadsInside(within, file)) {
      sources.onIgnored(reference, IGNORED.outside)
      return ""
    }
    const text = await readText(file)
    if (text !== undefined) return text.trim()
    const place = locate(checked.text, checked.offsetOf(path) ?? 0)
    throw new ConfigurationError(checked.source, [{ ...place, reason: `there is no file ${file}` }])
  }
}
