import { JsonStorage } from "../../dist/index.js"

// Scans a store for the texts of its records, or for their bytes alone, and prints by how many bytes memory grew at most.
const { path, wanted } = JSON.parse(process.argv[2])
const storage = await JsonStorage.open({ path, readonly: true })
const before = process.resourceUsage().maxRSS
let length = 0
for await (const page of storage.scanTexts()) for (const entry of page) length += entry[wanted].length
process.stdout.write(JSON.stringify({ length, growth: (process.resourceUsage().maxRSS - before) * 1024 }))
