import { JsonStorage } from "../../dist/index.js"

// Counts every key up `times` times, and writes records of its own in between.
const { path, keys, times, own } = JSON.parse(process.argv[2])
const storage = await JsonStorage.open({ path })
for (let round = 0; round < times; round++) {
  const changes = keys.map((key) =>
    storage.update(key, (draft) => {
      draft.count += 1
    }),
  )
  if (own !== undefined) changes.push(storage.write([...own, String(round)], { round }))
  await Promise.all(changes)
}
await storage.close()
