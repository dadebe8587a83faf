import { execFileSync } from "node:child_process"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "vitest"
import { EngineBench, textsOf, typesOf } from "./testing/engine-bench.js"
import { Folder } from "./testing/folder.js"
import { says } from "./testing/scripted-driver.js"

describe("the parts of a prompt", () => {
  it("are stored in the order in which they were given, each followed by what goes along with it", async () => {
    await using folder = await Folder.create({ "index.js": "one\ntwo\n" })
    const text = pathToFileURL(folder.join("index.js")).href
    const image = "data:image/png;base64,AAAA"
    const bench = new EngineBench({ replies: [says("Seen")] })
    const { sessionID } = await bench.ask("", {
      parts: [
        { type: "text", text: "look" },
        { type: "file", mime: "image/png", filename: "dot.png", url: image },
        { type: "agent", name: "general" },
        { type: "file", mime: "text/plain", filename: "index.js", url: text },
      ],
    })
    const [question] = await bench.sessions.messages.load(sessionID)
    expect(question && typesOf(question)).toEqual(["text", "file", "agent", "text", "text", "text", "file"])
    expect(question?.parts).toMatchObject([
      { text: "look" },
      { url: image },
      { name: "general" },
      { synthetic: true, text: expect.stringContaining("general") },
      { synthetic: true, text: expect.stringContaining("index.js") },
      { synthetic: true, text: "1: one\n2: two\n3: " },
      { mime: "text/plain", url: text },
    ])
    const asked = bench.driver.requests[0]?.messages.at(-1)?.content
    expect(asked).toContainEqual({ type: "file", data: image, mediaType: "image/png", filename: "dot.png" })
    expect(asked).toContainEqual({ type: "text", text: "1: one\n2: two\n3: " })
  })

  it("read the lines of a file that its url selects", async () => {
    await using folder = await Folder.create({
      "long.txt": Array.from({ length: 50 }, (_, line) => `l${line + 1}`).join("\n"),
    })
    const url = `${pathToFileURL(folder.join("long.txt")).href}?start=10&end=12`
    expect(await stored({ type: "file", mime: "text/plain", url })).toEqual([
      expect.any(String),
      "10: l10\n11: l11\n12: l12",
    ])
  })

  it.each([
    ["many lines", "a\n".repeat(3000), "2000: a\n[1001 more lines]"],
    ["long lines", `${"x".repeat(40_000)}\n`.repeat(2), "x\n[2 more lines]"],
  ])("cut %s short, and say so", async (_, text, end) => {
    await using folder = await Folder.create({ "big.txt": text })
    const [, shown] = await stored({
      type: "file",
      mime: "text/plain",
      url: pathToFileURL(folder.join("big.txt")).href,
    })
    expect(shown?.endsWith(end)).toBe(true)
  })

  it("list folders", async () => {
    await using folder = await Folder.create({ "b.txt": "", "a/c.txt": "" })
    const bench = new EngineBench()
    const url = pathToFileURL(folder.path).href
    const { answer } = await bench.ask("", {
      noReply: true,
      parts: [{ type: "file", mime: "text/plain", url }],
    })
    expect(textsOf(answer)[1]).toBe("a/\nb.txt")
    expect(answer.parts[2]).toMatchObject({ type: "file", mime: "application/x-directory", url })
  })

  it("take other files in whole", async () => {
    await using folder = await Folder.create({ "a.png": "png" })
    const bench = new EngineBench()
    const url = pathToFileURL(folder.join("a.png")).href
    const { answer } = await bench.ask("", {
      noReply: true,
      parts: [{ type: "file", mime: "image/png", url }],
    })
    expect(answer.parts[1]).toMatchObject({ url: "data:image/png;base64,cG5n" })
  })

  it("tell of a file that cannot be read instead of it", async () => {
    await using folder = await Folder.create()
    const url = pathToFileURL(folder.join("none.txt")).href
    expect(await stored({ type: "file", mime: "text/plain", url })).toEqual([
      expect.stringContaining("ENOENT"),
    ])
  })

  it.skipIf(process.platform === "win32")("do not make a prompt wait for a pipe", async () => {
    await using folder = await Folder.create()
    execFileSync("mkfifo", [folder.join("pipe")])
    const url = pathToFileURL(folder.join("pipe")).href
    expect(await stored({ type: "file", mime: "text/plain", url })).toEqual([
      expect.stringContaining("IRREGULAR"),
    ])
  })

  it.each(["data:text/plain;base64,SGkh", "data:text/plain,Hi%21"])(
    "give the text of %s to the model",
    async (url) => {
      expect(await stored({ type: "file", mime: "text/plain", url })).toEqual([expect.any(String), "Hi!"])
    },
  )
})

async function stored(part: { type: "file"; mime: string; url: string }): Promise<string[]> {
  const bench = new EngineBench()
  return textsOf((await bench.ask("", { noReply: true, parts: [part] })).answer)
}
