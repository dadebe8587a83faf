import { readdir, readFile, stat } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { FileError } from "../project/file-error.js"
import type { PromptPart } from "./prompt-input.js"

type FilePrompt = Extract<PromptPart, { type: "file" }>

const LINE_LIMIT = 2000
const LENGTH_LIMIT = 50_000

/**
 * A file as it is stored in a question. What texts and folders hold goes along as text, since models are not given
 * those files; other files of this machine are taken in whole. Of a text, `?start=10&end=20` in the url selects lines.
 * A file that cannot be read is told of in a text that takes its place.
 */
export async function attachFile(part: FilePrompt): Promise<PromptPart[]> {
  if (part.url.startsWith("data:")) return attachData(part)
  if (!part.url.startsWith("file:")) return [part]
  const url = new URL(part.url)
  const [start, end] = [url.searchParams.get("start"), url.searchParams.get("end")].map(Number)
  url.search = ""
  const path = fileURLToPath(url)
  try {
    return await attachPath(part, path, { start, end })
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error)
    return [note(`The user attached ${path}, but it cannot be read (${reason})`)]
  }
}

function attachData(part: FilePrompt): PromptPart[] {
  if (part.mime !== "text/plain") return [part]
  const comma = part.url.indexOf(",")
  const isBase64 = part.url.slice(0, comma).endsWith(";base64")
  const data = part.url.slice(comma + 1)
  const text = isBase64 ? Buffer.from(data, "base64").toString() : decodeURIComponent(data)
  return [note(`The user attached ${part.filename ?? "a text"}:`), note(text), part]
}

interface LineRange {
  readonly start: number | undefined
  readonly end: number | undefined
}

async function attachPath(part: FilePrompt, path: string, range: LineRange): Promise<PromptPart[]> {
  const found = await stat(path)
  // Reading a pipe or a device may never end.
  if (!found.isFile() && !found.isDirectory()) throw new FileError("IRREGULAR", `${path} is no regular file`)
  if (found.isDirectory()) {
    const entries = await readdir(path, { withFileTypes: true })
    const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort()
    const listing = note(names.join("\n"))
    return [
      note(`The user attached the folder ${path}:`),
      listing,
      { ...part, mime: "application/x-directory" },
    ]
  }
  const announcement = note(`The user attached ${path}:`)
  if (part.mime === "text/plain") {
    return [announcement, note(numberLines(await readFile(path, "utf8"), range)), part]
  }
  const data = await readFile(path, "base64")
  return [announcement, { ...part, url: `data:${part.mime};base64,${data}` }]
}

function numberLines(text: string, { start, end }: LineRange): string {
  const lines = text.split("\n")
  const first = Math.max((start || 1) - 1, 0)
  const selected = lines.slice(first, end || undefined)
  const shown: string[] = []
  let length = 0
  for (const line of selected.slice(0, LINE_LIMIT)) {
    length += line.length
    if (length > LENGTH_LIMIT) break
    shown.push(`${first + shown.length + 1}: ${line}`)
  }
  const rest = selected.length - shown.length
  return [...shown, ...(rest > 0 ? [`[${rest} more lines]`] : [])].join("\n")
}

function note(text: string): PromptPart {
  return { type: "text", text, synthetic: true }
}
