import { type Document, isNode, parseDocument, visit } from "yaml"
import type { CheckedText } from "../config/check-text.js"
import { ConfigurationError } from "../config/configuration-error.js"
import { locate } from "../config/locate.js"

/** A text with fields before it. */
export interface FrontMatter {
  /** The fields, an empty object when there are none. */
  readonly fields: CheckedText
  readonly body: string
}

/**
 * Parts a text from the YAML between two lines of `---` at its beginning.
 *
 * @throws ConfigurationError with the places of all that is no YAML
 */
export function readFrontMatter(source: string, text: string): FrontMatter {
  const [all = "", opening = "", yaml = ""] = text.match(FRONT_MATTER) ?? []
  const document = parseDocument(yaml, { prettyErrors: false })
  const problems = problemsOf(document).map(({ offset, reason }) => {
    return { ...locate(text, opening.length + offset), reason }
  })
  if (problems.length > 0) throw new ConfigurationError(source, problems)
  const offsetOf = (path: readonly PropertyKey[]) => {
    const node = path.length === 0 ? document.contents : document.getIn(path, true)
    return isNode(node) && node.range ? opening.length + node.range[0] : undefined
  }
  return {
    fields: { source, text, value: document.toJS() ?? {}, offsetOf },
    body: text.slice(all.length).trim(),
  }
}

const FRONT_MATTER = /^(\uFEFF?---[ \t]*\r?\n)(.*?)^---[ \t]*(?:\r?\n|$(?!\n))/ms

interface Problem {
  readonly offset: number
  readonly reason: string
}

function problemsOf(document: Document.Parsed): Problem[] {
  const problems: Problem[] = document.errors.map(({ pos, message }) => ({ offset: pos[0], reason: message }))
  visit(document, {
    // What looks like one is most likely a text in asterisks; real ones can grow without bounds.
    Alias(_, { range }) {
      problems.push({ offset: range?.[0] ?? 0, reason: "no aliases are taken; put a text with * in quotes" })
    },
  })
  return problems
}
