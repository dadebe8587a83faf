import { JsonStorage } from "../../dist/index.js"

// Rewrites all keys at once, over and over, and prints a dot for each write.
const { path, keys, length } = JSON.parse(process.argv[2])
const storage = await JsonStorage.open({ path })
for (let round = 0; ; round++) {
  await Promise.all(
    keys.map(async (key) => {
      await storage.write(key, { text: String(round % 10).repeat(length) })
      process.stdout.write(".")
    }),
  )
}
