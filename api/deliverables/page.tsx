/** The document as one self-contained HTML page for screen and print. */
import { setImmediate } from 'node:timers/promises'
import { Fragment, h } from 'preact'
import { render } from 'preact-render-to-string'
import { restored, type StoredNode } from '../../core/markdown/stored.ts'
import { printable } from '../../core/values/plain-text.ts'
import { STYLE } from './style.ts'

/**
 * @param title plain text
 * @param parts JSON, as the worker stored them
 */
export async function page(title: string, parts: string[]): Promise<string> {
  const head = (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{printable(title)}</title>
      <style>{STYLE}</style>
    </head>
  )
  const html: string[] = []
  for (const part of parts) {
    const nodes = (JSON.parse(part) as StoredNode[]).map((node) => restored(node))
    html.push(render(h(Fragment, {}, ...nodes)))
    // A large document takes long: other requests go on in between.
    await setImmediate()
  }
  return `<!doctype html>\n<html lang="en">\n${render(head)}\n<body>\n<main>\n${html.join('\n')}</main>\n</body>\n</html>\n`
}
