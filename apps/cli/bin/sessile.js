#!/usr/bin/env node
import { main } from "../dist/main.js"

// Should the process end before the command does, it has failed.
process.exitCode = 1
process.exitCode = await main(process.argv.slice(2))
