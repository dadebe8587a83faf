import { describe, expect, test } from "vitest"
import { measureProcess } from "./measure-process.js"

const node = (script: string) => measureProcess({ file: process.execPath, args: ["--eval", script] })

describe("measureProcess", () => {
  test("gives what the program wrote, and the time it took", async () => {
    const { stdout, milliseconds } = await node("console.log('done')")
    expect(stdout).toBe("done\n")
    expect(milliseconds).toBeGreaterThan(0)
  })

  test.runIf(process.platform === "linux")("memory that was given back counts towards the peak", async () => {
    const held = 200 * 2 ** 20
    const { stdout, peakBytes } = await node(`
      let buffer = Buffer.alloc(${held}, 1)
      buffer = undefined
      const { setFlagsFromString } = require("node:v8")
      setFlagsFromString("--expose-gc")
      require("node:vm").runInNewContext("gc")()
      setTimeout(() => console.log(process.memoryUsage.rss()), 100)
    `)
    expect(Number(stdout)).toBeLessThan(held)
    expect(peakBytes).toBeGreaterThan(held)
  })

  test("a program that fails is an error that tells what it wrote", async () => {
    await expect(node("console.error('no such store'); process.exit(3)")).rejects.toThrow(
      /ended with 3\nno such store/,
    )
  })

  test("a program that cannot be started is an error", async () => {
    await expect(measureProcess({ file: "/no/such/program", args: [] })).rejects.toThrow("ENOENT")
  })
})
