import type { CommandWords } from "./command-words.js"

/** Completions for bash. It breaks words at colons, so that files complete behind `json:` by themselves. */
export function bashScript(commands: readonly CommandWords[]): string {
  return `_sessile() {
  local word="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words="" files=""
  [[ $word == : ]] && word=""
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")} --help --version" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${commands.map(commandCase).join("\n")}
  esac
  [[ $previous == : || \${COMP_WORDS[COMP_CWORD]} == : ]] && words="" files=yes
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  if [[ -n $files ]]; then
    local IFS=$'\\n'
    COMPREPLY+=($(compgen -f -- "$word"))
    compopt -o filenames 2> /dev/null
  fi
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *: ]] && compopt -o nospace 2> /dev/null
  return 0
}
complete -F _sessile sessile
`
}

function commandCase({ name, options, words, takesFiles }: CommandWords): string {
  const valued = options.filter(({ value }) => value !== undefined)
  const cases = valued.map(({ name: option, value }) => {
    if (value === "file") return `        ${option}) words="" files=yes ;;`
    return `        ${option}) words="${value === "text" ? "" : value?.join(" ")}" files="" ;;`
  })
  const all = [...options.map((option) => option.name), ...words].join(" ")
  return `    ${name})
      words="${all}" files=${takesFiles ? "yes" : '""'}
      case "$previous" in
${[...cases, "        *) ;;"].join("\n")}
      esac
      ;;`
}
