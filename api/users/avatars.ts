/** Avatars: an uploaded image, or else a pattern generated from the id. */

import type { Queryable, Tx } from '../../sql/index.ts'
import { MAX_BODY_BYTES } from '../plugins/body.ts'
import { type Caller, contextOf } from '../plugins/request-context.ts'
import { entityTag, matchesEntityTag, requireMatch, SECURITY_HEADERS } from '../plugins/responses.ts'
import { invalidField } from '../problems.ts'
import { identicon } from './identicon.ts'
import { withoutMetadata } from './image-metadata.ts'
import { IMAGE_TYPES, type ImageType, imageError } from './images.ts'
import type { User } from './schema.ts'
import { getUser } from './users.ts'

interface Avatar {
  content_type: ImageType | 'image/svg+xml'
  bytes: Uint8Array
  /** Null for a generated pattern. */
  updated_at: string | null
}

/** The avatar for any id. Unknown ids get a pattern too, so this does not reveal whether a user exists. */
export async function getAvatar(db: Queryable, user_id: string): Promise<Avatar> {
  const [uploaded] = await db<Avatar[]>`
    select content_type, bytes, updated_at from user_avatars where user_id = ${user_id}
  `
  return uploaded ?? { content_type: 'image/svg+xml', bytes: new TextEncoder().encode(identicon(user_id)), updated_at: null }
}

/** Responds with an image that caches may keep for five minutes and then revalidate. */
export function respondWithAvatar(request: Request, { content_type, bytes, updated_at }: Avatar): Response {
  const tag = entityTag(updated_at, bytes)
  const headers = {
    ...SECURITY_HEADERS,
    ...contextOf(request).headers,
    // An SVG opened directly is a document: sandbox it, without any permissions.
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'Content-Type': content_type,
    'Cache-Control': 'public, max-age=300',
    ETag: tag,
  }
  if (matchesEntityTag(request, tag)) return new Response(null, { status: 304, headers })
  return new Response(bytes as Uint8Array<ArrayBuffer>, { headers })
}

/** Checks the file of a form as the body of an API request is. @throws Problem 422 at the field */
export function requireImage(request: Request): void {
  const { bytes, mediaType } = contextOf(request)
  if (!IMAGE_TYPES.some((type) => type === mediaType))
    throw invalidField('/avatar', 'malformed', `must be one of ${IMAGE_TYPES.join(', ')}`)
  if (bytes.length > MAX_BODY_BYTES)
    throw invalidField('/avatar', 'too_large', `must not be larger than ${MAX_BODY_BYTES / 1_048_576} MiB`)
}

async function versionOf(tx: Tx, user_id: string): Promise<string | null> {
  const [avatar] = await tx<{ updated_at: string }[]>`
    select updated_at from user_avatars where user_id = ${user_id} for update
  `
  return avatar?.updated_at ?? null
}

/**
 * Stores an uploaded image without its metadata: anyone can load it, and photos say where they were taken.
 *
 * @param pointer to the image in what was sent
 * @throws Problem 422 if it is not of its declared type, or too large
 */
export async function putAvatar(tx: Tx, { id }: Caller, request: Request, pointer = ''): Promise<User> {
  const { bytes: sent, mediaType } = contextOf(request)
  const content_type = mediaType as ImageType
  const error = imageError(sent, content_type)
  const bytes = error ? null : withoutMetadata(sent, content_type)
  if (!bytes) throw invalidField(pointer, 'malformed', error ?? `is not a complete ${content_type} file`)
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

/** Deletes the uploaded image. */
export async function deleteAvatar(tx: Tx, { id }: Caller, request: Request): Promise<null> {
  requireMatch(request, await versionOf(tx, id))
  await tx`delete from user_avatars where user_id = ${id}`
  return null
}
