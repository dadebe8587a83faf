// Runs a server where the network ends at loopback, and makes it reachable from outside, by a socket in the file
// system. It ends when its input does, and with it whoever started it.
import { spawn } from "node:child_process"
import { connect, createServer } from "node:net"
import { createInterface } from "node:readline"

const LIFETIME = 240_000

const [socketPath, program, ...args] = process.argv.slice(2)
const server = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] })
const stop = () => server.kill("SIGKILL")
server.on("exit", () => process.exit())
process.stdin.on("end", stop).resume()
setTimeout(stop, LIFETIME)

for await (const line of createInterface(server.stdout)) {
  const port = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1]
  if (port !== undefined) relayTo(Number(port))
}

function relayTo(port) {
  const relay = createServer((outer) => {
    const inner = connect(port, "127.0.0.1")
    outer.on("error", () => inner.destroy())
    inner.on("error", () => outer.destroy())
    outer.pipe(inner).pipe(outer)
  })
  relay.listen(socketPath, () => process.stdout.write("ready\n"))
}
