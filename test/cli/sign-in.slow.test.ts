/** Where the token of a command is from: the environment, the config file, or the ID token of a CI job. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmod, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'
import { Gateway, Home, NAMELESS, type Ran, RUNTIMES } from './support.ts'

let box: Box
let ada: Actor
let token: string

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  ;({ token } = await ada.make('/api/v1/auth/tokens', { name: 'Command line' }))
})

afterAll(() => box.close())

const ACCOUNT = '01a21684-3c4a-7553-b632-c614a202d1cf'
const emailIn = ({ stdout }: Ran): string => JSON.parse(stdout || '{}').email

/** A gateway that makes ID tokens, as GitHub does, and exchanges each of them once. */
class Platform extends Gateway {
  readonly audiences: (string | null)[] = []
  readonly exchanged: string[] = []
  seconds = 900

  constructor() {
    super(box.base)
    this.turn = (request, _number, { url, headers, form }) => {
      if (request === 'GET /id-token') {
        if (headers.get('authorization') !== 'Bearer of the job') return { instead: new Response('', { status: 401 }) }
        this.audiences.push(new URL(url).searchParams.get('audience'))
        return { instead: Response.json({ value: `id-token-${this.audiences.length}` }) }
      }
      if (request !== 'POST /oauth/token') return {}
      const assertion = form.get('assertion') ?? ''
      const fits =
        form.get('service_account') === ACCOUNT && form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer'
      if (!fits || this.exchanged.includes(assertion)) {
        const refusal = { error: 'invalid_grant', error_description: 'The assertion is not accepted.' }
        return { instead: Response.json(refusal, { status: 400 }) }
      }
      this.exchanged.push(assertion)
      return { instead: Response.json({ access_token: token, token_type: 'Bearer', expires_in: this.seconds }) }
    }
  }

  get github(): Record<string, string> {
    return {
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      SIGNALBOX_URL: this.url,
      SIGNALBOX_SERVICE_ACCOUNT: ACCOUNT,
      ACTIONS_ID_TOKEN_REQUEST_URL: `${this.url}/id-token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of the job',
    }
  }

  get gitlab(): Record<string, string> {
    const SIGNALBOX_ID_TOKEN = `of-job-${crypto.randomUUID()}`
    return { CI: 'true', GITLAB_CI: 'true', SIGNALBOX_URL: this.url, SIGNALBOX_SERVICE_ACCOUNT: ACCOUNT, SIGNALBOX_ID_TOKEN }
  }
}

describe.each(RUNTIMES)('on %s', (_, runtime) => {
  test('a config file may have Windows line ends and a byte order mark', async () => {
    await using home = await Home.make()
    await mkdir(dirname(home.configFile), { recursive: true })
    const config = JSON.stringify({ url: box.base, tokens: { [box.base]: token } }, null, 2)
    await Bun.write(home.configFile, `\uFEFF${config.replaceAll('\n', '\r\n')}\r\n`)
    expect(emailIn(await home.run(['whoami', '--json'], { runtime }))).toBe(ada.email)
    // So may a file with variables.
    const environment = { SIGNALBOX_URL: `${box.base}/\r`, SIGNALBOX_TOKEN: `${token}\r` }
    expect(emailIn(await home.run(['whoami', '--json'], { runtime, environment }))).toBe(ada.email)
    // The token of one service is not sent to another.
    const other = await home.run(['whoami', '--url', 'http://127.0.0.2:9'], { runtime })
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('There is no token for http://127.0.0.2:9.')])
    await Bun.write(home.configFile, 'url = x')
    expect(await home.run(['whoami'], { runtime })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not valid JSON'),
    })
  })

  test('a job of GitHub Actions signs in with an ID token for this service', async () => {
    await using platform = new Platform()
    await using home = await Home.make()
    const run = (environment: Record<string, string>) => home.run(['whoami', '--json'], { runtime, environment })
    const first = await run(platform.github)
    expect([emailIn(first), JSON.parse(first.stdout).token_from]).toEqual([ada.email, 'the ID token of GitHub Actions'])
    expect(emailIn(await run({ ...platform.github, SIGNALBOX_AUDIENCE: 'releases' }))).toBe(ada.email)
    expect([platform.audiences, platform.exchanged]).toEqual([
      [platform.url, 'releases'],
      ['id-token-1', 'id-token-2'],
    ])
    // SIGNALBOX_TOKEN comes first.
    expect(emailIn(await run({ ...platform.github, SIGNALBOX_TOKEN: token }))).toBe(ada.email)
    expect(platform.exchanged).toHaveLength(2)

    const stranger = await run({ ...platform.github, SIGNALBOX_SERVICE_ACCOUNT: crypto.randomUUID() })
    expect([stranger.code, stranger.stderr]).toEqual([1, expect.stringContaining('service_account.sign_in_refused')])
    const { ACTIONS_ID_TOKEN_REQUEST_URL: _url, ...without } = platform.github
    expect((await run(without)).stderr).toContain('permissions: { id-token: write }')
    const { SIGNALBOX_SERVICE_ACCOUNT: _account, ...nameless } = platform.github
    expect((await run(nameless)).stderr).toContain('Set SIGNALBOX_SERVICE_ACCOUNT')
  })

  test('a job of GitLab exchanges its ID token once, for all of its commands', async () => {
    await using platform = new Platform()
    await using home = await Home.make()
    const environment = platform.gitlab
    const run = () => home.run(['whoami', '--json'], { runtime, environment })
    const runs = [...(await Promise.all([run(), run()])), await run()]
    expect(runs.map(emailIn)).toEqual([ada.email, ada.email, ada.email])
    expect(platform.exchanged).toHaveLength(1)
    // Nobody else can read what is kept.
    const files = [...new Bun.Glob('config/signalbox/job-*.json').scanSync(home.path)]
    const modes = files.map((file) =>
      Bun.spawnSync(['stat', '-c', '%a', `${home.path}/${file}`])
        .stdout.toString()
        .trim(),
    )
    expect(modes).toEqual(['600'])
    // Another job has another token.
    expect(emailIn(await home.run(['whoami', '--json'], { runtime, environment: platform.gitlab }))).toBe(ada.email)
    platform.seconds = 1
    const short = platform.gitlab
    await home.run(['whoami'], { runtime, environment: short })
    const late = await home.run(['whoami'], { runtime, environment: short })
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('does not accept this job')])
  })

  test('a job of GitLab keeps its token where it can, also as a user without a name or a home', async () => {
    await using platform = new Platform()
    await using home = await Home.make()
    const temporary = `${home.path}/tmp`
    await mkdir(temporary)
    await chmod(temporary, 0o1777)
    await chmod(home.path, 0o755)
    // A home in which a file stands in the way, one that cannot be written, and none.
    const homes = [
      { XDG_CONFIG_HOME: '/dev/null' },
      ...(NAMELESS ? ['/', ''].map((HOME) => ({ ...NAMELESS, HOME, XDG_CONFIG_HOME: '' })) : []),
    ]
    for (const own of homes) {
      const environment = { ...platform.gitlab, ...own, TMPDIR: temporary }
      for (let time = 0; time < 2; time++) {
        const ran = await home.run(['whoami', '--json'], { runtime, environment })
        expect([own, ran.stderr, emailIn(ran)]).toEqual([own, '', ada.email])
      }
    }
    expect(new Set(platform.exchanged).size).toBe(platform.exchanged.length)
    // Where nothing can be kept, this command goes on, and says what the others need.
    const nowhere = { ...platform.gitlab, XDG_CONFIG_HOME: '/dev/null', TMPDIR: '/dev/null' }
    const alone = await home.run(['whoami', '--json'], { runtime, environment: nowhere })
    expect([alone.code, emailIn(alone), alone.stderr]).toEqual([0, ada.email, expect.stringContaining('Set XDG_CONFIG_HOME')])
  })

  test('login says first that its token could not be kept', async () => {
    await using home = await Home.make()
    for (const own of [{ XDG_CONFIG_HOME: '/dev/null' }, ...(NAMELESS ? [{ ...NAMELESS, HOME: '', XDG_CONFIG_HOME: '' }] : [])]) {
      const { code, stderr } = await home.run(['login', '--url', box.base], { runtime, environment: own })
      expect([code, stderr]).toEqual([1, expect.stringContaining('Set HOME or XDG_CONFIG_HOME')])
      expect(stderr).not.toContain('type the code')
    }
  })

  test.skipIf(!NAMELESS)('listen runs as a user without a name or a home', async () => {
    await using home = await Home.make()
    const { project } = await box.site(ada)
    const args = ['listen', '--project', project.id, '--forward', 'localhost:9', '--secret', 'a']
    for (const own of ['', '/']) {
      const environment = { ...NAMELESS, HOME: own, XDG_CONFIG_HOME: '', SIGNALBOX_URL: box.base, SIGNALBOX_TOKEN: token }
      const listener = home.start(args, { runtime, environment })
      await listener.said('/cli.tgz" trigger')
      listener.kill('SIGTERM')
      expect(await listener.exited).toBe(0)
    }
  })

  test('a token that ends while a command runs is replaced', async () => {
    await using platform = new Platform()
    await using home = await Home.make()
    const site = await box.site(ada)
    const gate = await ada.make(`/api/v1/projects/${site.project.id}/gates`, { name: 'Release' })
    const answer = platform.turn
    let refused = false
    platform.turn = (request, number, details) => {
      if (request !== 'GET /api/v1/gates/…' || platform.exchanged.length !== 1 || number < 4)
        return answer(request, number, details)
      refused = true
      return { instead: Response.json({ code: 'unauthenticated', detail: 'The token is not valid.' }, { status: 401 }) }
    }
    const waiting = home.start(['wait', gate.id], { runtime, environment: platform.github })
    await box.until('it has signed in again', async () => refused && platform.exchanged.length === 2)
    await ada.make(`/api/v1/gates/${gate.id}/approve`)
    expect(await waiting.exited).toBe(0)
  })
})
