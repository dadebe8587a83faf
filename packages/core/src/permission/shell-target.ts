import type { PermissionTarget } from "./permission-target.js"
import { parseShellCommand, programCall, type SimpleCommand } from "./shell-command.js"
import { literalOf, matchesWildcard } from "./wildcard.js"

/**
 * The simple commands of a command line, each of which must be allowed. A wildcard describes characters of one simple
 * command, never an operator: `ls *` does not allow `ls; rm x`. Only `*` by itself, and the command line letter for
 * letter, describe a command line that cannot be parsed.
 */
export function shellTargets(command: string): PermissionTarget[] {
  return (parseShellCommand(command) ?? [undefined]).map((part) => shellTarget(command, part))
}

function shellTarget(command: string, part: SimpleCommand | undefined): PermissionTarget {
  // A rule that denies `rm *` is also about `"rm" -r x`, `X=1 rm -r x` and `/bin/rm -r x`.
  const spellings = part === undefined ? [command] : [command, part.words.join(" "), programCall(part)]
  return {
    overlap: (pattern) => {
      if (pattern === "*" || literalOf(pattern) === command) return "all"
      if (part !== undefined && matchesWildcard(part.text, pattern)) return "all"
      if (spellings.some((spelling) => matchesWildcard(spelling, pattern))) return "some"
      return part?.isPlain ? "none" : "unknown"
    },
  }
}
