import { expect, it } from "vitest"
import { defaultTitle, forkTitle, isDefaultTitle } from "./default-title.js"

const time = Date.UTC(2026, 7, 14, 11, 19, 55, 136)

it("the default title tells the time, and a child from other sessions", () => {
  expect(defaultTitle("root", time)).toBe("New session - 2026-08-14T11:19:55.136Z")
  expect(defaultTitle("child", time)).toBe("Child session - 2026-08-14T11:19:55.136Z")
})

it("default titles are recognised, and others are not", () => {
  expect(isDefaultTitle(defaultTitle("root", time))).toBe(true)
  expect(isDefaultTitle(defaultTitle("child", time))).toBe(true)
  expect(isDefaultTitle("New session - about titles")).toBe(false)
  expect(isDefaultTitle(`${defaultTitle("root", time)} (fork #1)`)).toBe(false)
  expect(isDefaultTitle(`Re: ${defaultTitle("root", time)}`)).toBe(false)
})

it.each([
  ["Main line", "Main line (fork #1)"],
  ["Main line (fork #1)", "Main line (fork #2)"],
  ["Main line (fork #9)", "Main line (fork #10)"],
  ["Two\nlines (fork #1)", "Two\nlines (fork #2)"],
  ["(fork #1) first", "(fork #1) first (fork #1)"],
  ["", " (fork #1)"],
])("a fork of %j is called %j", (title, expected) => {
  expect(forkTitle(title)).toBe(expected)
})
