import {
  findNodeAtLocation,
  getNodeValue,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser"
import type { CheckedText } from "./check-text.js"
import { ConfigurationError } from "./configuration-error.js"
import { locate } from "./locate.js"

/**
 * JSON with comments and trailing commas.
 *
 * @throws ConfigurationError with the places of all that is no such thing
 */
export function parseJsonc(source: string, text: string): CheckedText {
  const errors: ParseError[] = []
  // Editors on Windows begin files with a byte order mark.
  const content = text.replace(/^\uFEFF/, "")
  const root = parseTree(content, errors, { allowTrailingComma: true })
  if (root === undefined || errors.length > 0) {
    const problems = errors.map(({ error, offset }) => ({
      ...locate(content, offset),
      reason: reasonOf(error),
    }))
    throw new ConfigurationError(source, problems)
  }
  const offsetOf = (path: readonly PropertyKey[]) =>
    findNodeAtLocation(root, path as (string | number)[])?.offset
  return { source, text: content, value: getNodeValue(root), offsetOf }
}

// "CommaExpected" reads "comma expected".
function reasonOf(error: ParseError["error"]): string {
  return printParseErrorCode(error)
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()
}
