// What `npm start` runs in the workspace: the program, or its demonstration when nothing is asked of it.
import { main } from "./dist/main.js"

const [, , ...commandLine] = process.argv
process.exitCode = await main(commandLine.length === 0 ? ["demo"] : commandLine)
