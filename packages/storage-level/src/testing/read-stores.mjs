import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { StorageError } from "@sessile/core/storage"
import { LevelStorage } from "../../dist/index.js"

// Reads one store after the other, every second one for reading only, and prints what came of it. Stores that cannot
// be opened are repaired and read again.
const [folder, first, end] = process.argv.slice(2)
for (let number = Number(first); number < Number(end); number++) {
  const path = join(folder, String(number))
  const before = contentOf(path)
  const reading = await read(path, number % 2 === 0)
  if (reading.error !== undefined) {
    reading.isTouched = before !== contentOf(path)
    reading.repaired = await repair(path)
  }
  process.stdout.write(`${JSON.stringify(reading)}\n`)
}

async function read(path, readonly) {
  const records = {}
  const invalid = []
  let storage
  try {
    storage = await LevelStorage.open({ path, readonly })
    const findings = await storage.check()
    const onCorrupt = ({ key }) => invalid.push(key)
    for await (const { key, value } of storage.scan([], { onCorrupt })) records[key.join("/")] = value
    for await (const { key, value } of storage.find("sessions-by-updated", { onCorrupt })) {
      records[`found ${key.join("/")}`] = value
    }
    for (const key of await storage.list([])) await storage.read(key).catch(onCorrupt)
    return { records, invalid, findings }
  } catch (error) {
    return { error: describe(error) }
  } finally {
    await storage?.close()
  }
}

async function repair(path) {
  try {
    const { records, losses } = await LevelStorage.repair(path)
    return { count: records, losses, ...(await read(path, false)) }
  } catch (error) {
    return { error: describe(error) }
  }
}

function describe(error) {
  return { code: StorageError.is(error) ? error.code : undefined, message: String(error) }
}

// LevelDB begins its LOG anew when it is asked for the lock.
function contentOf(path) {
  const names = readdirSync(path).filter((name) => !/^LO(CK|G)/.test(name))
  return JSON.stringify(names.sort().map((name) => [name, readFileSync(join(path, name), "latin1")]))
}
