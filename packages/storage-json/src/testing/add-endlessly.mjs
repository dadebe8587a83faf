import { JsonStorage } from "../../dist/index.js"

// Adds one record after another and prints a dot for each.
const { path, text } = JSON.parse(process.argv[2])
const storage = await JsonStorage.open({ path })
const start = Date.now()
for (let number = 0; ; number++) {
  await storage.addTexts([{ key: `record\0${start}-${number}`, text }])
  process.stdout.write(".")
}
