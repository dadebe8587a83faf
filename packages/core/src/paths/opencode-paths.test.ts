import { isAbsolute, resolve } from "node:path"
import { describe, expect, it } from "vitest"
import { DataFolderError } from "./data-folder-error.js"
import { opencodeChannelDatabase, opencodePaths, type PathEnvironment } from "./opencode-paths.js"

const home = "/home/dev"
const userProfile = "C:\\Users\\dev"

describe.each(["linux", "darwin"] as const)("on %s", (platform) => {
  it("the data lies in ~/.local/share by default", () => {
    expect(opencodePaths({ platform, variables: { HOME: home } })).toEqual({
      data: "/home/dev/.local/share/opencode",
      storage: "/home/dev/.local/share/opencode/storage",
      project: "/home/dev/.local/share/opencode/project",
      database: "/home/dev/.local/share/opencode/opencode.db",
    })
  })

  it("XDG_DATA_HOME replaces ~/.local/share", () => {
    expect(data({ platform, variables: { HOME: home, XDG_DATA_HOME: "/data" } })).toBe("/data/opencode")
  })

  it.each(["", "data", "./data"])("XDG_DATA_HOME %j is ignored", (XDG_DATA_HOME) => {
    const expected = "/home/dev/.local/share/opencode"
    expect(data({ platform, variables: { HOME: home, XDG_DATA_HOME } })).toBe(expected)
  })

  it("the variables of Windows are ignored", () => {
    const variables = { HOME: home, LOCALAPPDATA: "/local", USERPROFILE: "/profile" }
    expect(data({ platform, variables })).toBe("/home/dev/.local/share/opencode")
  })

  it.each([{}, { HOME: "" }, { XDG_DATA_HOME: "data" }])(
    "%j does not tell, and the error names what to set",
    (variables) => {
      expect(() => opencodePaths({ platform, variables })).toThrow(DataFolderError)
      expect(() => opencodePaths({ platform, variables })).toThrow(
        "set HOME, XDG_DATA_HOME or OPENCODE_DATA_DIR",
      )
    },
  )

  it("no home is needed when XDG_DATA_HOME tells", () => {
    expect(data({ platform, variables: { XDG_DATA_HOME: "/data" } })).toBe("/data/opencode")
  })
})

describe("on Windows", () => {
  const platform = "win32"

  it("the data lies in LOCALAPPDATA by default", () => {
    const variables = { LOCALAPPDATA: "D:\\Local", USERPROFILE: userProfile, HOME: "C:\\home" }
    expect(opencodePaths({ platform, variables })).toEqual({
      data: "D:\\Local\\opencode",
      storage: "D:\\Local\\opencode\\storage",
      project: "D:\\Local\\opencode\\project",
      database: "D:\\Local\\opencode\\opencode.db",
    })
  })

  it("AppData\\Local in the profile stands in for LOCALAPPDATA", () => {
    const variables = { LOCALAPPDATA: "", USERPROFILE: userProfile }
    expect(data({ platform, variables })).toBe("C:\\Users\\dev\\AppData\\Local\\opencode")
  })

  it("XDG_DATA_HOME wins over LOCALAPPDATA", () => {
    const variables = { LOCALAPPDATA: "D:\\Local", XDG_DATA_HOME: "E:/data" }
    expect(data({ platform, variables })).toBe("E:\\data\\opencode")
  })

  it("a relative XDG_DATA_HOME is ignored", () => {
    const variables = { LOCALAPPDATA: "D:\\Local", XDG_DATA_HOME: "data" }
    expect(data({ platform, variables })).toBe("D:\\Local\\opencode")
  })

  it("an environment that does not tell is refused with what to set", () => {
    const names = "LOCALAPPDATA, USERPROFILE, XDG_DATA_HOME or OPENCODE_DATA_DIR"
    expect(() => opencodePaths({ platform, variables: {} })).toThrow(DataFolderError)
    expect(() => opencodePaths({ platform, variables: { HOME: home } })).toThrow(`set ${names}`)
  })
})

describe("OPENCODE_DATA_DIR", () => {
  it("wins over everything else, as it is", () => {
    const variables = { HOME: home, XDG_DATA_HOME: "/data", OPENCODE_DATA_DIR: "/mnt/my opencode" }
    expect(opencodePaths({ platform: "linux", variables })).toEqual({
      data: "/mnt/my opencode",
      storage: "/mnt/my opencode/storage",
      project: "/mnt/my opencode/project",
      database: "/mnt/my opencode/opencode.db",
    })
  })

  it("starts at the working directory when it is relative", () => {
    const variables = { OPENCODE_DATA_DIR: "../store" }
    expect(data({ platform: "linux", variables, workingDirectory: "/home/dev/code" })).toBe("/home/dev/store")
    expect(data({ platform: "win32", variables, workingDirectory: "C:\\dev\\code" })).toBe("C:\\dev\\store")
  })

  it("starts at the working directory of the process when none is given", () => {
    const { platform } = process
    expect(data({ platform, variables: { OPENCODE_DATA_DIR: "store" } })).toBe(resolve("store"))
  })

  it("counts as unset when it is empty", () => {
    const variables = { XDG_DATA_HOME: "/data", OPENCODE_DATA_DIR: "" }
    expect(data({ platform: "linux", variables })).toBe("/data/opencode")
  })
})

describe("OPENCODE_DB", () => {
  it.each([
    ["linux", "/mnt/other.db", "/mnt/other.db"],
    ["linux", "other.db", "/data/opencode/other.db"],
    ["linux", "", "/data/opencode/opencode.db"],
    ["win32", "D:\\other.db", "D:\\other.db"],
    ["win32", "sub/other.db", "\\data\\opencode\\sub\\other.db"],
  ] as const)("on %s, %j leads to %s", (platform, OPENCODE_DB, expected) => {
    const variables = { XDG_DATA_HOME: "/data", OPENCODE_DB }
    expect(opencodePaths({ platform, variables }).database).toBe(expected)
  })
})

describe("opencodeChannelDatabase", () => {
  it("lies in the data folder, whatever OPENCODE_DB says", () => {
    const variables = { XDG_DATA_HOME: "/data", OPENCODE_DB: "/mnt/other.db" }
    expect(opencodeChannelDatabase("dev", { platform: "linux", variables })).toBe(
      "/data/opencode/opencode-dev.db",
    )
    expect(opencodeChannelDatabase("dev", { platform: "win32", variables })).toBe(
      "\\data\\opencode\\opencode-dev.db",
    )
  })
})

it("without an environment the running process tells", () => {
  const { platform, env } = process
  expect(opencodePaths()).toEqual(
    opencodePaths({ platform, variables: env, workingDirectory: process.cwd() }),
  )
  expect(isAbsolute(opencodePaths().data)).toBe(true)
})

function data(environment: PathEnvironment): string {
  return opencodePaths(environment).data
}
