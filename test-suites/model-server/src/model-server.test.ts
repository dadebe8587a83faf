import { describe, expect, test } from "vitest"
import {
  answer,
  cut,
  end,
  finish,
  inOrder,
  ModelServer,
  pause,
  raw,
  reasoning,
  refusal,
  type Script,
  text,
  toolCall,
  usage,
} from "./index.js"

describe("a streamed answer", () => {
  test("comes as chunks that end with a finish reason, the usage and a mark", async () => {
    const script = inOrder(
      answer(reasoning("Hm"), usage({ input: 10, output: 4, cached: 3, reasoning: 1 }), text("Hel", "lo")),
    )
    await using server = await ModelServer.start(script)

    const response = await ask(server, { stream: true })

    expect(response.headers.get("content-type")).toBe("text/event-stream")
    const events = eventsOf(await response.text())
    expect(events.at(-1)).toBe("[DONE]")
    expect(chunks(events)).toEqual([
      choice({ reasoning_content: "Hm" }),
      choice({ content: "Hel" }),
      choice({ content: "lo" }),
      choice({}, "stop"),
      {
        choices: [],
        usage: {
          prompt_tokens: 10,
          completion_tokens: 4,
          total_tokens: 14,
          prompt_tokens_details: { cached_tokens: 3 },
          completion_tokens_details: { reasoning_tokens: 1 },
        },
      },
    ])
  })

  test("numbers the calls of tools, and gives each an id that no other answer has", async () => {
    const twoCalls = answer(toolCall("read", { path: "a" }), toolCall("list", {}))
    await using server = await ModelServer.start(() => twoCalls)

    const first = toolCallsOf(await (await ask(server, { stream: true })).text())
    const second = toolCallsOf(await (await ask(server, { stream: true })).text())

    expect(first).toEqual([
      { id: "call_1", name: "read", arguments: '{"path":"a"}' },
      { id: "call_2", name: "list", arguments: "{}" },
    ])
    expect(second.map(({ id }) => id)).toEqual(["call_3", "call_4"])
  })

  test("finishes for the reason that was scripted", async () => {
    await using server = await ModelServer.start(() => answer(text("So"), finish("length")))
    const events = eventsOf(await (await ask(server, { stream: true })).text())
    expect(chunks(events).at(-1)).toEqual(choice({}, "length"))
  })

  test("carries bytes that are no JSON", async () => {
    await using server = await ModelServer.start(() => answer(raw("data: {broken\n\n"), text("on")))
    const events = eventsOf(await (await ask(server, { stream: true })).text())
    expect(events[0]).toBe("{broken")
  })

  test("can end without finish reason", async () => {
    await using server = await ModelServer.start(() => answer(text("So"), end(), text("never")))
    const events = eventsOf(await (await ask(server, { stream: true })).text())
    expect(chunks(events)).toEqual([choice({ content: "So" })])
  })

  test("can be cut", async () => {
    await using server = await ModelServer.start(() => answer(text("So"), cut()))
    const response = await ask(server, { stream: true })
    await expect(response.text()).rejects.toThrow("terminated")
    expect(await server.requests[0]?.outcome).toBe("broken")
  })

  test("stops at a pause until it is over", async () => {
    const { promise, resolve } = resolvable()
    await using server = await ModelServer.start(() =>
      answer(
        text("one"),
        pause(() => promise),
        text("two"),
      ),
    )
    const stream = (await ask(server, { stream: true })).body?.pipeThrough(new TextDecoderStream())
    const received: string[] = []
    for await (const piece of stream ?? []) {
      received.push(piece)
      resolve()
    }
    expect(received[0]).toContain("one")
    expect(received[0]).not.toContain("two")
    expect(received.join("")).toContain("two")
  })

  test("ends when the client goes", async () => {
    await using server = await ModelServer.start(() =>
      answer(
        text("one"),
        pause(() => new Promise(() => undefined)),
      ),
    )
    const client = new AbortController()
    await ask(server, { stream: true }, client.signal)
    client.abort()
    expect(await server.requests[0]?.outcome).toBe("broken")
  })
})

describe("an answer in one piece", () => {
  test("holds text, reasoning, calls and usage", async () => {
    await using server = await ModelServer.start(() =>
      answer(
        reasoning("Hm"),
        text("Hel", "lo"),
        toolCall("read", { path: "a" }, "mine"),
        usage({ input: 5, output: 2 }),
      ),
    )
    const body = await (await ask(server, {})).json()
    expect(body).toMatchObject({
      object: "chat.completion",
      choices: [
        {
          message: {
            role: "assistant",
            content: "Hello",
            reasoning_content: "Hm",
            tool_calls: [
              { id: "mine", type: "function", function: { name: "read", arguments: '{"path":"a"}' } },
            ],
          },
          finish_reason: "tool_calls",
        },
      ],
      usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
    })
  })

  test("is plain where the model only speaks", async () => {
    await using server = await ModelServer.start(() => answer(text("Hello")))
    const body = await whole(ask(server, {}))
    expect(body.choices[0].message).toEqual({ role: "assistant", content: "Hello" })
    expect(await server.requests[0]?.outcome).toBe("complete")
  })
})

describe("a script", () => {
  test("sees the request, which is kept with its headers", async () => {
    const script: Script = ({ tools }) => answer(text(tools === undefined ? "A title" : "Work"))
    await using server = await ModelServer.start(script)
    const title = await whole(ask(server, {}))
    const work = await whole(ask(server, { tools: [] }))
    expect([title, work].map(({ choices }) => choices[0].message.content)).toEqual(["A title", "Work"])
    expect(server.requests.map(({ body }) => body.tools)).toEqual([undefined, []])
    expect(server.requests[0]?.headers.authorization).toBe("Bearer key")
  })

  test("can refuse, with headers", async () => {
    await using server = await ModelServer.start(() => refusal(429, "Slow down", { "retry-after": "2" }))
    const response = await ask(server, { stream: true })
    expect(response.status).toBe(429)
    expect(response.headers.get("retry-after")).toBe("2")
    expect(await response.json()).toEqual({ error: { message: "Slow down" } })
  })

  test("that is used up answers with a status that nobody tries again", async () => {
    await using server = await ModelServer.start(inOrder(answer(text("one"))))
    await ask(server, {})
    const response = await ask(server, {})
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      error: { message: "The script has 1 replies, and all were given" },
    })
  })
})

test("other addresses are not found", async () => {
  await using server = await ModelServer.start(inOrder())
  const response = await fetch(`${server.url}/models`)
  expect(response.status).toBe(404)
  expect(server.requests).toEqual([])
})

test("a request that is no JSON gets no answer", async () => {
  await using server = await ModelServer.start(inOrder())
  const request = fetch(`${server.url}/chat/completions`, { method: "POST", body: "{" })
  await expect(request).rejects.toThrow("fetch failed")
})

test("closing breaks what is open", async () => {
  const server = await ModelServer.start(() =>
    answer(
      text("one"),
      pause(() => new Promise(() => undefined)),
    ),
  )
  const response = await ask(server, { stream: true })
  await server[Symbol.asyncDispose]()
  await expect(response.text()).rejects.toThrow("terminated")
  await expect(ask(server, {})).rejects.toThrow("fetch failed")
})

function ask(server: ModelServer, fields: object, signal?: AbortSignal): Promise<Response> {
  return fetch(`${server.url}/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer key" },
    body: JSON.stringify({ model: "large", messages: [], ...fields }),
    signal: signal ?? null,
  })
}

function eventsOf(body: string): string[] {
  return body
    .split("\n\n")
    .filter(Boolean)
    .map((event) => event.replace(/^data: /, ""))
}

function chunks(events: readonly string[]) {
  const parsed = events.filter((event) => event !== "[DONE]").map((event) => JSON.parse(event))
  return parsed.map(({ id, object, created, model, ...fields }) => {
    expect({ id, object, created, model }).toEqual({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 0,
      model: "large",
    })
    return fields
  })
}

function choice(delta: object, finishReason: string | null = null): object {
  return { choices: [{ index: 0, delta, finish_reason: finishReason }] }
}

function toolCallsOf(body: string): { id: string; name: string; arguments: string }[] {
  const calls: { id: string; name: string; arguments: string }[] = []
  for (const { choices } of chunks(eventsOf(body))) {
    for (const { index, id, function: called } of choices[0].delta.tool_calls ?? []) {
      calls[index] ??= { id, name: called.name, arguments: "" }
      calls[index].arguments += called.arguments
    }
  }
  return calls
}

function resolvable(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((fulfil) => {
    resolve = fulfil
  })
  return { promise, resolve }
}

interface Completion {
  readonly choices: readonly [{ readonly message: object & { readonly content: string } }]
}

async function whole(response: Promise<Response>): Promise<Completion> {
  return (await (await response).json()) as Completion
}
