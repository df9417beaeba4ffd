/** A DNS server whose answers a test chooses, also per query. */
import { createSocket } from 'node:dgram'
import ipaddr from 'ipaddr.js'

export interface NameServer {
  address: string
  /** Names that were queried, with the type of the query: `A name` or `AAAA name`. */
  queries: string[]
  stop: () => Promise<void>
}

/** The bytes of an address, as in an A or AAAA record. */
const bytesOf = (address: string): number[] => ipaddr.parse(address).toByteArray()

/** @param addressesOf returns the IPv4 and IPv6 addresses of a name for its n-th query, counted from 1 */
export async function nameServer(addressesOf: (name: string, question: number) => string[]): Promise<NameServer> {
  const queries: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const labels: string[] = []
    let at = 12
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    const type = query.readUInt16BE(at + 1)
    const name = labels.join('.').toLowerCase()
    const question = `${type === 1 ? 'A' : 'AAAA'} ${name}`
    queries.push(question)
    const addresses = addressesOf(name, queries.filter((each) => each === question).length)
      .map(bytesOf)
      .filter(({ length }) => length === (type === 1 ? 4 : 16))
    const head = Buffer.alloc(12)
    query.copy(head, 0, 0, 2)
    // An authoritative response; a name without addresses exists nevertheless.
    head.writeUInt16BE(0x8580, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(addresses.length, 6)
    const answers = addresses.map((address) =>
      // The name as a pointer, type, class IN, a TTL of 0, and the address.
      Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, address.length, ...address]),
    )
    socket.send(Buffer.concat([head, query.subarray(12, at + 5), ...answers]), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries: queries,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}
