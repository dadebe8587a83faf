import type { ServerResponse } from "node:http"
import type { Answer, Piece } from "./reply.js"
import { finishReasonOf, type NextCallId, usageOf, wireToolCall } from "./wire-answer.js"

/** Sends an answer in one piece, to a client that did not ask for a stream. */
export async function sendWhole(
  response: ServerResponse,
  answer: Answer,
  { model, nextCallId }: { readonly model: string; readonly nextCallId: NextCallId },
): Promise<void> {
  for (const piece of answer.pieces) {
    if (piece.type === "cut") return void response.destroy()
    if (piece.type === "pause") await piece.until()
  }
  const message = {
    role: "assistant",
    content: join(answer, "text"),
    ...(answer.pieces.some(({ type }) => type === "reasoning") && {
      reasoning_content: join(answer, "reasoning"),
    }),
    ...(answer.pieces.some(isToolCall) && {
      tool_calls: answer.pieces.filter(isToolCall).map((piece) => wireToolCall(piece, nextCallId)),
    }),
  }
  const body = {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 0,
    model,
    choices: [{ index: 0, message, finish_reason: finishReasonOf(answer) }],
    usage: usageOf(answer),
  }
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body))
}

function join({ pieces }: Answer, type: "text" | "reasoning"): string {
  return pieces.flatMap((piece) => (piece.type === type ? piece.deltas : [])).join("")
}

function isToolCall(piece: Piece): piece is Piece & { type: "tool-call" } {
  return piece.type === "tool-call"
}
