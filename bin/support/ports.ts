/** Finds free ports, and checks the ports that Signalbox needs. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { Failure } from './command.ts'

// Processes of a run that has just ended release their ports within this time.
const TIMEOUT_MS = 2000

/** Below the ports of outgoing connections and of servers that ask for any port: one of those could take it before it is used. */
const anyPort = (): number => 10_000 + Math.floor(Math.random() * 20_000)

/** A port that is free at this moment: the wanted one, if it is. */
export async function freePort(host = '127.0.0.1', wanted = anyPort()): Promise<number> {
  const problem = await problemOf(wanted, host)
  if (problem && problem !== 'EADDRINUSE') throw new Failure(`No port of ${host} can be used (${problem}).`)
  return problem ? freePort(host) : wanted
}

/** @throws {Failure} that names the setting, if the port cannot be used */
export async function requirePort(setting: string, port: number, host = '127.0.0.1'): Promise<void> {
  for (const deadline = Date.now() + TIMEOUT_MS; ; await Bun.sleep(100)) {
    const problem = await problemOf(port, host)
    if (!problem) return
    if (Date.now() < deadline) continue
    const why = { EADDRINUSE: 'is in use', EACCES: 'is not allowed for this user' }[problem] ?? `cannot be used (${problem})`
    const other = port === 65_535 ? port - 1 : port + 1
    throw new Failure(`Port ${port} ${why}. Set ${setting} to another port, such as ${setting}=${other} npx --yes bun start`)
  }
}

/** @returns the code of the error of listening there, if it fails */
async function problemOf(port: number, host: string): Promise<string | undefined> {
  try {
    const server = createServer().listen({ port, host, exclusive: true })
    await once(server, 'listening')
    await server[Symbol.asyncDispose]()
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}
