/** The thread that parses and validates descriptions: large ones take seconds. */
import { serveThread } from '../plugins/thread.ts'
import { type Description, type DescriptionType, readDescription } from './openapi.ts'

export type Source = { source: string; content_type: DescriptionType }

/** A valid description. The document is JSON, since a text takes no time to hand over. */
export type Read = Omit<Description, 'document'> & { document: string }

serveThread(async ({ source, content_type }: Source): Promise<Read> => {
  const { document, ...about } = await readDescription(source, content_type)
  return { document: JSON.stringify(document), ...about }
})
