/** The packages at `/cli.tgz` and `/sdk.tgz`, and at addresses that name their version: npx keeps what it once got from an address. */
import { Elysia } from 'elysia'
import { version } from '../../sql/version.ts'
import { access } from '../plugins/access.ts'
import { contextOf } from '../plugins/request-context.ts'
import { matchesEntityTag, SECURITY_HEADERS } from '../plugins/responses.ts'
import { PACKAGES, type PackageName, packageOf } from './packages.ts'

async function respondWith(request: Request, name: PackageName): Promise<Response> {
  const { bytes, sha512 } = await packageOf(name)
  const tag = `"${sha512.slice(0, 32)}"`
  const headers = {
    ...SECURITY_HEADERS,
    ...contextOf(request).headers,
    'Content-Type': 'application/gzip',
    // During a deployment the next request may come to another version.
    'Cache-Control': 'public, no-cache',
    ETag: tag,
  }
  if (matchesEntityTag(request, tag)) return new Response(null, { status: 304, headers })
  return new Response(bytes, { headers })
}

export const packages = new Elysia({ name: 'packages' }).use(access)

for (const name of PACKAGES) {
  // `SIGNALBOX_URL` may end with a slash.
  for (const path of [`/${name}.tgz`, `//${name}.tgz`, `/${name}-${version}.tgz`])
    packages.get(path, ({ request }) => respondWith(request, name), { open: 'requests', detail: { hide: true } })
}
