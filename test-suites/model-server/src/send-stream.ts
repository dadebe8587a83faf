import { once } from "node:events"
import type { ServerResponse } from "node:http"
import type { Answer, Piece } from "./reply.js"
import { finishReasonOf, type NextCallId, usageOf, wireToolCall } from "./wire-answer.js"

/** Sends an answer as server-sent chunks, until it is complete or the client has gone. */
export async function sendStream(
  response: ServerResponse,
  answer: Answer,
  { model, nextCallId }: { readonly model: string; readonly nextCallId: NextCallId },
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" })
  const gone = new AbortController()
  response.on("close", () => gone.abort())
  const chunk = (fields: object) => event({ ...chunkBase(model), ...fields })
  const delta = (fields: object) => chunk({ choices: [{ index: 0, delta: fields, finish_reason: null }] })
  let calls = 0
  try {
    for (const piece of answer.pieces) {
      if (piece.type === "end") return void response.end()
      if (piece.type === "cut") return void response.destroy()
      if (piece.type === "pause") await unlessGone(piece.until(), gone.signal)
      else if (piece.type === "raw") await send(piece.bytes)
      else for (const fields of deltasOf(piece)) await send(delta(fields))
    }
    await send(chunk({ choices: [{ index: 0, delta: {}, finish_reason: finishReasonOf(answer) }] }))
    const usage = usageOf(answer)
    if (usage !== undefined) await send(chunk({ choices: [], usage }))
    response.end("data: [DONE]\n\n")
  } catch (error) {
    if (!gone.signal.aborted) throw error
  }

  // Waits until the bytes are on their way: what is cut afterwards has been sent.
  function send(bytes: string): Promise<void> {
    return new Promise((resolve, reject) => {
      response.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
  }

  function deltasOf(piece: Piece): object[] {
    if (piece.type === "text") return piece.deltas.map((content) => ({ content }))
    if (piece.type === "reasoning") return piece.deltas.map((text) => ({ reasoning_content: text }))
    if (piece.type !== "tool-call") return []
    const { function: called, ...call } = wireToolCall(piece, nextCallId)
    const index = calls++
    const middle = Math.ceil(called.arguments.length / 2)
    const [first, second] = [called.arguments.slice(0, middle), called.arguments.slice(middle)]
    return [
      { tool_calls: [{ index, ...call, function: { name: called.name, arguments: first } }] },
      { tool_calls: [{ index, function: { arguments: second } }] },
    ]
  }
}

function chunkBase(model: string): object {
  return { id: "chatcmpl-1", object: "chat.completion.chunk", created: 0, model }
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

async function unlessGone(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await Promise.race([promise, once(signal, "abort")])
  signal.throwIfAborted()
}
