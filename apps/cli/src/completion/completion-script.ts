import type { Command } from "commander"
import { bashScript } from "./bash-script.js"
import { commandWords } from "./command-words.js"
import { fishScript } from "./fish-script.js"
import { zshScript } from "./zsh-script.js"

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const

/** A shell that the program has completions for. */
export type Shell = keyof typeof scripts

export const SHELLS = Object.keys(scripts) as readonly Shell[]

/** The completions of a program, made from its definitions. */
export function completionScript(shell: Shell, program: Command): string {
  return scripts[shell](commandWords(program))
}
