import type { CommandWords, OptionWords } from "./command-words.js"

/** Completions for zsh. */
export function zshScript(commands: readonly CommandWords[]): string {
  return `#compdef sessile
_sessile_store() {
  if compset -P '*:'; then _files; else compadd -S '' -- ${storeWords(commands).join(" ")}; _files; fi
}
_sessile() {
  local -a commands=(
${commands.map(({ name, description }) => `    ${quoted(`${name}:${description}`)}`).join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    _arguments '--help[show help]' '--version[show the version]'
    return
  fi
  case $words[2] in
${commands.map(commandCase).join("\n")}
  esac
}
if [ "$funcstack[1]" = _sessile ]; then _sessile "$@"; else compdef _sessile sessile; fi
`
}

function storeWords(commands: readonly CommandWords[]): readonly string[] {
  return commands.find(({ takesFiles }) => takesFiles)?.words ?? []
}

function commandCase({ name, options, words, takesFiles }: CommandWords): string {
  const rest = takesFiles ? "'*:store:_sessile_store'" : `'*:word:(${words.join(" ")})'`
  const specifications = [
    ...options.map(optionSpecification),
    ...(takesFiles || words.length > 0 ? [rest] : []),
  ]
  return `    ${name}) shift words; (( CURRENT-- )); _arguments ${specifications.join(" ")} ;;`
}

function optionSpecification({ name, description, value }: OptionWords): string {
  const action =
    value === undefined
      ? ""
      : value === "file"
        ? ":file:_files"
        : value === "text"
          ? ":value: "
          : `:value:(${value.join(" ")})`
  return quoted(`*${name}[${description.replace(/[[\]:]/g, "\\$&")}]${action}`)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
