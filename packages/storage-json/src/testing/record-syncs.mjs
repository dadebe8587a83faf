import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"

// Runs steps on a new store, and prints for each of them which folders it made reach the disk.
const { path, durability, steps } = JSON.parse(process.argv[2])
const paths = new Map()
let synced = []
const { openSync, fsync } = fs
fs.openSync = (name, ...rest) => {
  const file = openSync(name, ...rest)
  paths.set(file, name)
  return file
}
fs.fsync = (file, done) => {
  synced.push(paths.get(file))
  fsync(file, done)
}
syncBuiltinESMExports()
const { JsonStorage } = await import("../../dist/index.js")
const report = []
const note = () => {
  report.push(synced)
  synced = []
}
const storage = await JsonStorage.open({ path, durability })
note()
for (const [method, ...parameters] of steps) {
  if (method === "mkdir") fs.mkdirSync(...parameters)
  else await storage[method](...parameters)
  note()
}
process.stdout.write(JSON.stringify(report))
