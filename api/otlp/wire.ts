/** Reads messages of Protocol Buffers field by field, without decoding what is not wanted. */

export class MalformedMessage extends Error {}

/** The value of a field: a number, or the bytes of a message, text or fixed number. */
export type FieldValue = number | Uint8Array

/** Reads a varint. Negative numbers have ten bytes. */
function readVarint(bytes: Uint8Array, from: number): [value: number, end: number] {
  let value = 0n
  for (let at = from; at < from + 10; at++) {
    const byte = bytes[at]
    if (byte === undefined) break
    value |= BigInt(byte & 0x7f) << BigInt(7 * (at - from))
    if (byte < 0x80) return [Number(BigInt.asIntN(64, value)), at + 1]
  }
  throw new MalformedMessage()
}

/** The same for the numbers of fields and lengths, which are short. */
function readLength(bytes: Uint8Array, from: number): [value: number, end: number] {
  const byte = bytes[from] ?? 0xff
  return byte < 0x80 ? [byte, from + 1] : readVarint(bytes, from)
}

/** Calls a function with each field of a message, in order. @throws MalformedMessage */
export function readFields(bytes: Uint8Array, visit: (field: number, value: FieldValue) => void): void {
  const sliced = (from: number, length: number): [Uint8Array, number] => {
    if (length < 0 || from + length > bytes.length) throw new MalformedMessage()
    return [bytes.subarray(from, from + length), from + length]
  }
  for (let at = 0; at < bytes.length; ) {
    const [tag, start] = readLength(bytes, at)
    let value: FieldValue
    switch (tag & 7) {
      case 0:
        ;[value, at] = readVarint(bytes, start)
        break
      case 1:
        ;[value, at] = sliced(start, 8)
        break
      case 2: {
        const [length, begin] = readLength(bytes, start)
        ;[value, at] = sliced(begin, length)
        break
      }
      case 5:
        ;[value, at] = sliced(start, 4)
        break
      default:
        throw new MalformedMessage()
    }
    visit(Math.floor(tag / 8), value)
  }
}

/** The bytes of a field. @throws MalformedMessage if it is a number */
export function bytesOf(value: FieldValue): Uint8Array {
  if (typeof value === 'number') throw new MalformedMessage()
  return value
}

const decoder = new TextDecoder()

/** A text, in which bytes that are not UTF-8 are replaced. */
export const textOf = (value: FieldValue): string => decoder.decode(bytesOf(value))

const viewOf = (value: FieldValue): DataView => {
  const bytes = bytesOf(value)
  if (bytes.length !== 8) throw new MalformedMessage()
  return new DataView(bytes.buffer, bytes.byteOffset, 8)
}

/** A `fixed64`, as precisely as a number can have it. */
export const fixedOf = (value: FieldValue): number => Number(viewOf(value).getBigUint64(0, true))

export const doubleOf = (value: FieldValue): number => viewOf(value).getFloat64(0, true)

export function varint(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest]
    bytes.push((rest % 128) | 0x80)
  }
}

/** Writes a field with a length: a text or a message. */
export const delimited = (field: number, value: Uint8Array): Uint8Array =>
  Buffer.concat([new Uint8Array([...varint(field * 8 + 2), ...varint(value.length)]), value])
