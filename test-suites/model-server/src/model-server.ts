import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { json } from "node:stream/consumers"
import type { ChatRequest, ReceivedRequest } from "./chat-request.js"
import { type Reply, refusal } from "./reply.js"
import type { Script } from "./script.js"
import { sendStream } from "./send-stream.js"
import { sendWhole } from "./send-whole.js"

const CHAT_PATH = "/v1/chat/completions"

/**
 * A model behind the chat API of OpenAI, on loopback, that says what a script tells it to. It takes any key. Closing
 * it breaks the connections that are open.
 *
 * @example
 * ```ts
 * await using server = await ModelServer.start(inOrder(answer(text("Hello"))))
 * const provider = createOpenAICompatible({ name: "mock", baseURL: server.url })
 * ```
 */
export class ModelServer implements AsyncDisposable {
  /** What clients take for the address of the API. */
  readonly url: string
  /** The requests so far, in the order in which they came. */
  readonly requests: readonly ReceivedRequest[]
  readonly #server: Server

  private constructor(server: Server, requests: readonly ReceivedRequest[]) {
    this.#server = server
    this.requests = requests
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  }

  /**
   * Starts to listen.
   *
   * @param port any that is free, when not given
   */
  static async start(script: Script, port = 0): Promise<ModelServer> {
    const requests: ReceivedRequest[] = []
    const answer = answerWith(script, requests)
    const server = createServer((request, response) => {
      answer(request, response).catch((error) => response.destroy(error))
    })
    server.listen(port, "127.0.0.1")
    await once(server, "listening")
    return new ModelServer(server, requests)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close")
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }
}

function answerWith(script: Script, requests: ReceivedRequest[]) {
  let calls = 0
  const nextCallId = () => `call_${++calls}`
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== "POST" || request.url !== CHAT_PATH) {
      return send(response, refusal(404, `Nothing but POST ${CHAT_PATH} is served`))
    }
    const outcome = new Promise<"complete" | "broken">((resolve) => {
      response.on("close", () => resolve(response.writableFinished ? "complete" : "broken"))
    })
    const body = (await json(request)) as ChatRequest
    requests.push({ headers: request.headers, body, outcome })
    const reply = await runScript(script, body)
    if (reply.type === "refusal") return send(response, reply)
    const sendAnswer = body.stream ? sendStream : sendWhole
    await sendAnswer(response, reply, { model: body.model, nextCallId })
  }
}

async function runScript(script: Script, request: ChatRequest): Promise<Reply> {
  try {
    return await script(request)
  } catch (error) {
    return refusal(400, error instanceof Error ? error.message : String(error))
  }
}

function send(response: ServerResponse, { status, headers, body }: Reply & { type: "refusal" }): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(body)
}
