import { execFileSync } from "node:child_process"
import { expect, test } from "vitest"
import { describeWithOpencode } from "./describe-with-opencode.js"
import { isolated } from "./isolation.js"

describeWithOpencode("isolation", () => {
  test("an isolated program has loopback and no other network", () => {
    const script = "Object.keys(os.networkInterfaces()).join()"
    expect(execFileSync("unshare", isolated(process.execPath, "-p", script), { encoding: "utf8" })).toBe(
      "lo\n",
    )
  })
})
