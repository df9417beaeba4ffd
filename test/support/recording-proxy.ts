/** A proxy in front of PostgreSQL that records the statements that a process sends. */
import { connect, createServer, type Socket } from 'node:net'
import { freePort } from '../../bin/support/ports.ts'

/** A statement as sent: its text and the text form of each parameter. */
export interface Statement {
  text: string
  parameters: (string | null)[]
}

export interface Recording extends AsyncDisposable {
  /** The same database, through the proxy. */
  url: string
  /** All statements so far, in the order in which they were sent. */
  statements: Statement[]
}

/** Parses the messages of PostgreSQL's protocol (version 3.0, section "Message Formats") that a client sends. */
class Frames {
  private bytes = Buffer.alloc(0)
  private started = false
  private readonly prepared = new Map<string, string>()

  constructor(private readonly onStatement: (statement: Statement) => void) {}

  read(chunk: Buffer): void {
    this.bytes = Buffer.concat([this.bytes, chunk])
    for (;;) {
      // The first message of a connection has no type byte.
      const at = this.started ? 1 : 0
      if (this.bytes.length < at + 4) return
      const end = at + this.bytes.readUInt32BE(at)
      if (this.bytes.length < end) return
      const type = this.started ? String.fromCharCode(this.bytes[0] ?? 0) : ''
      this.frame(type, this.bytes.subarray(at + 4, end))
      this.bytes = this.bytes.subarray(end)
      this.started = true
    }
  }

  private frame(type: string, content: Buffer): void {
    if (type === 'Q') this.onStatement({ text: text(content, 0).value, parameters: [] })
    if (type === 'P') {
      const name = text(content, 0)
      this.prepared.set(name.value, text(content, name.end).value)
    }
    if (type === 'B') {
      const portal = text(content, 0)
      const name = text(content, portal.end)
      this.onStatement({ text: this.prepared.get(name.value) ?? '', parameters: parameters(content, name.end) })
    }
  }
}

/** Reads a zero-terminated string. */
function text(content: Buffer, from: number): { value: string; end: number } {
  const zero = content.indexOf(0, from)
  return { value: content.toString('utf8', from, zero), end: zero + 1 }
}

function parameters(content: Buffer, from: number): (string | null)[] {
  let at = from + 2 + content.readUInt16BE(from) * 2
  const count = content.readUInt16BE(at)
  at += 2
  return Array.from({ length: count }, () => {
    const length = content.readInt32BE(at)
    at += 4
    if (length < 0) return null
    at += length
    return content.toString('utf8', at - length, at)
  })
}

/**
 * Opens the proxy.
 *
 * @param databaseUrl of a server that accepts connections without TLS
 */
export async function recordStatements(databaseUrl: string): Promise<Recording> {
  const url = new URL(databaseUrl)
  const target = { host: url.hostname, port: Number(url.port || 5432) }
  const statements: Statement[] = []
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const frames = new Frames((statement) => statements.push(statement))
    const upstream = connect(target)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
      one.on('data', (chunk: Buffer) => {
        if (one === client) frames.read(chunk)
        other.write(chunk)
      })
    }
  })
  const port = await freePort('127.0.0.1')
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return {
    url: url.href,
    statements,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
