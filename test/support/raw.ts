/** Sends requests that `fetch` cannot send: raw bytes on a connection. */

/** Sends bytes. @returns status and text of the first response, without waiting for more */
export function sendRaw(port: number, bytes: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    let text = ''
    const timer = setTimeout(() => reject(new Error(`The response is incomplete: ${text}`)), 10_000)
    const settle = (socket: { end(): void }) => {
      const [head = '', body] = text.split(/\r\n\r\n(.*)/s)
      const [, length = '0'] = /content-length: (\d+)/i.exec(head) ?? []
      if (body === undefined || Buffer.byteLength(body) < Number(length)) return
      clearTimeout(timer)
      resolve({ status: Number(head.split(' ')[1]), text })
      socket.end()
    }
    Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        open: (socket) => void socket.write(bytes),
        data: (socket, data) => {
          text += Buffer.from(data).toString()
          settle(socket)
        },
        connectError: (_, error) => reject(error),
        error: (_, error) => reject(error),
      },
    }).catch(reject)
  })
}
