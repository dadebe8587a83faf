import { mkdir, readdir } from "node:fs/promises"
import { join } from "node:path"
import { copyFixture, temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { fillStore } from "../testing/many-records.js"
import { inNamespace, mediumObstacle } from "../testing/medium.js"
import { stateOf } from "../testing/tree.js"

const obstacle = await mediumObstacle()

describe.skipIf(obstacle !== undefined)(
  `on a medium of its own${obstacle ? ` (skipped: ${obstacle})` : ""}`,
  () => {
    test.each(["sqlite", "json", "level"])(
      "%s: a full disk is named, and the conversion goes on once there is room",
      async (kind) => {
        await using folder = await temporaryFolder()
        const source = join(folder.path, "source")
        const found = await fillStore(source, 30)
        await mkdir(join(folder.path, "disk"))
        const before = await stateOf(source)
        const script = `
        mount -t tmpfs -o size=512k none "$2/disk"
        sessile convert "json:$1" "$3:$2/disk/target" 2>&1 || echo "exit $?"
        mount -o remount,size=300m "$2/disk"
        sessile convert "json:$1" "$3:$2/disk/target" --json 2>/dev/null`
        const [refusal = "", report = ""] = (await inNamespace(script, [source, folder.path, kind])).split(
          "exit 1\n",
        )
        expect(refusal).toMatch(/disk is (nearly )?full/)
        expect(JSON.parse(report)).toMatchObject({
          balanced: true,
          ledger: { found, setAside: 0 },
          verification: { compared: found, missing: [], different: [] },
        })
        expect(await stateOf(source)).toEqual(before)
      },
    )

    test.each(["sqlite", "json", "level"])(
      "%s: a read-only target is named, and nothing is made",
      async (kind) => {
        await using data = await copyFixture("v1.1.65-id-wrap")
        await using folder = await temporaryFolder()
        const script = `
      mount --bind "$2" "$2" && mount -o remount,bind,ro "$2"
      sessile convert "json:$1/storage" "$3:$2/target" 2>&1 || echo "exit $?"`
        const output = await inNamespace(script, [data.path, folder.path, kind])
        expect(output).toMatch(/read-only/i)
        expect(output).toMatch(/exit 1\n$/)
        expect(await readdir(folder.path)).toEqual([])
      },
    )

    test("a source on a read-only medium is read like any other", async () => {
      await using data = await copyFixture("v1.1.65-id-wrap")
      await using folder = await temporaryFolder()
      const script = `
      mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"
      for kind in sqlite level json; do
        sessile convert "json:$1/storage" "$kind:$2/$kind" --quiet && sessile verify "json:$1/storage" "$kind:$2/$kind" --quiet
      done
      mount --bind "$2" "$2" && mount -o remount,bind,ro "$2"
      for kind in sqlite level json; do sessile verify "$kind:$2/$kind" "json:$1/storage" --quiet; done
      echo fine`
      expect(await inNamespace(script, [data.path, folder.path])).toBe("fine\n")
    })
  },
)
