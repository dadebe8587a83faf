import type { CommandWords, OptionWords } from "./command-words.js"

/** Completions for fish. */
export function fishScript(commands: readonly CommandWords[]): string {
  const lines = [
    "complete -c sessile -f",
    "complete -c sessile -n __fish_use_subcommand -l help -d 'show help'",
    "complete -c sessile -n __fish_use_subcommand -l version -d 'show the version'",
    ...commands.flatMap(commandLines),
  ]
  return `${lines.join("\n")}\n`
}

function commandLines({ name, description, options, words, takesFiles }: CommandWords): string[] {
  const behind = `complete -c sessile -n '__fish_seen_subcommand_from ${name}'`
  return [
    `complete -c sessile -n __fish_use_subcommand -a ${name} -d ${quoted(description)}`,
    ...(takesFiles ? [`${behind} -F`] : []),
    ...(words.length > 0 ? [`${behind} -a ${quoted(words.join(" "))}`] : []),
    ...options.map((option) => `${behind} ${optionArguments(option)}`),
  ]
}

function optionArguments({ name, description, value }: OptionWords): string {
  const kind =
    value === undefined
      ? ""
      : value === "file"
        ? " -r -F"
        : value === "text"
          ? " -x"
          : ` -x -a ${quoted(value.join(" "))}`
  return `-l ${name.replace(/^--/, "")}${kind} -d ${quoted(description)}`
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`
}
