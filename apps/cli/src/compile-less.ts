import { setFlagsFromString } from "node:v8"

/**
 * Has V8 wait longer until it compiles a function once more, and better. By default that comes early, and in a program that
 * ends after seconds it takes more time than it saves.
 */
export function compileLess(): void {
  // Later versions have another compiler in between, and do not know the flag.
  if (process.versions.v8.startsWith("11.")) setFlagsFromString("--interrupt-budget=400000")
}
