import { join, relative } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { runChild } from "./testing/child-process.js"
import { skip } from "./testing/skip.js"

test("with durability full, every new folder above a record has reached the disk when a change is done", async (context) => {
  if (process.platform === "win32") skip(context, "Windows knows no such call for folders")
  await using folder = await temporaryFolder()
  const store = join(folder.path, "new", "data", "storage")
  const text = [{ key: "part\0msg_1\0prt_1", text: "1" }]
  const syncs = await syncsOf(folder.path, store, "full", [
    ["write", ["message", "ses_1", "msg_1"], 1],
    ["write", ["message", "ses_1", "msg_2"], 1],
    ["addTexts", text],
    ["remove", ["message", "ses_1", "msg_1"]],
  ])
  expect(syncs).toEqual([
    ["", "new", "new/data"],
    // The folder that has the record, then those that have the folders, up to the store itself.
    ["new/data", "new/data/storage", "new/data/storage/message", "new/data/storage/message/ses_1"],
    ["new/data/storage/message/ses_1"],
    ["new/data/storage", "new/data/storage/part", "new/data/storage/part/msg_1"],
    ["new/data/storage/message/ses_1"],
  ])
})

test("folders that another process made just now are waited for as well", async (context) => {
  if (process.platform === "win32") skip(context, "Windows knows no such call for folders")
  await using folder = await temporaryFolder()
  const syncs = await syncsOf(folder.path, folder.path, "full", [
    ["mkdir", join(folder.path, "message", "ses_1"), { recursive: true }],
    ["write", ["message", "ses_1", "msg_1"], 1],
  ])
  expect(syncs[2]).toEqual(["", "..", "message", "message/ses_1"])
})

test("otherwise nothing is waited for until a flush, which includes new folders above the store", async (context) => {
  if (process.platform === "win32") skip(context, "Windows knows no such call for folders")
  await using folder = await temporaryFolder()
  const store = join(folder.path, "new", "storage")
  const syncs = await syncsOf(folder.path, store, "normal", [["write", ["a", "b"], 1], ["flush"]])
  expect(syncs.slice(0, 2)).toEqual([[], []])
  expect(syncs[2]).toEqual(
    expect.arrayContaining(["", "new", "new/storage", "new/storage/a", "new/storage/a/b.json"]),
  )
})

/** The folders, from `root`, that opening a store and each step made reach the disk. */
async function syncsOf(
  root: string,
  path: string,
  durability: string,
  steps: unknown[][],
): Promise<string[][]> {
  const printed = await runChild("record-syncs.mjs", { path, durability, steps })
  const report: string[][] = JSON.parse(printed)
  return report.map((paths) => [...new Set(paths.map((each) => relative(root, each)))].toSorted())
}
