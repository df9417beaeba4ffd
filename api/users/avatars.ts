/** Avatars: an uploaded image, of which nothing but pixels and their color profile is kept, or else a pattern generated from the id. */
import type { Queryable, Tx } from '../../sql/index.ts'
import { MAX_BODY_BYTES } from '../plugins/body.ts'
import { networksOf } from '../plugins/client-address.ts'
import { ConcurrencyLimit } from '../plugins/concurrency-limit.ts'
import { type Caller, contextOf } from '../plugins/request-context.ts'
import { entityTag, matchesEntityTag, requireMatch, SECURITY_HEADERS } from '../plugins/responses.ts'
import { invalidField, Problem } from '../problems.ts'
import type { User } from './schema.ts'
import { getUser } from './users.ts'

const FORMATS = { 'image/png': 'png', 'image/jpeg': 'jpeg', 'image/webp': 'webp' } as const

type ImageType = keyof typeof FORMATS

export const IMAGE_TYPES = Object.keys(FORMATS) as ImageType[]

/** Pixels. */
const MAX_SIDE = 256
/** Limits the memory and the time that decoding takes. */
const MAX_PIXELS = 4096 * 4096
/** A JPEG decodes all its pixels once per scan. Programs write about ten scans. */
const MAX_SCANS = 50
/** An image of 256 × 256 pixels has less. A color profile may have more, and a small PNG can hold a large one. */
const MAX_BYTES = 1_048_576

// Bun decodes outside of the event loop, in the threads that also hash passwords; one decoded image takes up to 64 MiB.
const decoding = new ConcurrencyLimit(
  1,
  64,
  20_000,
  () => new Problem('too_busy', 'Too many images are being read. Try again in a few seconds.', undefined, { 'Retry-After': '5' }),
)

/** Encodes it as a small WebP. @throws Problem 422 at `pointer` if it is not of its declared type, or too large; `too_busy` */
export async function receiveImage(request: Request, pointer = ''): Promise<Uint8Array> {
  const { bytes, mediaType, address } = contextOf(request)
  const failed = (problem: string) => invalidField(pointer, 'malformed', problem)
  return decoding.run(networksOf(address), async () => {
    try {
      const { format, width, height } = await new Bun.Image(bytes, { maxPixels: MAX_PIXELS }).metadata()
      if (format !== FORMATS[mediaType as ImageType]) throw failed(`is not a ${mediaType} file`)
      if (format === 'jpeg' && Buffer.from(bytes).toString('latin1').split('\xff\xda').length > MAX_SCANS)
        throw failed('has too many scans')
      // The limit on pixels also limits what a compressed color profile may inflate to.
      const image = new Bun.Image(bytes, { maxPixels: width * height })
      const webp = await image.resize(MAX_SIDE, MAX_SIDE, { fit: 'inside', withoutEnlargement: true }).webp().bytes()
      if (webp.length > MAX_BYTES) throw failed('has a color profile that is too large')
      return webp
    } catch (error) {
      if (error instanceof Problem) throw error
      const isTooLarge = (error as { code?: string }).code === 'ERR_IMAGE_TOO_MANY_PIXELS'
      throw failed(
        isTooLarge ? `must have at most ${MAX_PIXELS} pixels` : `is not an image of the type ${mediaType} that can be read`,
      )
    }
  })
}

const CELL = 16
const ROWS = 5
/** The middle column is its own mirror image. */
const COLUMNS = [0, 1, 2]

/** Draws a pattern of five by five cells, mirrored, in two shades of one hue. The same id always gives the same bytes. */
function identicon(id: string): string {
  const bytes = new Bun.CryptoHasher('sha256').update(id.toLowerCase()).digest()
  const hue = Math.floor((((bytes[0] ?? 0) * 256 + (bytes[1] ?? 0)) * 360) / 65_536)
  const cells = COLUMNS.flatMap((column) =>
    Array.from({ length: ROWS }, (_, row) => ({ column, row, byte: bytes[2 + column * ROWS + row] ?? 0 })),
  )
  // Eight of fifteen cells are drawn, so that the image is never empty and never full.
  const drawn = cells.toSorted((a, b) => b.byte - a.byte).slice(0, 8)
  const shapes = drawn.flatMap(({ column, row, byte }) => {
    const mirrored = column === 2 ? [column] : [column, ROWS - 1 - column]
    const lightness = byte % 3 === 0 ? 62 : 45
    return mirrored.map(
      (x) =>
        `<rect x="${8 + x * CELL + 1}" y="${8 + row * CELL + 1}" width="14" height="14" rx="4" fill="hsl(${hue},58%,${lightness}%)"/>`,
    )
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96"><rect width="96" height="96" rx="20" fill="hsl(${hue},60%,93%)"/>${shapes.join('')}</svg>`
}

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

/** Stores an image that was received as WebP. */
export async function putAvatar(tx: Tx, { id }: Caller, webp: Uint8Array, request: Request): Promise<User> {
  requireMatch(request, await versionOf(tx, id))
  await tx`
    insert into user_avatars as stored (user_id, content_type, bytes)
    values (${id}, 'image/webp', ${webp})
    on conflict (user_id) do update
      set content_type = excluded.content_type, bytes = excluded.bytes
      where stored.content_type <> excluded.content_type
        or stored.bytes <> excluded.bytes
  `
  return getUser(tx, id)
}

export async function deleteAvatar(tx: Tx, { id }: Caller, request: Request): Promise<null> {
  requireMatch(request, await versionOf(tx, id))
  await tx`delete from user_avatars where user_id = ${id}`
  return null
}
