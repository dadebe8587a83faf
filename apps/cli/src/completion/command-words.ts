import type { Command } from "commander"
import { ADAPTER } from "../stores/store-address.js"
import { storeKinds } from "../stores/store-kinds.js"

/** What can be written behind a command. */
export interface CommandWords {
  readonly name: string
  readonly description: string
  readonly options: readonly OptionWords[]
  /** What its arguments can start with; files complete where they are stores. */
  readonly words: readonly string[]
  readonly takesFiles: boolean
}

/** An option, by its long name. */
export interface OptionWords {
  readonly name: string
  readonly description: string
  /** What comes behind it; `undefined` for nothing. */
  readonly value?: "file" | "text" | readonly string[] | undefined
}

/** The commands of a program as they are defined, for completions. */
export function commandWords(program: Command): CommandWords[] {
  const kinds = [...storeKinds.keys(), ADAPTER].map((kind) => `${kind}:`)
  return program.commands.map((command) => {
    const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
    const takesFiles = choices.length === 0 && command.registeredArguments.length > 0
    return {
      name: command.name(),
      description: command.description(),
      options: [...command.options.map(optionWords), { name: "--help", description: "show help" }],
      words: takesFiles ? kinds : choices,
      takesFiles,
    }
  })
}

function optionWords(option: Command["options"][number]): OptionWords {
  const { long, description, argChoices, required, flags } = option
  const value = argChoices ?? (/<(file|dir|module)>/.test(flags) ? "file" : "text")
  return { name: long ?? flags, description, value: required ? value : undefined }
}
