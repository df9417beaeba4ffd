/** Ports of this machine: which are free, and whether those that Signalbox needs are. */
import { createServer, type Server } from 'node:net'
import { Failure } from './failure.ts'

/** A port that Signalbox is about to listen on. */
export interface WantedPort {
  setting: string
  port: number
  host: string
  purpose: string
}

// What a run that was just ended leaves behind lets go of its ports within this time.
const PATIENCE_MS = 2000

/** A port that nobody listens on at this moment. */
export async function freePort(host: string): Promise<number> {
  const server = await listen(0, host)
  const address = server.address()
  await close(server)
  if (address === null || typeof address === 'string') throw new Error('A TCP server has an address and a port')
  return address.port
}

/** @throws {Failure} with one line for each port that is taken, and the setting that changes it. */
export async function requirePorts(wanted: WantedPort[]): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await Bun.sleep(100)) {
    const faults = await faultsOf(wanted)
    if (faults.length === 0) return
    if (Date.now() > deadline) throw new Failure(faults.join('\n'))
  }
}

async function faultsOf(wanted: WantedPort[]): Promise<string[]> {
  const faults: string[] = []
  const held: Server[] = []
  // All are held until the last was tried, so that two settings of the same port are found as well.
  for (const { setting, port, host, purpose } of wanted) {
    try {
      held.push(await listen(port, host))
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      const fault =
        code === 'EADDRINUSE' ? 'is taken' : code === 'EACCES' ? 'is not open to this user' : `cannot be used (${code})`
      faults.push(
        `Port ${port}, for ${purpose}, ${fault}: set ${setting} to another one, as in ${setting}=${port === 65_535 ? port - 1 : port + 1} npx --yes bun start`,
      )
    }
  }
  await Promise.all(held.map(close))
  return faults
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
