import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Receiver } from '../support/receiver.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 1 })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

/** A project, and what happens in it. */
async function projectWith(version_scheme: string) {
  const { id } = await ada.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: version_scheme, version_scheme })
  const path = `/api/v1/projects/${id}`
  const changelog = async (requirement_id?: string) => {
    const input = { deliverable_type: 'changelog', ...(requirement_id && { requirement_id }) }
    return (await ada.post(`${path}/deliverables/generate`, input, { Prefer: 'wait=20' })).body
  }
  return {
    path,
    changelog,
    async finish(title: string, kind: string, description?: string) {
      const requirement = await ada.make(`${path}/requirements`, { title, kind, description })
      await ada.put(`/api/v1/requirements/${requirement.id}`, { status: 'done' })
      return requirement
    },
    async publish() {
      const { id } = await changelog()
      await ada.make(`/api/v1/deliverables/${id}/publish`)
      return id
    },
    async headings() {
      return [...(await changelog()).content.matchAll(/^## (Unreleased|.+ - \d{4}.*)$/gm)].map(([, heading = '']) => heading)
    },
  }
}

const today = (): string => new Date().toISOString().slice(0, 10)

test('releases are numbered by default', async () => {
  const project = await projectWith('numbered')
  for (const title of ['First', 'Second']) {
    await project.finish(title, 'feature')
    await project.publish()
  }
  const headings = await project.headings()
  expect(headings).toEqual(['Unreleased', `2 - ${today()}`, `1 - ${today()}`])
})

test('calendar versions have the date, and a number from the second of a day on', async () => {
  const project = await projectWith('calver')
  const ids = []
  for (const title of ['First', 'Second', 'Third']) {
    await project.finish(title, 'fix')
    ids.push(await project.publish())
  }
  await box.sql`update deliverables set published_at = '2026-03-05T10:00:00Z' where id = any(${ids.slice(0, 2)})`
  await box.sql`update deliverables set published_at = '2026-03-06T10:00:00Z' where id = ${ids[2] ?? ''}`
  const headings = await project.headings()
  expect(headings.slice(1)).toEqual(['2026.03.06 - 2026-03-06', '2026.03.05.2 - 2026-03-05', '2026.03.05 - 2026-03-05'])
})

test('semantic versions start at 0.1.0; before 1.0.0, a removal raises the second number', async () => {
  const project = await projectWith('semver')
  for (const kind of ['feature', 'fix', 'change', 'removal', 'security', 'deprecation', 'chore']) {
    await project.finish(kind, kind)
    await project.publish()
  }
  const names = (await project.headings()).slice(1).map((heading) => heading.split(' ')[0])
  expect(names.reverse()).toEqual(['0.1.0', '0.1.1', '0.2.0', '0.3.0', '0.3.1', '0.4.0', '0.4.1'])
})

/** Triggers a hook of the project, whose receiver reports a version. */
async function rollOut(path: string, version: string, environment = 'production', event: 'trigger' | 'rollback' = 'trigger') {
  const receiver = new Receiver()
  const hook = { name: 'Deploy', environment, trigger_on: 'gate_approved', url: receiver.url, report_within_seconds: 3600 }
  const { id } = await ada.make(`${path}/deployment-hooks`, hook)
  const dispatch =
    event === 'trigger'
      ? await ada.make(`/api/v1/deployment-hooks/${id}/trigger`, {}, { Prefer: 'wait=20' })
      : (await ada.make(`${path}/deployment-rollback`, { target_version: version }, { Prefer: 'wait=20' })).dispatches[0]
  await ada.make(`/api/v1/dispatches/${dispatch.id}/report`, { state: 'succeeded', version })
  await ada.delete(`/api/v1/deployment-hooks/${id}`)
  await receiver.stop()
}

describe('A version that a rollout reported', () => {
  test('is in the heading of its release, published before or after', async () => {
    const project = await projectWith('numbered')
    await project.finish('First', 'feature')
    await rollOut(project.path, 'v1.4.0')
    expect((await project.changelog()).content).toContain('## Unreleased\n\nNot in a release yet. Last rolled out as v1.4.0.')
    await project.publish()
    await project.finish('Second', 'feature')
    await project.publish()
    await rollOut(project.path, 'build-7', 'staging')
    expect(await project.headings()).toEqual([
      'Unreleased',
      `2 - ${today()} (deployed as build-7)`,
      `1 - ${today()} (deployed as v1.4.0)`,
    ])
    await rollOut(project.path, 'v1.5.0')
    await rollOut(project.path, 'build-8', 'staging')
    await rollOut(project.path, 'v1.4.0', 'production', 'rollback')
    expect((await project.headings())[1]).toBe(`2 - ${today()} (deployed as v1.5.0)`)
  })

  test('is the name of a semantic release, from which the next ones count', async () => {
    const project = await projectWith('semver')
    await project.finish('First', 'feature')
    await rollOut(project.path, 'v1.4.2')
    await project.publish()
    for (const kind of ['fix', 'feature', 'removal']) {
      await project.finish(kind, kind)
      await project.publish()
    }
    const names = (await project.headings()).slice(1).map((heading) => heading.split(' ')[0])
    expect(names.reverse()).toEqual(['v1.4.2', 'v1.4.3', 'v1.5.0', 'v2.0.0'])
  })

  test('stays the name of a published release, whatever becomes of what it follows from', async () => {
    const project = await projectWith('semver')
    await project.finish('First', 'fix')
    await rollOut(project.path, 'v1.4.2')
    const first = await project.publish()
    const second = await project.finish('Second', 'fix')
    await project.publish()
    await box.settled()
    const { updated_at } = (await ada.get(`/api/v1/deliverables/${first}`)).body
    await ada.put(`/api/v1/requirements/${second.id}`, { kind: 'removal' })
    // As retention does.
    await box.sql`delete from rollouts where organization_id = ${site.organization.id}`
    expect((await project.headings()).slice(1)).toEqual([`v1.4.3 - ${today()}`, `v1.4.2 - ${today()}`])
    await ada.delete(`/api/v1/requirements/${second.id}`)
    await ada.delete(`/api/v1/deliverables/${first}`)
    await project.finish('Third', 'fix')
    const third = await project.publish()
    expect((await project.headings()).slice(1)).toEqual([`v1.4.4 - ${today()}`, `v1.4.3 - ${today()}`])
    expect(updated_at <= (await ada.get(`/api/v1/deliverables/${third}`)).body.published_at).toBe(true)
    await ada.put(project.path, { version_scheme: 'numbered' })
    await project.finish('Fourth', 'fix')
    await project.publish()
    expect((await project.headings()).slice(1)).toEqual([`3 - ${today()}`, `v1.4.4 - ${today()}`, `v1.4.3 - ${today()}`])
  })

  test('does not change the name of a semantic release that is published, be it older or newer', async () => {
    const project = await projectWith('semver')
    await project.finish('First', 'feature')
    await rollOut(project.path, 'v1.4.2')
    await project.publish()
    await project.finish('Second', 'fix')
    await project.publish()
    const before = await project.headings()
    expect(before).toEqual(['Unreleased', `v1.4.3 - ${today()}`, `v1.4.2 - ${today()}`])
    await rollOut(project.path, 'v1.4.2')
    expect((await project.headings())[1]).toBe(`v1.4.3 - ${today()} (deployed as v1.4.2)`)
    await rollOut(project.path, 'v1.6.0')
    expect((await project.headings())[1]).toBe(`v1.4.3 - ${today()} (deployed as v1.6.0)`)
    // The next one comes after all of them, also if the older version is reported again before it is published.
    await project.finish('Third', 'fix')
    await rollOut(project.path, 'v1.4.2')
    await project.publish()
    expect((await project.headings()).slice(1)).toEqual([
      `v1.6.1 - ${today()} (deployed as v1.4.2)`,
      `v1.4.3 - ${today()} (deployed as v1.6.0)`,
      `v1.4.2 - ${today()}`,
    ])
  })
})

test.each(['numbered', 'calver', 'semver'])(
  'a release keeps its name if an older draft is published later: %s',
  async (scheme) => {
    const project = await projectWith(scheme)
    await project.finish('First', 'feature')
    const older = await project.changelog()
    await project.finish('Second', 'feature')
    await project.publish()
    const [, before = ''] = await project.headings()
    await ada.make(`/api/v1/deliverables/${older.id}/publish`)
    const after = (await project.headings()).slice(1)
    expect(after).toHaveLength(2)
    expect(after[0]).toBe(before)
    expect(after[1]).not.toBe(before)
  },
)

test('about one requirement, the release has the name that it has for the project', async () => {
  const project = await projectWith('semver')
  await project.finish('First', 'feature')
  await project.publish()
  const { id } = await project.finish('Second', 'change')
  await project.publish()
  const { content, title } = await project.changelog(id)
  expect(content).toContain(`## 0.2.0 - ${today()}\n\n### Changed\n\n- Second`)
  expect(content).not.toContain('0.1.0')
  expect(content).toStartWith('# Changelog (\\#2 Second)\n\nLimited to one requirement: [\\#2](<')
  expect(title).toBe('semver: changelog (#2 Second)')
})

test('a deprecation says what to do and until when; source.missing names one that does not', async () => {
  const project = await projectWith('numbered')
  await project.finish('Old basket', 'deprecation', 'Use the new basket. The old one works until 31 March 2027.')
  await project.finish('Old search', 'deprecation', 'Use the new search.')
  await project.finish('Old help', 'deprecation')
  const { content, source } = await project.changelog()
  expect(content).toMatch(
    /- \*\*Old basket\*\* is deprecated \(.+\): Use the new basket\. The old one works until \*\*31 March 2027\*\*\.\n/,
  )
  expect(content).toMatch(/- \*\*Old search\*\* is deprecated \(.+\): Use the new search\.\n/)
  expect(content.split('31 March 2027')).toHaveLength(2)
  expect(source.missing).toEqual([
    'The deprecation #3 has no description: say what to do instead, and until when.',
    'The deprecation #2 does not say until when: name a date in the description, such as "until 2027-01-31".',
  ])
  // Customers read it: what its authors could do better is shown to them alone.
  expect(content.trimEnd().split('\n').at(-1)).toBe(
    '*Parts of this document are short or missing, because its sources say no more about them.*',
  )
  expect(content).not.toContain('has no description')
})

test('contributors are the agents and people of what is listed', async () => {
  const project = await projectWith('numbered')
  const { id } = await ada.make(`${project.path}/requirements`, { title: 'Pay' })
  const execution = await ada.make(`/api/v1/requirements/${id}/executions`, { agent: 'codex' })
  for (const action of ['start', 'complete']) await ada.make(`/api/v1/executions/${execution.id}/${action}`)
  await ada.put(`/api/v1/requirements/${id}`, { status: 'done' })
  expect((await project.changelog()).content).toContain(
    '## Contributors\n\n- Agents: codex (1 change)\n- People: Ada (1 change)\n',
  )
})
