/** What the readers of a summary and a deployment guide find, and names that try to mislead them. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Receiver } from '../support/receiver.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 1 })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

async function newProject(fields: object = {}) {
  const project = await ada.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Shop', ...fields })
  return { ...project, path: `/api/v1/projects/${project.id}` }
}

const generate = async (path: string, deliverable_type: string, requirement_id?: string): Promise<Answer['body']> => {
  const input = { deliverable_type, ...(requirement_id && { requirement_id }) }
  return (await ada.post(`${path}/deliverables/generate`, input, { Prefer: 'wait=20' })).body
}
const html = async (id: string): Promise<string> => (await ada.get(`/api/v1/deliverables/${id}`, { Accept: 'text/html' })).body

async function runOnce(requirement_id: string, outcome: 'complete' | 'fail', body: object, gate?: string) {
  const { id } = await ada.make(`/api/v1/requirements/${requirement_id}/executions`, { agent: 'codex' })
  await ada.make(`/api/v1/executions/${id}/start`)
  if (gate) {
    const opened = await ada.make(`/api/v1/executions/${id}/gates`, { name: gate })
    await ada.make(`/api/v1/gates/${opened.id}/approve`, { comment: 'Fine.' })
  }
  await ada.make(`/api/v1/executions/${id}/${outcome}`, body)
}

test('a summary opens with a verdict of two sentences; spend is against the budgets that there are', async () => {
  const { path } = await newProject()
  const [one, two] = [
    await ada.make(`${path}/requirements`, { title: 'One' }),
    await ada.make(`${path}/requirements`, { title: 'Two' }),
  ]
  await runOnce(one.id, 'complete', { cost_usd: 1004.5 })
  await ada.put(`/api/v1/requirements/${one.id}`, { status: 'done' })
  await runOnce(two.id, 'fail', { error: 'No test account.' })
  const verdict = async () => (await generate(path, 'project_summary')).content.split('\n\n')[1].replaceAll('\\', '')
  expect(await verdict()).toMatch(
    /^Shop has 1 of 2 requirements done \(50%\), all of them in the last four weeks\. At risk: 1 requirement whose last execution failed \(\[#2\]\(<http:\/\/.+\/app\/requirements\/.+>\)\); agents spent \$1,004\.50 on it in [A-Z]\w+ \d{4}, without a budget\.$/,
  )
  await ada.put(`/api/v1/workspaces/${site.workspace.id}`, { budget_monthly_limit_usd: 2009 })
  expect(await verdict()).toMatch(
    /agents spent \$1,004\.50 on it in \w+ \d{4} and the workspace \$1,004\.50 of its \$2,009\.00 budget \(50%\)\.$/,
  )
  await ada.put(`/api/v1/organizations/${site.organization.id}`, { budget_monthly_limit_usd: 10_045 })
  expect(await verdict()).toContain('budget (50%) and the organization $1,004.50 of its $10,045.00 budget (10%).')
})

test('about one requirement, a summary tells its story from the wish to the rollout', async () => {
  const { path } = await newProject()
  const receiver = new Receiver()
  const hook = {
    name: 'Deploy',
    environment: 'production',
    trigger_on: 'gate_approved',
    url: receiver.url,
    report_within_seconds: 60,
  }
  await ada.make(`${path}/deployment-hooks`, hook)
  const { id } = await ada.make(`${path}/requirements`, { title: 'Pay', description: 'Customers pay.' })
  await runOnce(id, 'fail', { error: 'Tests fail.', cost_usd: 1 })
  await runOnce(id, 'complete', { summary: 'Works.', cost_usd: 2 }, 'Release review')
  await ada.put(`/api/v1/requirements/${id}`, { status: 'done' })
  const { dispatch_id } = await receiver.waitFor(1).then(([sent]) => ({ dispatch_id: sent?.headers['x-signalbox-delivery'] }))
  await ada.make(`/api/v1/dispatches/${dispatch_id}/report`, { state: 'succeeded', version: 'v2.0.0' })
  await receiver.stop()
  const { content } = await generate(path, 'project_summary', id)
  const told = content
    .slice(content.indexOf('## From request'))
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, 'T')
    .replaceAll(/\d+ s/g, '0 s')
  for (const step of [
    '- T: Ada asked for it.',
    '- T: **codex** failed after 0 s for \\$1.00: Tests fail.',
    '- T: The gate **Release review** was opened.',
    '- T: Ada approved **Release review**: Fine.',
    '- T: **codex** completed after 0 s for \\$2.00: Works.',
    '- T: Ada set it to **done**.',
    '- T: First rolled out to **production** as v2.0.0.',
  ]) {
    expect(told).toContain(step)
  }
})

test('a revoked approval is not counted as one, and documents say who revoked it and why', async () => {
  const { path } = await newProject()
  const requirement = await ada.make(`${path}/requirements`, { title: 'Pay' })
  await runOnce(requirement.id, 'complete', {}, 'Release review')
  await runOnce(requirement.id, 'complete', {}, 'Release review')
  const gates = (await ada.get(`${path}/gates`)).body
  await ada.make(`/api/v1/gates/${gates[0].id}/revoke`, { reason: 'The image is vulnerable.' })
  const { content: summary } = await generate(path, 'project_summary')
  expect(summary).toContain('| Gates approved | 1 of 2 decided (50%) |')
  expect(summary).toMatch(/Ada revoked the approval of \*\*Release review\*\* .*: The image is vulnerable\./)
  expect((await generate(path, 'project_summary', requirement.id)).content).toMatch(
    /UTC: Ada revoked the approval of \*\*Release review\*\*: The image is vulnerable\./,
  )
  expect((await generate(path, 'deployment_guide')).content).toMatch(
    /\| Gate \| Approved \| Rejected \| Revoked \| Pending \| Decided by \|\n.*\n\| Release review \| 1 \| 0 \| 1 \| 0 \| Ada \|/,
  )
})

test('the last four weeks, the last 30 days and the eight weeks count back from the newest datum', async () => {
  const { id, path } = await newProject()
  const requirement = await ada.make(`${path}/requirements`, { title: 'Pay' })
  await ada.put(`/api/v1/requirements/${requirement.id}`, { status: 'done' })
  await box.sql`update projects set created_at = '2024-01-01T00:00:00Z' where id = ${id}`
  await box.sql`
    update requirements
    set created_at = '2024-02-01T00:00:00Z', completed_at = '2024-03-01T00:00:00Z'
    where project_id = ${id}
  `
  const { content } = await generate(path, 'project_summary')
  expect(content).toContain('all of them in the last four weeks')
  expect(content).toContain('in March 2024')
  expect(content).toContain('| 2024-02-24 | 1 | 29 d |')
  expect((await generate(path, 'deployment_guide')).content).toContain('in time, from 2024-01-31 to 2024-03-01.')
})

test('a deployment guide names help: support, else the repository, else the owner of the workspace', async () => {
  const { path } = await newProject()
  const guide = async () => (await generate(path, 'deployment_guide')).content
  expect(await guide()).toContain(`Contact the owner of the workspace: Ada, [${ada.email}](<mailto:${ada.email}>)`)
  await ada.put(path, { repository_url: 'https://git.example.com/shop' })
  expect(await guide()).toContain('Contact the repository: [https://git.example.com/shop](<https://git.example.com/shop>)')
  await ada.put(path, { support: 'help@example.com' })
  expect(await guide()).toContain('Contact support: [help@example.com](<mailto:help@example.com>)')
})

test('the calls of a deployment guide run as they stand, and a version cannot break out of its quotes', async () => {
  const { path } = await newProject()
  const receiver = new Receiver()
  const hook = {
    name: 'Deploy',
    environment: 'production',
    trigger_on: 'gate_approved',
    url: receiver.url,
    report_within_seconds: 60,
  }
  const { id } = await ada.make(`${path}/deployment-hooks`, hook)
  const hostile = "v1'; touch /tmp/broken-out; echo '"
  for (const version of [hostile, 'v2']) {
    const dispatch = await ada.make(`/api/v1/deployment-hooks/${id}/trigger`, {}, { Prefer: 'wait=20' })
    await ada.make(`/api/v1/dispatches/${dispatch.id}/report`, { state: 'succeeded', version })
  }
  const { id: guide, content } = await generate(path, 'deployment_guide')
  expect(content).toContain(
    '> [!WARNING]\n> One version goes to **all environments**, also where it never ran: **production** (1 hook). Nothing undoes database changes.',
  )
  expect(await html(guide)).toContain('<blockquote class="warning">')
  const [, rollback = ''] = /## Roll back[\s\S]+?```sh\n([\s\S]+?)\n```/.exec(content) ?? []
  const process = Bun.spawn(['sh', '-c', rollback], { env: { ...Bun.env, SIGNALBOX_TOKEN: ada.token }, stdout: 'pipe' })
  const { dispatches } = JSON.parse(await new Response(process.stdout).text())
  expect(await process.exited).toBe(0)
  const { payload } = (await ada.get(`/api/v1/dispatches/${dispatches[0].id}`)).body
  expect(JSON.parse(payload).data.target_version).toBe(hostile)
  // After a rollback, what was rolled back is not offered; without another version, the reader enters one.
  await ada.make(`/api/v1/dispatches/${dispatches[0].id}/report`, { state: 'succeeded', version: hostile })
  const after = (await generate(path, 'deployment_guide')).content
  expect(after).toContain('rolled back from v2')
  const [, entered = ''] = /read -r VERSION\n```\n\n```sh\n([\s\S]+?)\n```/.exec(after) ?? []
  const run = (VERSION: string) =>
    Bun.spawn(['sh', '-c', entered], {
      env: { ...Bun.env, SIGNALBOX_TOKEN: ada.token, VERSION },
      stdout: 'pipe',
      stderr: 'ignore',
    })
  expect(await run('').exited).not.toBe(0)
  const sent = JSON.parse(await new Response(run('v0').stdout).text())
  const rolledBack = (await ada.get(`/api/v1/dispatches/${sent.dispatches[0].id}`)).body.payload
  expect(JSON.parse(rolledBack).data.target_version).toBe('v0')
  await receiver.stop()
})

test('failures are grouped by cause, with what to do', async () => {
  const { path } = await newProject()
  const receiver = new Receiver()
  receiver.answer = () => new Response('no', { status: 401, headers: { 'X-Signalbox-Control': 'stop' } })
  const { id } = await ada.make(`${path}/deployment-hooks`, { name: 'Deploy', trigger_on: 'gate_approved', url: receiver.url })
  for (let number = 0; number < 3; number++) await ada.make(`/api/v1/deployment-hooks/${id}/trigger`, {}, { Prefer: 'wait=20' })
  await receiver.stop()
  const { content } = await generate(path, 'deployment_guide')
  expect(content).toMatch(
    /\| The receiver answered 401 \| 3 \| production \| \[Deploy\]\(<.+\/app\/dispatches\/.+>\) \| .+ \| Compare the secret/,
  )
  expect(content).toContain(`/api/v1/deployment-hooks/${id}/recover'`)
})

test('all failures are counted, with the first and the last', async () => {
  const { path, id: project_id } = await newProject()
  const receiver = new Receiver()
  receiver.answer = () => new Response('no', { status: 401, headers: { 'X-Signalbox-Control': 'stop' } })
  const { id } = await ada.make(`${path}/deployment-hooks`, {
    name: 'Deploy',
    trigger_on: 'gate_approved',
    url: receiver.url,
    report_within_seconds: 3600,
  })
  await ada.make(`/api/v1/deployment-hooks/${id}/trigger`, {}, { Prefer: 'wait=20' })
  receiver.answer = () => new Response('ok')
  const sent = await ada.make(`/api/v1/deployment-hooks/${id}/trigger`, {}, { Prefer: 'wait=20' })
  await ada.make(`/api/v1/dispatches/${sent.id}/report`, { state: 'failed', description: 'No space.' })
  await receiver.stop()
  await box.sql`
    insert into dispatches (
      organization_id, workspace_id, project_id, hook_id, event_id, event, environment, max_attempts, attempt_count, status,
      error, created_at, completed_at
    )
    select
      organization_id, workspace_id, project_id, hook_id, event_id, event, environment, max_attempts, 1, 'failed',
      '{"code": "timeout", "detail": "Slow."}', created_at - interval '3 days', completed_at
    from dispatches
    cross join generate_series(1, 1200)
    where hook_id = ${id}
      and status = 'failed'
  `
  const [{ names }] = await box.sql<[{ names: string }]>`
    select string_agg(quote_ident(column_name), ', ') as names
    from information_schema.columns
    where table_name = 'rollouts'
      and is_generated = 'NEVER'
      and column_name <> 'id'
  `
  await box.sql.unsafe(
    `insert into rollouts (id, ${names}) select uuidv7(), ${names} from rollouts, generate_series(1, 2100) where project_id = $1`,
    [project_id],
  )
  const { content } = await generate(path, 'deployment_guide')
  expect(content).toMatch(/\| Not delivered: timeout \| 1200 \| production \| .+ \| (\d{4}-.+ UTC) \| \1 \|/)
  expect(content).toMatch(/\| The receiver answered 401 \| 1 \|/)
  expect(content).toMatch(/\| Rollout failed: No space\. \| 2101 \| production \| /)
})

test('control characters and credentials in what receivers and agents say reach no document', async () => {
  const { path } = await newProject()
  const receiver = new Receiver()
  const { id } = await ada.make(`${path}/deployment-hooks`, {
    name: 'Deploy',
    trigger_on: 'gate_approved',
    url: receiver.url,
    report_within_seconds: 3600,
  })
  const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
  const { id: requirement } = await ada.make(`${path}/requirements`, { title: 'Pay' })
  await runOnce(requirement, 'fail', { error: `curl -H "Authorization: Bearer ${secret}" \u001b[31mfailed\u200f\u061c` })
  for (const description of [`authorization: Bearer first ${secret}`, 'authorization: Bearer second \u001b[1mfailed\u202e']) {
    const sent = await ada.make(`/api/v1/deployment-hooks/${id}/trigger`, {}, { Prefer: 'wait=20' })
    await ada.make(`/api/v1/dispatches/${sent.id}/report`, { state: 'failed', description })
  }
  await receiver.stop()
  for (const type of ['project_summary', 'deployment_guide']) {
    const document = await generate(path, type)
    for (const text of [document.content, await html(document.id)]) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be there.
      expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e]/)
      expect(text).not.toMatch(/ghp_|Bearer (?:first|second)/)
    }
    expect(document.content).toMatch(/Bearer (?:\\\*){8}/)
  }
})

test('bidirectional overrides in names are removed; Arabic and Thai names are kept', async () => {
  const { id: project_id, path } = await newProject({ description: 'a\u202bb' })
  const { id } = await ada.make(`${path}/requirements`, { title: 'Pay', acceptance_criteria: ['ชำระ\u2069เงิน'] })
  // Requests cannot store them.
  await box.sql`update projects set name = ${'متجر\u202e ร้านค้า\u2066'} where id = ${project_id}`
  await box.sql`update requirements set title = ${'الدفع\u202d (#9)'} where id = ${id}`
  await ada.put(`/api/v1/requirements/${id}`, { status: 'done' })
  for (const type of ['changelog', 'project_summary', 'deployment_guide', 'user_manual']) {
    const document = await generate(path, type)
    expect(document.content).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
    expect(document.content).toContain('متجر')
    expect(await html(document.id)).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
  }
})

test('the page has contents whose links lead to its headings; headings of equal names have anchors of their own', async () => {
  const { path } = await newProject()
  const guide = await html((await generate(path, 'deployment_guide')).id)
  expect(guide).toContain('href="#what-runs-where"')
  const operation = (tag: string) => ({ get: { tags: [tag], responses: { 200: { description: 'Good.' } } } })
  const paths = { '/a': operation('Deploy'), '/b': operation('deploy'), '/c': operation('DEPLOY') }
  const description = { openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths }
  expect((await ada.put(`${path}/api-description`, description)).status).toBe(200)
  const page = await html((await generate(path, 'api_docs')).id)
  const links = [...page.matchAll(/<li[^>]*><a href="#([^"]+)">/g)].map(([, anchor = '']) => decodeURIComponent(anchor))
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(links).toContain('deploy')
  expect(ids).toContain('deploy-2')
  expect(new Set(ids).size).toBe(ids.length)
  expect(links.filter((anchor) => !ids.includes(anchor))).toEqual([])
})
