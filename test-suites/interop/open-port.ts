import { once } from "node:events"
import { connect, createServer } from "node:net"

/** Makes a port of loopback reachable from other network namespaces, by a socket in the file system, until disposed of. */
export async function openPort(port: number, socketPath: string): Promise<AsyncDisposable> {
  const relay = createServer((outer) => {
    const inner = connect(port, "127.0.0.1")
    outer.on("error", () => inner.destroy())
    inner.on("error", () => outer.destroy())
    outer.pipe(inner).pipe(outer)
  })
  relay.listen(socketPath)
  await once(relay, "listening")
  return {
    [Symbol.asyncDispose]: async () => {
      relay.close()
    },
  }
}
