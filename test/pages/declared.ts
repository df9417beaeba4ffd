/** The pages, actions and streams that the source declares. */
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')

/** Every route of the web app, such as `POST /app/gates/{gate_id}/approve`. */
export async function declaredPages(): Promise<string[]> {
  const files = await Array.fromAsync(new Bun.Glob('api/**/*.tsx').scan(root), (path) => Bun.file(join(root, path)).text())
  const pagesIn = (text: string, declaration: string) =>
    [...text.matchAll(new RegExp(`${declaration}const (\\w+) = page\\(\\s*'(/[^']*)'`, 'g'))].map(
      ([, name = '', path = '']): [string, string] => [name, path],
    )
  const exported = files.flatMap((text) => pagesIn(text, 'export '))
  return files.flatMap((text) => {
    const pages = new Map([...exported, ...pagesIn(text, '')])
    const actions = [...text.matchAll(/\bactionOn\(\s*(\w+),\s*'([^']*)'/g)]
    return [
      ...pagesIn(text, '').map(([, path]) => `GET ${path}`),
      ...[...text.matchAll(/\blive\(\s*'(\/[^']*)'/g)].map(([, path]) => `GET ${path}`),
      ...actions.map(([, page = '', below]) => `POST ${pages.get(page)}${below}`),
    ].map((route) => route.replaceAll(/:(\w+)/g, '{$1}'))
  })
}
