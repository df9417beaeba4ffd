/** A DNS server for TXT records, which a test sets. */
import { createSocket } from 'node:dgram'

export class TextServer {
  /** The texts at each name. */
  readonly records = new Map<string, string[]>()
  /** How often each name was asked for. */
  readonly asked = new Map<string, number>()
  /** Whether it answers at all. */
  answers = true

  private constructor(
    readonly address: string,
    readonly stop: () => Promise<void>,
  ) {}

  static async open(): Promise<TextServer> {
    const socket = createSocket('udp4')
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
    const stop = () => new Promise<void>((resolve) => socket.close(() => resolve()))
    const server = new TextServer(`127.0.0.1:${socket.address().port}`, stop)
    socket.on('message', (query, from) => {
      const answer = server.#answer(query)
      if (answer) socket.send(answer, from.port, from.address)
    })
    return server
  }

  #answer(query: Buffer): Buffer | null {
    const labels: string[] = []
    let at = 12
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    const name = labels.join('.').toLowerCase()
    const type = query.readUInt16BE(at + 1)
    this.asked.set(name, (this.asked.get(name) ?? 0) + 1)
    if (!this.answers) return null
    const texts = type === 16 ? this.records.get(name) : undefined
    // Every name is this machine.
    if (type === 1) return addressAnswer(query, at)
    const head = Buffer.alloc(12)
    query.copy(head, 0, 0, 2)
    // An authoritative answer, or that there is no such name.
    head.writeUInt16BE(texts ? 0x8580 : 0x8583, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(texts?.length ?? 0, 6)
    const answers = (texts ?? []).map((text) => {
      const parts = Buffer.concat(
        (text.match(/.{1,255}/gs) ?? ['']).map((part) => Buffer.from([part.length, ...Buffer.from(part)])),
      )
      const fixed = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 0, parts.length >> 8, parts.length & 255])
      return Buffer.concat([fixed, parts])
    })
    return Buffer.concat([head, query.subarray(12, at + 5), ...answers])
  }
}

/** Of a query for an IPv4 address. @param end of the name in it */
function addressAnswer(query: Buffer, end: number): Buffer {
  const head = Buffer.alloc(12)
  query.copy(head, 0, 0, 2)
  head.writeUInt16BE(0x8580, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(1, 6)
  return Buffer.concat([head, query.subarray(12, end + 5), Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1])])
}
