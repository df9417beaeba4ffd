/** The document as one self-contained HTML page for screen and print. */
import { printable } from '../../core/values/plain-text.ts'
import { STYLE } from './style.ts'

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * @param title plain text
 * @param html the document, as the worker rendered it
 */
export const page = (title: string, html: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(printable(title))}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${html}</main>
</body>
</html>
`
