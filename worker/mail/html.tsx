/**
 * The HTML of mails: one column for any width, light and dark. No images or other external resources, so that reading a mail
 * cannot be tracked.
 */
import type { ComponentChildren, VNode } from 'preact'
import { render } from 'preact-render-to-string'
import type { Severity } from '../../core/events/declaration.ts'
import type { Fact } from '../event-messages/index.ts'

const QUOTE = 'margin:0 0 16px;padding:8px 12px;border-left:3px solid #d0d4da;background:#f5f7f9'
const LABEL = 'padding:2px 16px 2px 0;color:#5c6673;vertical-align:top;white-space:nowrap'
const BUTTON = 'display:inline-block;padding:10px 20px;border-radius:6px;background:#0b5cad;color:#fff;text-decoration:none'
const BODY =
  "margin:0;padding:24px 12px;background:#eef2f6;color:#14202b;font:15px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif"
const CARD =
  'max-width:560px;margin:0 auto;padding:24px 24px 8px;background:#fff;border-radius:8px;border-top:4px solid ACCENT;overflow-wrap:anywhere'
const ACCENTS: Record<Severity, string> = { info: '#3b6fb6', good: '#2e8540', warning: '#d08700', bad: '#c0392b' }

/** User-supplied text with its line breaks. It may be right-to-left: `dir="auto"` below. */
const withLineBreaks = (text: string): ComponentChildren =>
  text.split('\n').map((line, index) => (index === 0 ? line : [<br />, line]))

export const paragraph = (text: string): VNode => (
  <p dir="auto" style="margin:0 0 16px">
    {withLineBreaks(text)}
  </p>
)

/** Secondary text, such as the reason for this mail. */
export const aside = (...content: ComponentChildren[]): VNode => (
  <p class="soft" style="margin:0 0 16px;font-size:13px;color:#5c6673">
    {content}
  </p>
)

export const quotation = (text: string): VNode => (
  <blockquote class="quote" dir="auto" style={QUOTE}>
    {withLineBreaks(text)}
  </blockquote>
)

/** What the recipient should read before anything else. */
export const warningOf = (text: string): VNode => (
  <p class="quote" dir="auto" style={`${QUOTE};border-left-color:${ACCENTS.bad}`}>
    <strong>Warning:</strong> {text}
  </p>
)

export const nextStep = (text: string): VNode => (
  <p style="margin:0 0 16px">
    <strong>Next:</strong> {text}
  </p>
)

export const link = (url: string, text: string): VNode => (
  <a href={url} style="color:#0b5cad">
    {text}
  </a>
)

export const button = (url: string, text: string): VNode => (
  <p style="margin:0 0 16px">
    <a class="button" href={url} style={BUTTON}>
      {text}
    </a>
  </p>
)

export const table = (facts: Fact[]): VNode => (
  <table style="margin:0 0 16px;border-collapse:collapse;font-size:14px">
    {facts.map(({ name, value, link: to }) => (
      <tr>
        <td class="soft" style={LABEL}>
          {name}
        </td>
        <td style="padding:2px 0">
          <bdi>{to ? link(to.url, value) : value}</bdi>
          {to && ` (${to.host})`}
        </td>
      </tr>
    ))}
  </table>
)

// The light colors are inline, because some mail programs remove the styles in the head.
const STYLE = `@media (prefers-color-scheme: dark) {
body { background: #14181d !important; color: #e4e8ec !important }
.card { background: #1f252c !important }
.soft { color: #a3afbb !important }
.quote { background: #2a313a !important; border-left-color: #4a5562 !important }
a { color: #85b9f7 !important }
a.button { color: #fff !important }
}`

/** @param severity the color of the top border @param parts results of the functions above; empty ones are omitted */
export const mailHtml = (title: string, heading: string, severity: Severity, parts: ComponentChildren[]): string =>
  `<!doctype html>\n${render(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <style>{STYLE}</style>
      </head>
      <body style={BODY}>
        <div class="card" style={CARD.replace('ACCENT', ACCENTS[severity])}>
          <h1 style="margin:0 0 12px;font-size:20px;line-height:1.3">{heading}</h1>
          {parts}
        </div>
      </body>
    </html>,
  )}\n`
