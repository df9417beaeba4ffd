/**
 * Decodes what an editor or shell wrote: UTF-8, or UTF-16 as Windows writes it, with or without a byte order mark.
 *
 * @param {Uint8Array} bytes of text that begins with an ASCII character, such as JSON
 * @throws {TypeError} if it is in another encoding
 */
export function decodeText(bytes) {
  const [first, second] = bytes
  const isLittle = second === 0 || (first === 0xff && second === 0xfe)
  const isBig = first === 0 || (first === 0xfe && second === 0xff)
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8', { fatal: true }).decode(bytes)
}
