import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import { type Engine, EngineError, overWire } from "./engine.js"
import type { NetworkConnection } from "./network-storage.js"
import type { NetworkServer } from "./server.js"

interface Request {
  readonly id: number
  readonly method: keyof Engine
  readonly parameters: unknown[]
}

interface Response {
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly code: string; readonly message: string }
}

/** Lets other processes reach the server. Resolves with what ends that. */
export async function listen(server: NetworkServer, address: string): Promise<() => Promise<void>> {
  const sockets = new Set<Socket>()
  const listener = createServer((socket) => {
    sockets.add(socket)
    const { engine, disconnect } = server.connect()
    socket.on("close", () => {
      sockets.delete(socket)
      disconnect()
    })
    // A client that is killed in the middle of a request resets the connection.
    socket.on("error", () => socket.destroy())
    onMessage<Request>(socket, async (request) => {
      const response = await respond(engine, request)
      if (!socket.destroyed) socket.write(`${JSON.stringify(response)}\n`)
    })
  })
  listener.listen(address)
  await once(listener, "listening")
  return async () => {
    for (const socket of sockets) socket.destroy()
    listener.close()
    await once(listener, "close")
  }
}

/** Connects to a server of another process. */
export async function connectTo(address: string): Promise<NetworkConnection> {
  const socket = connect(address)
  await once(socket, "connect")
  const waiting = new Map<number, (response: Response) => void>()
  onMessage<Response>(socket, (response) => {
    waiting.get(response.id)?.(response)
    waiting.delete(response.id)
  })
  let last = 0
  const engine = overWire(async (method, parameters) => {
    const id = ++last
    const arrival = new Promise<Response>((resolve) => waiting.set(id, resolve))
    socket.write(`${JSON.stringify({ id, method, parameters } satisfies Request)}\n`)
    const { result, error } = await arrival
    if (error !== undefined) throw new EngineError(error.code, error.message)
    return result
  })
  return { engine, disconnect: () => socket.end() }
}

async function respond(engine: Engine, { id, method, parameters }: Request): Promise<Response> {
  try {
    const call = engine[method] as (...given: unknown[]) => Promise<unknown>
    // JSON has null where a call has undefined.
    return { id, result: await call(...parameters.map((parameter) => parameter ?? undefined)) }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return { id, error: { code: error.code, message: error.message } }
  }
}

/** Hears every message that has arrived as a whole: each is a line. */
function onMessage<T>(socket: Socket, hear: (message: T) => void): void {
  let rest = ""
  socket.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) hear(JSON.parse(line) as T)
  })
}
