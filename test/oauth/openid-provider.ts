/** Runs `openid-provider.mjs`, a certified OpenID provider, as an issuer of tokens for jobs. */
import { join } from 'node:path'
import { freePort } from '../../bin/support/ports.ts'

export class OpenIdProvider {
  private constructor(
    readonly url: string,
    private readonly process: Bun.Subprocess,
  ) {}

  /** @param audiences that tokens can be issued for */
  static async open(...audiences: string[]): Promise<OpenIdProvider> {
    const port = await freePort('127.0.0.1')
    const script = join(import.meta.dir, 'openid-provider.mjs')
    const program = Bun.which('node') ?? process.execPath
    const child = Bun.spawn([program, script, String(port), ...audiences], { stdout: 'pipe', stderr: 'ignore' })
    for await (const chunk of child.stdout) {
      if (new TextDecoder().decode(chunk).includes('listening')) return new OpenIdProvider(`http://127.0.0.1:${port}`, child)
    }
    throw new Error('The OpenID provider has ended')
  }

  /** The URL at which a job asks for its token. */
  requestUrl(claims: object): string {
    return `${this.url}/job-token?claims=${encodeURIComponent(JSON.stringify(claims))}`
  }

  async token(claims: object, audience: string): Promise<string> {
    const response = await fetch(`${this.requestUrl(claims)}&audience=${encodeURIComponent(audience)}&as=text`)
    return response.text()
  }

  async close(): Promise<void> {
    this.process.kill()
    await this.process.exited
  }
}
