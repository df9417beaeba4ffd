/** Archives as npm reads them: what is in them, and nothing of the machine or the time that they are made on. */

export interface TarFile {
  path: string
  mode: number
  bytes: Uint8Array
}

const BLOCK = 512
/** What a header of the format ustar has space for. */
const MAX_PATH = 100

const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`

/** Bytes that fill the last block. */
const padding = (size: number): Uint8Array => new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK)

function header({ path, mode, bytes }: TarFile): Uint8Array {
  if (Buffer.byteLength(path) > MAX_PATH) throw new Error(`${path} is longer than ${MAX_PATH} bytes`)
  const block = Buffer.alloc(BLOCK)
  block.write(path, 0)
  block.write(octal(mode, 7), 100)
  // User and group.
  block.write(octal(0, 7), 108)
  block.write(octal(0, 7), 116)
  block.write(octal(bytes.length, 11), 124)
  // The time of the change.
  block.write(octal(0, 11), 136)
  // The checksum counts itself as spaces.
  block.write(' '.repeat(8), 148)
  block.write('0', 156)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((all, byte) => all + byte, 0)
  block.write(`${octal(sum, 6)} `, 148)
  return block
}

/** The same bytes for the same files, which are sorted by their paths. */
export function tarOf(files: TarFile[]): Uint8Array<ArrayBuffer> {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const parts = sorted.flatMap((file) => [header(file), file.bytes, padding(file.bytes.length)])
  return new Uint8Array(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]))
}
