#!/usr/bin/env node
import { setFlagsFromString } from "node:v8"
import { main } from "../dist/main.js"

// Records pass by one page after the other: what V8 would let pile up before it looks for garbage is only memory.
setFlagsFromString("--heap-growing-percent=20")

// Should the process end before the command does, it has failed.
process.exitCode = 1
process.exitCode = await main(process.argv.slice(2))
