/** Avatars: what a user uploaded, or else a pattern made from the id. */

import type { Queryable, Tx } from '../../sql/index.ts'
import { type Caller, contextOf } from '../plugins/request-context.ts'
import { entityTag, matchesEntityTag, requireMatch, SECURITY_HEADERS } from '../plugins/responses.ts'
import { invalidField } from '../problems.ts'
import { identicon } from './identicon.ts'
import { faultOfImage, type ImageType } from './images.ts'
import type { User } from './schema.ts'
import { getUser } from './users.ts'

interface Avatar {
  content_type: ImageType | 'image/svg+xml'
  bytes: Uint8Array
  /** Null for what nobody uploaded. */
  updated_at: string | null
}

/** The avatar of any id: whether anybody has it shows only where a picture was uploaded. */
export async function getAvatar(db: Queryable, user_id: string): Promise<Avatar> {
  const [uploaded] = await db<Avatar[]>`
    select content_type, bytes, updated_at from user_avatars where user_id = ${user_id}
  `
  return uploaded ?? { content_type: 'image/svg+xml', bytes: new TextEncoder().encode(identicon(user_id)), updated_at: null }
}

/** Answers an image, which everybody may keep for a while, and ask then whether it has changed. */
export function answerAvatar(request: Request, { content_type, bytes, updated_at }: Avatar): Response {
  const tag = entityTag(updated_at, bytes)
  const headers = {
    ...SECURITY_HEADERS,
    ...contextOf(request).headers,
    // Opened by itself, an SVG is a document: this one may do nothing, and belongs to no origin.
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'Content-Type': content_type,
    'Cache-Control': 'public, max-age=300',
    ETag: tag,
  }
  if (matchesEntityTag(request, tag)) return new Response(null, { status: 304, headers })
  return new Response(bytes as Uint8Array<ArrayBuffer>, { headers })
}

async function versionOf(tx: Tx, user_id: string): Promise<string | null> {
  const [avatar] = await tx<{ updated_at: string }[]>`
    select updated_at from user_avatars where user_id = ${user_id} for update
  `
  return avatar?.updated_at ?? null
}

/**
 * Keeps an uploaded picture.
 *
 * @throws Problem 422 where it is none of the type that it says it is, or too large to be shown
 */
export async function putAvatar(tx: Tx, { id }: Caller, request: Request): Promise<User> {
  const { bytes, media_type } = contextOf(request)
  const content_type = media_type as ImageType
  const fault = faultOfImage(bytes, content_type)
  if (fault) throw invalidField('', 'malformed', `The image ${fault}`)
  requireMatch(request, await versionOf(tx, id))
  await tx`
    insert into user_avatars as stored (user_id, content_type, bytes)
    values (${id}, ${content_type}, ${bytes})
    on conflict (user_id) do update
      set content_type = excluded.content_type, bytes = excluded.bytes
      where stored.content_type <> excluded.content_type
        or stored.bytes <> excluded.bytes
  `
  return getUser(tx, id)
}

/** Goes back to the pattern. */
export async function deleteAvatar(tx: Tx, { id }: Caller, request: Request): Promise<null> {
  requireMatch(request, await versionOf(tx, id))
  await tx`delete from user_avatars where user_id = ${id}`
  return null
}
