import { join } from "node:path"
import {
  answer,
  finish,
  pause,
  type Reply,
  reasoning,
  refusal,
  text,
  toolCall,
  usage,
} from "@sessile/model-server"
import { afterAll, beforeAll, test } from "vitest"
import { describeWithOpencode } from "./describe-with-opencode.js"
import { narrow } from "./engine-models.js"
import type { Question } from "./engine-program.js"
import { EngineStage } from "./engine-stage.js"

describeWithOpencode("the engine stores what opencode 1.1.65 stores of", () => {
  let stage: EngineStage

  beforeAll(async () => {
    stage = await EngineStage.open()
  })

  afterAll(() => stage?.[Symbol.asyncDispose]())

  test("texts and reasoning", () =>
    stage.compare({
      questions: [ask("Hello"), ask("Still there?")],
      replies: () => [
        answer(
          reasoning("Somebody ", "greets. "),
          text("Hel", "lo\n"),
          usage({ input: 1201, output: 51, cached: 300, reasoning: 7 }),
        ),
        answer(text("Yes"), usage({ input: 1300, output: 2, cached: 1200 })),
      ],
      outline: [
        'asked "A title": text',
        "build stop: step-start, reasoning, text, step-finish",
        'asked "A title": text',
        "build stop: step-start, text, step-finish",
      ],
    }))

  test("a command", () =>
    stage.compare({
      questions: [ask("Say done")],
      replies: () => [
        answer(text("I will."), bash("echo done", "call_echo"), usage({ input: 900, output: 20 })),
        said("Done"),
      ],
      outline: [
        'asked "A title": text',
        "build tool-calls: step-start, text, bash completed, step-finish",
        "build stop: step-start, text, step-finish",
      ],
    }))

  test("two calls at once", () =>
    stage.compare({
      questions: [ask("Say one and two")],
      replies: () => [
        answer(bash("echo one", "call_one"), bash("echo two", "call_two"), usage({ input: 900, output: 40 })),
        said("Done"),
      ],
      outline: [
        'asked "A title": text',
        "build tool-calls: step-start, bash completed, bash completed, step-finish",
        "build stop: step-start, text, step-finish",
      ],
    }))

  test("a file that is written, with snapshots, patch and diffs", () =>
    stage.compare({
      questions: [ask("Take notes")],
      replies: (program, sessionID) => [
        answer(
          text("I will."),
          // opencode takes its first snapshot while the tool is already at work.
          pause(() => program.stepBegun(sessionID)),
          toolCall("write", write(join(program.worktree, "notes.txt")), "call_write"),
          usage({ input: 900, output: 20 }),
        ),
        said("Done"),
      ],
      outline: [
        'asked "A title": text',
        "build tool-calls: step-start, text, write completed, step-finish, patch",
        "build stop: step-start, text, step-finish",
      ],
    }))

  test("a file that cannot be read", () =>
    stage.compare({
      questions: [ask("Read it")],
      replies: ({ worktree }) => [
        answer(
          toolCall("read", { filePath: join(worktree, "missing.txt") }, "call_read"),
          usage({ input: 900, output: 20 }),
        ),
        said("There is no such file"),
      ],
      outline: [
        'asked "A title": text',
        "build tool-calls: step-start, read error, step-finish",
        "build stop: step-start, text, step-finish",
      ],
    }))

  test("input that a tool does not take", () =>
    stage.compare({
      questions: [ask("Read it")],
      replies: () => [
        answer(toolCall("read", { filePath: 7 }, "call_number"), usage({ input: 900, output: 20 })),
        said("I was wrong"),
      ],
      outline: [
        'asked "A title": text',
        "build tool-calls: step-start, read error, step-finish",
        "build stop: step-start, text, step-finish",
      ],
    }))

  test("a list of tasks", () =>
    stage.compare({
      questions: [ask("What is to do?")],
      replies: () => [
        answer(
          toolCall("todowrite", { todos: [todo("1", "in_progress"), todo("2", "pending")] }, "call_todo"),
          usage({ input: 900, output: 20 }),
        ),
        said("Two things"),
      ],
      outline: [
        'asked "A title": text',
        "build tool-calls: step-start, todowrite completed, step-finish",
        "build stop: step-start, text, step-finish",
      ],
    }))

  test("a task that the model gives to a subagent", () =>
    stage.compare({
      questions: [ask("Have somebody look")],
      replies: () => [
        answer(
          toolCall(
            "task",
            { description: "look", prompt: "Look well", subagent_type: "general" },
            "call_task",
          ),
          usage({ input: 900, output: 20 }),
        ),
        said("I have looked"),
        said("It has looked"),
      ],
      outline: [
        'asked "A title": text',
        "build tool-calls: step-start, task completed, step-finish",
        "build stop: step-start, text, step-finish",
        'asked "A title": text',
        "general stop: step-start, text, step-finish",
      ],
    }))

  test("a subtask that the user asks for", () =>
    stage.compare({
      questions: [
        { parts: [{ type: "subtask", prompt: "Look well", description: "look", agent: "general" }] },
      ],
      replies: () => [said("I have looked"), said("It has looked")],
      outline: [
        'asked "untitled": subtask',
        "general tool-calls: task completed",
        "build stop: step-start, text, step-finish",
        'asked "A title": text',
        "general stop: step-start, text, step-finish",
      ],
    }))

  test("an answer that is cut short", () =>
    stage.compare({
      questions: [ask("Tell me all")],
      replies: () => [answer(text("At first"), finish("length"), usage({ input: 900, output: 20 }))],
      outline: ['asked "A title": text', "build length: step-start, text, step-finish"],
    }))

  test("a key that is refused", () =>
    stage.compare({
      questions: [ask("Hello")],
      replies: () => [refusal(401, "bad key")],
      outline: ['asked "A title": text', "build APIError: "],
    }))

  test("a compaction that the user asks for", () =>
    stage.compare({
      questions: [ask("One"), "compact", ask("Two")],
      replies: () => [said("First"), said("The first was said"), said("Second")],
      outline: [
        'asked "A title": text',
        "build stop: step-start, text, step-finish",
        'asked "untitled": compaction',
        "compaction stop: step-start, text, step-finish",
        'asked "A title": text',
        "build stop: step-start, text, step-finish",
      ],
    }))

  test("a compaction amid the work, when the context is full", () =>
    stage.compare({
      questions: [{ ...ask("Much"), model: reference(narrow) }],
      replies: () => [
        answer(bash("echo much", "call_much"), usage({ input: 5_500, output: 100 })),
        said("Much was said"),
        said("I went on"),
      ],
      outline: [
        'asked "A title": text',
        "build tool-calls: step-start, bash completed, step-finish",
        'asked "untitled": compaction',
        "compaction stop: step-start, text, step-finish",
        'asked "untitled": synthetic text',
        "build stop: step-start, text, step-finish",
      ],
    }))

  test("a plan that is built", () =>
    stage.compare({
      questions: [
        { ...ask("Plan it"), agent: "plan" },
        { ...ask("Build it"), agent: "build" },
      ],
      replies: ({ worktree }) => [
        answer(
          toolCall("write", write(join(worktree, "early.txt")), "call_early"),
          usage({ input: 900, output: 20 }),
        ),
        said("First this, then that"),
        said("Built"),
      ],
      outline: [
        'asked "A title": text',
        "plan tool-calls: step-start, write error, step-finish",
        "plan stop: step-start, text, step-finish",
        'asked "A title": text',
        "build stop: step-start, text, step-finish",
      ],
    }))
})

function ask(words: string): Question {
  return { parts: [{ type: "text", text: words }] }
}

function said(words: string): Reply {
  return answer(text(words), usage({ input: 1_000, output: 9, cached: 900 }))
}

function bash(command: string, id: string) {
  return toolCall("bash", { command, description: "Say something" }, id)
}

function write(filePath: string) {
  return { filePath, content: "one\ntwo\n" }
}

function todo(id: string, status: string) {
  return { id, content: `Thing ${id}`, status, priority: "high" }
}

function reference({ providerID, modelID }: typeof narrow) {
  return { providerID, modelID }
}
