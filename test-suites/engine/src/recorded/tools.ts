import type { Tool } from "@sessile/core/engine"
import { z } from "zod"

/** Tools that give the same on every machine. */
export const tools: readonly Tool[] = [
  tool({
    name: "echo",
    description: "Says it again",
    input: z.object({ text: z.string() }),
    async execute({ text }, call) {
      await call.report({ title: "Listening", metadata: { heard: text.length } })
      return { title: "Echo", output: text, metadata: { length: text.length } }
    },
  }),
  tool({
    name: "picture",
    description: "Draws a dot",
    input: z.object({}),
    execute: async () => ({
      title: "Dot",
      output: "Drawn",
      attachments: [{ mime: "image/png", url: "data:image/png;base64,iVBORw0KGgo=", filename: "dot.png" }],
    }),
  }),
  tool({
    name: "fetch",
    description: "Gets a file from elsewhere",
    input: z.object({ path: z.string() }),
    async execute({ path }, call) {
      await call.ask({ permission: "external_directory", patterns: [path] })
      return { title: path, output: "contents" }
    },
  }),
]

/** Lets the type of the input follow from its schema. */
function tool<Input extends z.ZodType>(definition: Tool<Input>): Tool {
  return definition
}
