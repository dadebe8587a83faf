import { JsonStorage } from "../../dist/index.js"

const { path } = JSON.parse(process.argv[2])
const storage = await JsonStorage.open({ path, readonly: true })
let count = 0
for await (const { value } of storage.scan([])) count += value.text.length > 0 ? 1 : 0
process.stdout.write(String(count))
