/** A person with a browser: cookies, links and forms, without a script. */
import { parseHTML } from 'linkedom'
import { type Actor, PASSWORD } from './actor.ts'
import type { Box } from './box.ts'

export interface Visit {
  status: number
  headers: Headers
  /** The path of the page, after redirects. */
  path: string
  html: string
  document: Document
  /** The text of the page without its side bar, with single spaces. */
  text: string
}

/** The fields of a form; one with several values is a list. */
type Fields = Record<string, string | string[]>

const MAX_REDIRECTS = 5

/** The text of a text area, which linkedom leaves as it is in the HTML. */
const decoded = (html: string): string => html.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

export class PageClient {
  readonly cookies = new Map<string, string>()

  /** @param address where its requests come from, of a service that trusts a proxy; limits count each address by itself */
  constructor(
    private readonly box: Box,
    private readonly address?: string,
  ) {}

  /** A browser in which a user has signed in. */
  static async signedIn(box: Box, { email }: Actor): Promise<PageClient> {
    const visitor = new PageClient(box)
    const { status } = await visitor.post('/sign-in', { email, password: PASSWORD })
    if (status !== 200) throw new Error(`${email} cannot sign in: ${status}`)
    return visitor
  }

  /** One request, without following a redirect. */
  async send(method: string, path: string, body?: string | FormData, headers: Record<string, string> = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(new URL(path, this.box.base), {
      method,
      headers: {
        ...(cookie === '' ? {} : { Cookie: cookie }),
        ...(this.address === undefined ? {} : { 'X-Forwarded-For': this.address }),
        ...(method === 'POST' ? { Origin: this.box.base } : {}),
        // That of a form with a file has a boundary.
        ...(method === 'POST' && !(body instanceof FormData) ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}),
        ...headers,
      },
      body,
      redirect: 'manual',
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ')
      const at = pair.indexOf('=')
      if (attributes.includes('Max-Age=0')) this.cookies.delete(pair.slice(0, at))
      else this.cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return response
  }

  /** Opens a page and follows redirects. */
  async open(path: string): Promise<Visit> {
    return this.#follow(await this.send('GET', path), path)
  }

  /** Posts fields to a path, as a form does, and follows redirects. */
  async post(path: string, fields: Fields = {}): Promise<Visit> {
    const pairs = Object.entries(fields).flatMap(([name, values]) => [values].flat().map((value) => [name, value]))
    return this.#follow(await this.send('POST', path, new URLSearchParams(pairs).toString()), path)
  }

  /**
   * Fills in the form of a page that has a button, and presses it.
   *
   * @param button the text of the button, or its beginning
   * @param fields what is typed, and what is checked in lists; other fields keep their values
   * @throws Error if the page has no such button or field
   */
  async press(page: Visit, button: string, fields: Fields = {}): Promise<Visit> {
    const pressed = [...page.document.querySelectorAll('button')].find((each) => each.textContent?.trim().startsWith(button))
    const form = pressed?.closest('form')
    if (!pressed || !form) throw new Error(`${page.path} has no button ${button}: ${page.text}`)
    const values: Record<string, string[]> = {}
    for (const field of form.querySelectorAll('input[name], textarea[name], select[name]')) {
      const name = field.getAttribute('name') ?? ''
      const isBox = ['radio', 'checkbox'].includes(field.getAttribute('type') ?? '')
      values[name] ??= []
      if (isBox && !field.hasAttribute('checked')) continue
      const option = field.querySelector('option[selected]') ?? field.querySelector('option')
      values[name].push((option ?? field).getAttribute('value') ?? decoded(field.textContent ?? ''))
    }
    for (const [name, value] of Object.entries(fields)) {
      if (!(name in values)) throw new Error(`The form of ${button} has no field ${name}`)
      values[name] = [value].flat()
    }
    const name = pressed.getAttribute('name')
    if (name) values[name] = [pressed.getAttribute('value') ?? '']
    const action = pressed.getAttribute('formaction') ?? form.getAttribute('action') ?? page.path
    return this.post(action, values)
  }

  /** Signs in on the page for that: first with the address, then with the password. */
  async signIn(page: Visit, { email, password = PASSWORD }: { email: string; password?: string }): Promise<Visit> {
    return this.press(await this.press(page, 'Continue', { email }), 'Sign in', { password })
  }

  async #follow(response: Response, path: string): Promise<Visit> {
    let [current, at] = [response, path]
    for (let redirects = 0; current.status === 303; redirects++) {
      if (redirects === MAX_REDIRECTS) throw new Error(`${path} redirects in a circle`)
      at = current.headers.get('location') ?? ''
      current = await this.send('GET', at)
    }
    const html = await current.text()
    const { document } = parseHTML(html)
    // A download is no HTML.
    const text = (document.documentElement ? ((document.querySelector('main') ?? document.body)?.textContent ?? '') : html)
      .replaceAll(/\s+/g, ' ')
      .trim()
    return { status: current.status, headers: current.headers, path: at, html, document, text }
  }
}
