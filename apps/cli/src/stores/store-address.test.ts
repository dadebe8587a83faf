import { homedir } from "node:os"
import { join, resolve } from "node:path"
import { expect, test } from "vitest"
import { parseAddress } from "./store-address.js"

test.each([
  ["json:/a", { kind: "json", path: "/a" }],
  ["SQLite:a.db", { kind: "sqlite", path: resolve("a.db") }],
  ["json:~/store", { kind: "json", path: join(homedir(), "store") }],
  ["level:~", { kind: "level", path: homedir() }],
  ["adapter:postgres://host/db", { kind: "adapter", path: "postgres://host/db" }],
  ["json:", { kind: "json", path: "" }],
  ["a.db", { path: resolve("a.db") }],
  ["./json:x", { path: resolve("./json:x") }],
  ["C:\\store", { path: resolve("C:\\store") }],
])("%s", (text, expected) => {
  expect(parseAddress(text)).toEqual(expected)
})
