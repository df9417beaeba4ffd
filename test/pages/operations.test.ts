/** What else is done in pages: comparisons, templates, documents, attestations, reports, runtimes, tokens and the audit log. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { pixel } from '../api/pixel.ts'
import { PageClient, type Visit } from '../support/page-client.ts'
import { errorIn, noticeIn } from '../support/page-parts.ts'
import { addTotp, codeOf } from '../support/second-factors.ts'
import { type Actor, type Box, PASSWORD, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let owner: Actor
let member: Actor
let site: Site
let visitor: PageClient
let guest: PageClient

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  owner = await box.user('Owner')
  member = await box.user('Member')
  site = await box.site(owner)
  await owner.make(`/api/v1/organizations/${site.organization.id}/members`, { user_id: member.id, role: 'member' })
  await owner.make(`/api/v1/workspaces/${site.workspace.id}/members`, { user_id: member.id, role: 'member' })
  visitor = await PageClient.signedIn(box, owner)
  guest = await PageClient.signedIn(box, member)
})
afterAll(() => box.close())

const hasButton = ({ document }: Visit, text: string) =>
  [...document.querySelectorAll('button')].some((button) => button.textContent?.startsWith(text))

test('two executions are compared, decided and forgotten', async () => {
  const requirement = await owner.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Compared' })
  const path = `/app/requirements/${requirement.id}/comparisons/new`
  expect((await visitor.open(path)).text).toContain('There is nothing to compare yet.')
  const tracks = []
  for (const agent of ['alpha', 'beta'])
    tracks.push(await owner.make(`/api/v1/requirements/${requirement.id}/executions`, { agent }))
  const [a, b] = tracks.map(({ graph_id }) => graph_id)
  const page = await visitor.open(path)
  const same = await visitor.press(page, 'Start', { track_a_graph_id: a, track_b_graph_id: a })
  expect([same.status, errorIn(same, 'track_b_graph_id')]).toEqual([422, 'Track b must differ from track_a_graph_id.'])
  const started = await visitor.press(same, 'Start', { track_b_graph_id: b })
  expect([started.path.slice(0, 16), started.document.querySelector('h1')?.textContent]).toEqual([
    '/app/dual-track/',
    'alpha or beta',
  ])
  const decided = await visitor.press(started, 'Decide', { winner: 'b' })
  expect(decided.text).toContain('decided for beta (b)')
  expect(hasButton(await guest.open(started.path), 'Delete comparison')).toBe(false)
  const deleted = await visitor.press(decided, 'Delete comparison')
  expect([deleted.path, noticeIn(deleted)]).toEqual([
    `/app/requirements/${requirement.id}`,
    'The comparison of alpha and beta was deleted.',
  ])
})

describe('A workflow template', () => {
  test('is changed by admins, for what is made after that', async () => {
    const places = [`organizations/${site.organization.id}`, `workspaces/${site.workspace.id}`, `projects/${site.project.id}`]
    for (const place of places) {
      const page = await visitor.open(`/app/${place}/workflow-template`)
      const saved = await visitor.press(page, 'Save', { template: `# <${place}>\r\nsteps: {}\r\n` })
      expect(noticeIn(saved)).toBe('The template was saved.')
      expect((await owner.get(`/api/v1/${place}/workflow-template`)).body).toEqual({ template: `# <${place}>\nsteps: {}\n` })
      const read = await guest.open(`/app/${place}/workflow-template`)
      expect([hasButton(read, 'Save'), read.document.querySelector('pre')?.textContent]).toEqual([
        false,
        expect.stringContaining(place),
      ])
    }
  })

  test('that another person has changed is not overwritten, nor is the first one', async () => {
    const { id } = await owner.make('/api/v1/organizations', { name: 'Fresh' })
    for (const template of ['of another', 'of yet another']) {
      const page = await visitor.open(`/app/organizations/${id}/workflow-template`)
      await owner.put(`/api/v1/organizations/${id}/workflow-template`, { template })
      const refused = await visitor.press(page, 'Save', { template: 'mine' })
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining(`Stored now: ${template}`)])
    }
  })
})

test('an API description is checked, stored and shown', async () => {
  const page = await guest.open(`/app/projects/${site.project.id}/api-description`)
  const refused = await guest.press(page, 'Save', { document: 'openapi: 3.1.0' })
  expect([refused.status, errorIn(refused, 'document')]).toEqual([
    422,
    expect.stringContaining("must have required property 'paths'"),
  ])
  const document = 'openapi: 3.1.0\ninfo: { title: Checkout, version: 1.4.2 }\npaths: {}\n'
  const saved = await guest.press(refused, 'Save', { document })
  expect(saved.text).toContain('1.4.2')
  expect(saved.document.querySelector('textarea')?.textContent).toBe(document)
})

test('whether something may be deployed is said with the reasons', async () => {
  const page = await guest.open(`/app/projects/${site.project.id}/attestations`)
  const wrong = await guest.press(page, 'Verify', { environment: 'production', digest: 'abc' })
  expect([wrong.status, errorIn(wrong, 'digest')]).toEqual([422, expect.stringContaining('Digest must be gitCommit:')])
  const denied = await guest.press(wrong, 'Verify', { digest: `gitCommit:${'a'.repeat(40)}` })
  expect([denied.status, denied.text]).toEqual([200, expect.stringContaining('It may not be deployed.')])
})

describe('A deployment', () => {
  test('is reported by hand, once', async () => {
    const hook = await owner.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
      name: 'Deploy',
      mode: 'pull',
      trigger_on: 'gate_approved',
      environment: 'production',
      report_within_seconds: 600,
    })
    const dispatch = await owner.make(`/api/v1/deployment-hooks/${hook.id}/trigger`)
    const page = await guest.open(`/app/dispatches/${dispatch.id}`)
    const wrong = await guest.press(page, 'Report', { state: 'succeeded', digest: 'xyz' })
    expect([wrong.status, errorIn(wrong, 'digest')]).toEqual([422, expect.stringContaining('Digest must be 64 hexadecimal')])
    const reported = await guest.press(wrong, 'Report', { digest: 'b'.repeat(40), version: 'v3' })
    expect([noticeIn(reported), hasButton(reported, 'Report')]).toEqual(['The report was recorded.', false])
    expect((await owner.get(`/api/v1/dispatches/${dispatch.id}`)).body.rollout).toMatchObject({
      state: 'succeeded',
      version: 'v3',
      digest: { gitCommit: 'b'.repeat(40) },
      reported_by: member.id,
    })
    const diagnosis = await guest.press(await guest.open(`/app/deployment-hooks/${hook.id}/verify`), 'Find out', {
      headers: 'X-Signalbox-Signature: nonsense',
      body: '{}',
    })
    expect(diagnosis.text).toContain('The request does not verify.')
  })
})

test('admins remove runtimes and revoke tokens of members, and verify the audit log', async () => {
  const organization = `/app/organizations/${site.organization.id}`
  await owner.make(`/api/v1/organizations/${site.organization.id}/runtimes`, { name: 'Farm', hostname: 'farm', agents: [] })
  const removed = await visitor.press(await visitor.open(`${organization}/runtimes`), 'Remove')
  expect([noticeIn(removed), removed.text]).toEqual([
    expect.stringContaining('removed'),
    expect.stringContaining('No runtimes yet'),
  ])
  await member.make('/api/v1/auth/tokens', { name: 'Nightly', scope: 'read', organization_id: site.organization.id })
  const tokens = await visitor.open(`${organization}/tokens`)
  expect(tokens.text).toContain(member.email)
  expect((await visitor.press(tokens, 'Revoke')).text).toContain('No member has a token')
  expect((await guest.open(`${organization}/tokens`)).status).toBe(403)
  expect((await visitor.open(`${organization}/audit-log/verify`)).text).toContain('as it was when it was sealed')
})

describe('An account', () => {
  test('gets another address and password, keeps a log, and is deleted with its password', async () => {
    const person = await box.user('Brief')
    const own = await PageClient.signedIn(box, person)
    const wrong = await own.press(await own.open('/app/account'), 'Change the password', {
      password: 'short',
      current_password: PASSWORD,
    })
    expect([wrong.status, errorIn(wrong, 'password')]).toEqual([422, expect.stringContaining('12 characters')])
    const next = `${PASSWORD} again`
    const changed = await own.press(wrong, 'Change the password', { password: next, current_password: PASSWORD })
    expect(noticeIn(changed)).toContain('Your password was changed.')
    const moved = await own.press(changed, 'Change the address', { email: 'brief@new.example', current_password: next })
    expect([noticeIn(moved), moved.text]).toEqual(['Your address was saved.', expect.stringContaining('brief@new.example')])
    expect((await own.open('/app/account/security-log')).text).toContain('The password was changed')
    const kept = await own.press(moved, 'Delete the account', { confirm_name: 'me', current_password: next })
    expect([kept.status, errorIn(kept, 'confirm_name')]).toEqual([422, 'Your e-mail address must be exactly: brief@new.example.'])
    const gone = await own.press(kept, 'Delete the account', { confirm_name: 'brief@new.example', current_password: next })
    expect([gone.path, gone.text]).toEqual(['/sign-in', expect.stringContaining('The account brief@new.example was deleted.')])
    expect((await own.open('/app')).path).toBe('/sign-in?next=%2Fapp')
  })

  test('gets a picture, and the pattern again', async () => {
    const send = async (type: string, bytes: Uint8Array, fields: Record<string, string> = {}) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      form.set('avatar', new Blob([bytes as Uint8Array<ArrayBuffer>], { type }), `me.${type.slice(6)}`)
      const answer = await guest.send('POST', '/app/account/avatar', form)
      return [answer.status, await answer.text()] as const
    }
    const type = async () => (await box.request('GET', `/api/v1/users/${member.id}/avatar`)).headers.get('content-type')
    expect((await send('image/png', pixel(7)))[0]).toBe(303)
    expect(await type()).toBe('image/webp')
    expect(await send('image/gif', pixel(7))).toEqual([422, expect.stringContaining('Picture must be one of image/png')])
    expect(await send('image/png', new Uint8Array(9))).toEqual([
      422,
      expect.stringContaining('Picture is not an image of the type image/png'),
    ])
    const [other] = await send('image/png', new Uint8Array(9), { account_id: owner.id })
    expect(other).toBe(409)
    await guest.press(await guest.open('/app/account'), 'Use the pattern')
    expect(await type()).toBe('image/svg+xml')
  })

  test('with a second factor gets back the form that was sent without a session', async () => {
    const person = await box.user('Careful')
    const { secret } = await addTotp(box, person)
    const fresh = new PageClient(box)
    const entrance = await fresh.post('/app/organizations/new', { name: 'Kept' })
    const step = await fresh.signIn(entrance, person)
    const shown = await fresh.press(await fresh.press(step, 'Sign in', { code: codeOf(secret) }), 'Go on')
    expect([shown.status, shown.document.querySelector('#name')?.getAttribute('value')]).toEqual([200, 'Kept'])
  })
})
