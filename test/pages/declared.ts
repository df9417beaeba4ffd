/** The pages, actions and streams that the source declares. */
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')

/** Every route of the web app, such as `POST /app/gates/{gate_id}/approve`. */
export async function declaredPages(): Promise<string[]> {
  const routes: string[] = []
  for await (const path of new Bun.Glob('api/**/*.tsx').scan(root)) {
    const text = await Bun.file(join(root, path)).text()
    for (const [, kind, route = ''] of text.matchAll(/\b(page|action|live)\(\s*'(\/[^']*)'/g)) {
      routes.push(`${kind === 'action' ? 'POST' : 'GET'} ${route.replaceAll(/:(\w+)/g, '{$1}')}`)
    }
  }
  return routes
}
