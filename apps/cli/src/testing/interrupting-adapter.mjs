// An adapter whose store sends this process a signal with the first records that it gets. Its address is the name
// of the signal, or none, and the path of the file; with "twice" in front, a second signal follows, and the write
// never ends.
import { openStorage as openFile } from "./file-adapter.mjs"

export function openStorage(address, options) {
  const [, twice, signal, path] = /^(twice )?(\w+) (.*)$/.exec(address)
  const storage = openFile(path, options)
  const add = storage.batch.bind(storage)
  let isFirst = signal !== "none"
  storage.batch = async (operations) => {
    await add(operations)
    if (!isFirst) return
    isFirst = false
    await sent(signal)
    if (!twice) return
    process.kill(process.pid, signal)
    await new Promise(() => setInterval(() => undefined, 1_000))
  }
  return storage
}

async function sent(signal) {
  const received = new Promise((resolve) => process.once(signal, resolve))
  // Waiting for a signal does not keep a process alive.
  const alive = setInterval(() => undefined, 1_000)
  process.kill(process.pid, signal)
  await received
  clearInterval(alive)
}
