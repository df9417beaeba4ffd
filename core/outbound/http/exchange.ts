/** One request over a connection of its own, which is not kept: for what is asked now and then. */
import { addressesOf, secureContext } from '../addresses.ts'
import type { Deadline } from '../deadline.ts'
import { openFirst } from '../open-first.ts'
import { Connection, type HttpResponse, type Method, requestText } from './connection.ts'
import { parseEndpoint } from './endpoint.ts'

export type { HttpResponse, Method }

interface OneRequest {
  method?: Method
  headers: Record<string, string>
  body?: string | null
}

/**
 * Sends a request to an allowed address of the host of a URL. Redirects are not followed.
 *
 * @param most how many bytes of the body are read
 * @param onSend called when a connection is open: until then, nothing was sent
 * @throws what `addressesOf` and `Connection` throw
 */
export async function exchange(
  url: string,
  { method, headers, body = null }: OneRequest,
  most: number,
  deadline: Deadline,
  onSend: () => void = () => {},
): Promise<HttpResponse> {
  const endpoint = parseEndpoint(url)
  const connection = await openFirst(
    await addressesOf(endpoint.hostname, endpoint.literal, deadline),
    deadline,
    (address, until) => Connection.open({ ...endpoint, address, context: secureContext }, until),
    (unneeded) => unneeded.close(),
  )
  try {
    onSend()
    return await connection.send(requestText(endpoint, headers, body, false, method), most, deadline)
  } finally {
    connection.close()
  }
}
