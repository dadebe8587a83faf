#!/usr/bin/env node
import { startEarly } from "../dist/stores/early-thread.js"

const [command] = process.argv.slice(2)
startEarly(command)
const { main } = await import("../dist/main.js")
// Should the process end before the command does, it has failed.
process.exitCode = 1
process.exitCode = await main(process.argv.slice(2))
