/** Finds free ports, and checks the ports that Signalbox needs. */
import { createServer, type Server } from 'node:net'
import { Failure } from './failure.ts'

/** A port that Signalbox will listen on. */
export interface WantedPort {
  setting: string
  port: number
  host: string
  purpose: string
}

// Processes of a run that has just ended release their ports within this time.
const TIMEOUT_MS = 2000

/** Below the ports of outgoing connections and of servers that ask for any port: one of those could take it before it is used. */
const FREE_PORTS = { first: 10_000, count: 20_000 }

/** A port that is free at this moment. */
export async function freePort(host: string): Promise<number> {
  for (;;) {
    const port = FREE_PORTS.first + Math.floor(Math.random() * FREE_PORTS.count)
    try {
      await close(await listen(port, host))
      return port
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
}

/** @throws {Failure} with one line for each port that is in use, and the setting that changes it */
export async function requirePorts(wanted: WantedPort[]): Promise<void> {
  for (const deadline = Date.now() + TIMEOUT_MS; ; await Bun.sleep(100)) {
    const problems = await problemsOf(wanted)
    if (problems.length === 0) return
    if (Date.now() > deadline) throw new Failure(problems.join('\n'))
  }
}

async function problemsOf(wanted: WantedPort[]): Promise<string[]> {
  const problems: string[] = []
  const open: Server[] = []
  // All stay open until the last one is checked, to find two settings with the same port.
  for (const { setting, port, host, purpose } of wanted) {
    try {
      open.push(await listen(port, host))
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      const problem =
        code === 'EADDRINUSE' ? 'is in use' : code === 'EACCES' ? 'is not allowed for this user' : `cannot be used (${code})`
      problems.push(
        `Port ${port} (${purpose}) ${problem}. Set ${setting} to another port, such as ${setting}=${port === 65_535 ? port - 1 : port + 1} npx --yes bun start`,
      )
    }
  }
  await Promise.all(open.map(close))
  return problems
}

function listen(port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ port, host, exclusive: true }, () => resolve(server))
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
