// Runs a program where the network ends at loopback, and lets it reach one port outside, by a socket in the file
// system. They end together.
import { spawn } from "node:child_process"
import { connect, createServer } from "node:net"

const [port, socketPath, ...command] = process.argv.slice(2)
const relay = createServer((inner) => {
  const outer = connect(socketPath)
  outer.on("error", () => inner.destroy())
  inner.on("error", () => outer.destroy())
  inner.pipe(outer).pipe(inner)
})
relay.listen(Number(port), "127.0.0.1", () => {
  const program = spawn("setpriv", ["--pdeathsig", "KILL", ...command], { stdio: "inherit" })
  program.on("exit", (code) => process.exit(code ?? 1))
})
