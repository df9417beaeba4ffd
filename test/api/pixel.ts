/** A PNG of one pixel. */
import { deflateSync } from 'node:zlib'

/** @param shade of grey */
export const pixel = (shade: number): Uint8Array => {
  const chunk = (name: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(name), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(Bun.hash.crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])
  const pixels = chunk('IDAT', deflateSync(Buffer.from([0, shade])))
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head), pixels, chunk('IEND', Buffer.alloc(0))])
}
