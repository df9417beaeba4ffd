/** A stand-in for Slack, and its messages as a page: a picture of what people see there. */

interface Text {
  text: string
}

interface Block {
  type: string
  text?: Text
  fields?: Text[]
  elements?: { type: string; text: Text | string; style?: string }[]
}

interface Posted {
  text: string
  blocks: Block[]
}

const escaped = (text: string) => text.replaceAll(/[<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Slack's markup: `*bold*`, `<url|text>`, and characters that Slack wants escaped. */
const marked = (text: string): string =>
  text
    .split(/(<[^>]+>)/)
    .map((part) => {
      const [, url, label] = /^<([^|>]+)\|?([^>]*)>$/.exec(part) ?? []
      return url === undefined ? escaped(part) : `<a>${escaped(label || url)}</a>`
    })
    .join('')
    .replaceAll(/\*([^*\n]+)\*/g, '<b>$1</b>')
    .replaceAll('\n', '<br>')
    // Machines without a font for them show empty boxes.
    .replaceAll(/\p{Extended_Pictographic}\ufe0f?/gu, '●')

function textOf(text: Text | string): string {
  const given = typeof text === 'string' ? text : text.text
  return given.startsWith('>') ? `<span class="quote">${marked(given.slice(1))}</span>` : marked(given)
}

function htmlOf({ type, text, fields = [], elements = [] }: Block): string {
  if (type === 'header') return `<h1>${textOf(text ?? '')}</h1>`
  if (type === 'divider') return '<hr>'
  if (type === 'actions') {
    const buttons = elements.map((each) => `<span class="button ${each.style ?? ''}">${textOf(each.text)}</span>`)
    return `<p>${buttons.join(' ')}</p>`
  }
  if (type === 'context') return `<p class="quiet">${elements.map((each) => textOf(each.text)).join(' ')}</p>`
  const columns =
    fields.length === 0 ? '' : `<div class="fields">${fields.map((each) => `<p>${textOf(each)}</p>`).join('')}</div>`
  return `${text ? `<p>${textOf(text)}</p>` : ''}${columns}`
}

const STYLE = `
  :root { color-scheme: light dark }
  body { margin: 0; padding: 16px; max-width: 600px; font: 15px/1.46 Lato, system-ui, sans-serif; color: light-dark(#1d1c1d, #d1d2d3);
    background: light-dark(#fff, #1a1d21) }
  h1 { margin: 0 0 4px; font-size: 18px }
  p { margin: 0 0 8px; overflow-wrap: anywhere }
  a { color: light-dark(#1264a3, #1d9bd1) }
  .fields { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 16px }
  .quote { padding-left: 12px; border-left: 4px solid light-dark(#ddd, #4d5054) }
  .quiet { font-size: 13px; color: light-dark(#616061, #ababad) }
  .button { display: inline-block; margin: 4px 4px 0 0; padding: 4px 12px; font-weight: 700; border: 1px solid light-dark(#0003, #fff4); border-radius: 4px }
  .primary { color: #fff; background: #007a5a }
  .danger { color: #fff; background: #e01e5a }`

/** The page of a message. */
export const slackPage = ({ blocks }: Posted): string =>
  `<!doctype html><meta name="viewport" content="width=device-width"><style>${STYLE}</style>${blocks.map(htmlOf).join('')}`

/** A room of Slack: its API takes every message. */
export class SlackRoom {
  readonly messages: Posted[] = []
  readonly #server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { pathname } = new URL(request.url)
      const body = (await request.json()) as Posted
      if (pathname.endsWith('chat.postMessage')) this.messages.push(body)
      return Response.json({ ok: true, channel: 'C0123456789', ts: `${Date.now() / 1000}` })
    },
  })

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}/api`
  }

  /** The message that asks for a decision about a gate, as soon as it is there. */
  async question(gate_name: string): Promise<Posted> {
    for (;;) {
      const asking = this.messages.filter(({ blocks }) => JSON.stringify(blocks).includes('"style":"primary"'))
      const found = asking.find(({ blocks }) => JSON.stringify(blocks).includes(gate_name))
      if (found) return found
      await Bun.sleep(100)
    }
  }

  stop(): Promise<void> {
    return this.#server.stop(true)
  }
}
