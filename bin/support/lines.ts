/** Calls `use` for each line of a stream, including a last line without a line break. */
export async function forEachLine(stream: ReadableStream<Uint8Array>, use: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) use(line)
  }
  if (rest !== '') use(rest)
}
