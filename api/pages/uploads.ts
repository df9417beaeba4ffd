/** Forms with a file. */
import { contextOf } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'

/** Fields of such a form, beside the file. */
const MAX_FIELDS = 20

/**
 * Takes the file out of a form: it becomes the body of the request, as if it had been sent to the API.
 *
 * @param name of its field
 * @returns the other fields, and the name of the file
 * @throws Problem `malformed_encoding`, `too_many_values`
 */
export async function takeFile(request: Request, name: string): Promise<URLSearchParams> {
  const context = contextOf(request)
  const headers = { 'Content-Type': request.headers.get('content-type') ?? '' }
  const parts = await new Response(context.bytes as Uint8Array<ArrayBuffer>, { headers }).formData().catch(() => null)
  if (!parts) throw new Problem('malformed_encoding', 'The form is not valid multipart/form-data.')
  const entries = [...parts]
  if (entries.length > MAX_FIELDS)
    throw new Problem('too_many_values', `The form must not contain more than ${MAX_FIELDS} fields.`)
  const file = entries.find(([field, value]) => field === name && typeof value !== 'string')?.[1] as File | undefined
  context.bytes = new Uint8Array((await file?.arrayBuffer()) ?? [])
  context.mediaType = file?.type.split(';')[0] ?? ''
  return new URLSearchParams([
    ...entries.flatMap(([field, value]): [string, string][] => (typeof value === 'string' ? [[field, value]] : [])),
    [name, file?.name ?? ''],
  ])
}
