/** Long lists become a response piece by piece, so that other requests are answered in between. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Characters. Making the JSON and the bytes of a piece takes about a millisecond. */
const PIECE = 262_144

/** Converts rows that may take milliseconds each, so that other requests are answered in between. */
export async function convertEach<Row, Result>(rows: readonly Row[], convert: (row: Row) => Result): Promise<Result[]> {
  const converted: Result[] = []
  for (const row of rows) {
    converted.push(convert(row))
    await nextTurn()
  }
  return converted
}

function listIn(result: object): { items: unknown[]; before: string; after: string } | null {
  if (Array.isArray(result)) return { items: result, before: '[', after: ']' }
  if (!('items' in result) || !Array.isArray(result.items)) return null
  const frame = JSON.stringify({ ...result, items: [] })
  return frame.endsWith('[]}') ? { items: result.items, before: frame.slice(0, -2), after: ']}' } : null
}

async function* piecesOf(result: object): AsyncGenerator<string> {
  const list = listIn(result)
  if (!list) {
    yield JSON.stringify(result)
    return
  }
  let piece = list.before
  for (const [index, item] of list.items.entries()) {
    piece += (index > 0 ? ',' : '') + JSON.stringify(item)
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
    await nextTurn()
  }
  yield piece + list.after
}

export const jsonOf = async (result: object): Promise<string> => (await Array.fromAsync(piecesOf(result))).join('')

function streamOf(first: string[], rest: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const waiting = [...first]
  return new ReadableStream({
    async pull(controller) {
      const piece = waiting.shift() ?? (await rest.next()).value
      if (piece === undefined) controller.close()
      else controller.enqueue(encoder.encode(piece))
    },
  })
}

/** The JSON of a result as the body of a response, with its beginning. */
export async function jsonBody(result: object): Promise<{ text: string; body: string | ReadableStream<Uint8Array> }> {
  const pieces = piecesOf(result)
  const { value: text } = await pieces.next()
  const next = await pieces.next()
  return { text, body: next.done ? text : streamOf([text, next.value], pieces) }
}
