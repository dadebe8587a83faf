// Runs the program, and writes the most memory that the process had, in bytes, to file descriptor 3.
import { writeSync } from "node:fs"
import { main } from "../../dist/main.js"

process.exitCode = await main(process.argv.slice(2))
writeSync(3, String(process.resourceUsage().maxRSS * 1024))
