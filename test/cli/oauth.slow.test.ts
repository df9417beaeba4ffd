/** Signing in at the real endpoints: the device flow, and ID tokens of an issuer that a service account trusts. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { stat } from 'node:fs/promises'
import { Issuer, makeKey } from '../oauth/issuer.ts'
import { Machines } from '../oauth/machine.ts'
import { PageClient } from '../support/page-client.ts'
import { Gateway, Home, RUNTIMES } from './support.ts'

let machines: Machines
let issuer: Issuer
let account: string
let browser: PageClient

beforeAll(async () => {
  machines = await Machines.open()
  issuer = new Issuer()
  issuer.keys = [await makeKey('RS256', 'one')]
  account = await machines.account([{ issuer: issuer.url, claims: { sub: ['repo:acme/shop'] } }])
  browser = await PageClient.signedIn(machines.box, machines.ada)
})

afterAll(async () => {
  await machines.box.close()
  await issuer.stop()
})

const signIns = async (): Promise<number> => {
  const [{ count }] = await machines.box.sql<[{ count: number }]>`
    select count(*)::int as count from audit_log_entries where action = 'service_account.signed_in' and actor_id = ${account}
  `
  return count
}

describe.each(RUNTIMES)('on %s', (_, runtime) => {
  test('login keeps a token that is allowed in the browser, in a file that no one else can read', async () => {
    await using home = await Home.make()
    const login = home.start(['login', '--url', machines.audience, '--scope', 'read'], { runtime })
    const [, code = ''] = /type the code (\S+)/.exec(await login.said('type the code')) ?? []
    const consent = await browser.press(await browser.open('/device'), 'Continue', { user_code: code })
    expect(consent.text).toContain('signalbox-cli')
    await browser.press(consent, 'Allow')
    expect(await login.exited).toBe(0)
    await login.isRead
    expect(login.lines.at(-1)).toContain(`Signed in as Ada at ${machines.audience}. The token is in ${home.configFile}`)
    expect((await stat(home.configFile)).mode & 0o777).toBe(0o600)
    // The address is kept, too.
    expect((await home.run(['whoami'], { runtime })).stdout).toContain(`Ada <${machines.ada.email}>\nat  ${machines.audience}`)
    const [token] = (await machines.ada.get('/api/v1/auth/tokens')).body
    expect(token).toMatchObject({ name: expect.stringContaining('(signalbox-cli)'), scope: 'read' })
    await machines.ada.delete(`/api/v1/auth/tokens/${token.id}`)
    const revoked = await home.run(['whoami'], { runtime })
    expect([revoked.code, revoked.stderr]).toEqual([
      1,
      expect.stringContaining(`npx --yes "${machines.audience}/cli.tgz" login --url ${machines.audience}`),
    ])
  })

  test('login that is denied keeps nothing', async () => {
    await using home = await Home.make()
    const login = home.start(['login', '--url', machines.audience], { runtime })
    const [, code = ''] = /type the code (\S+)/.exec(await login.said('type the code')) ?? []
    await browser.press(await browser.press(await browser.open('/device'), 'Continue', { user_code: code }), 'Deny')
    expect(await login.exited).toBe(1)
    await login.isRead
    expect(login.lines.join('\n')).toContain(
      `It was denied in the browser.\n  Try again: npx --yes "${machines.audience}/cli.tgz" login`,
    )
    expect(await Bun.file(home.configFile).exists()).toBe(false)
  })

  test('a job of GitLab signs in once, and a job of GitHub for each command', async () => {
    await using home = await Home.make()
    const assertion = (sub = 'repo:acme/shop') => issuer.sign({ aud: machines.audience, sub })
    const common = { CI: 'true', SIGNALBOX_URL: machines.audience, SIGNALBOX_SERVICE_ACCOUNT: account }
    const gitlab = { ...common, SIGNALBOX_ID_TOKEN: await assertion() }
    const before = await signIns()
    const who = await home.run(['whoami'], { runtime, environment: gitlab })
    expect([who.code, who.stdout]).toEqual([
      0,
      expect.stringMatching(/^Release pipeline, a service account: (work:read|gates:read), /),
    ])
    const { organization, workspace, project } = machines.site
    const places = [
      [null, null, `all workspaces of the organization ${organization.id}`],
      [workspace.id, null, `workspace ${workspace.id}`],
      [workspace.id, project.id, `project ${project.id} of the workspace ${workspace.id}`],
    ]
    for (const [workspace_id, project_id, place] of places) {
      await machines.box.sql`
        update service_accounts set workspace_id = ${workspace_id}, project_id = ${project_id} where id = ${account}
      `
      const { stdout } = await home.run(['whoami'], { runtime, environment: gitlab })
      expect(stdout.split('\n')[1]).toBe(`in  ${place}`)
    }
    await machines.box.sql`update service_accounts set workspace_id = null, project_id = null where id = ${account}`
    const gate = await machines.ada.make(`/api/v1/projects/${machines.site.project.id}/gates`, { name: 'Release' })
    await machines.ada.make(`/api/v1/gates/${gate.id}/approve`)
    expect((await home.run(['wait', gate.id], { runtime, environment: gitlab })).code).toBe(0)
    const beyond = await home.run(['trigger', crypto.randomUUID()], { runtime, environment: gitlab })
    expect([beyond.code, beyond.stderr]).toEqual([1, expect.stringContaining('An admin of the organization changes the scopes')])
    expect(await signIns()).toBe(before + 1)

    await using github = new Gateway(machines.box.base)
    github.turn = () => ({ instead: Response.json({ value: token }) })
    const request = { ACTIONS_ID_TOKEN_REQUEST_URL: `${github.url}/token?api-version=2.0`, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'x' }
    let token = ''
    for (let time = 1; time <= 2; time++) {
      token = await assertion()
      const { stderr } = await home.run(['whoami'], { runtime, environment: { ...common, ...request } })
      expect(stderr).not.toContain('does not accept this job')
    }
    expect(await signIns()).toBe(before + 3)

    token = await assertion('repo:acme/other')
    const stranger = await home.run(['whoami', '--json'], { runtime, environment: { ...common, ...request } })
    const { error } = JSON.parse(stranger.stderr.trim().split('\n').at(-1) ?? '')
    expect([stranger.code, error.code, error.next]).toEqual([
      1,
      'invalid_grant',
      expect.stringContaining('service_account.sign_in_refused'),
    ])
    expect((await machines.refusals(account))[0]).toContain('repo:acme/other')
  })
})
