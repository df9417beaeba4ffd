/** What a decision costs in statements: it holds locks that the next decision on the execution waits for. */
import { expect, test } from 'bun:test'
import { recordStatements } from '../support/recording-proxy.ts'
import { freshDatabase } from '../support/server.ts'
import { signalbox } from '../support/signalbox.ts'

const GATE = /\bfrom gates where gates\.id = /

test('an approval that decides sends at most ten statements in its transaction, and reads the gate once', async () => {
  await using recording = await recordStatements(await freshDatabase())
  const box = await signalbox({ workers: 0, url: recording.url })
  try {
    const [ada, grace] = [await box.user('Ada'), await box.user('Grace')]
    const site = await box.site(ada)
    await box.join(grace, site, 'admin')
    const { project, organization } = site
    const group = await ada.make(`/api/v1/organizations/${organization.id}/groups`, { name: 'Security' })
    for (const { id } of [ada, grace]) await ada.put(`/api/v1/groups/${group.id}/members/${id}`)
    const policy = { approvers: [{ group_id: group.id, count: 2 }], prevent_self_approval: false }
    await ada.put(`/api/v1/projects/${project.id}/environments/production/policy`, policy)
    const requirement = await ada.make(`/api/v1/projects/${project.id}/requirements`, { title: 'Pay by invoice' })
    const execution = await ada.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'codex', start: true })
    const gate = await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release', environment: 'production' })
    await ada.make(`/api/v1/gates/${gate.id}/approve`)
    // Once a minute, a request notes outside of its transaction that the session was used.
    await grace.get('/api/v1/users/me')

    const before = recording.statements.length
    const { body } = await grace.post(`/api/v1/gates/${gate.id}/approve`)
    expect(body.status).toBe('approved')
    const sent = recording.statements.slice(before).map(({ text }) => text.replaceAll(/\s+/g, ' ').trim())
    const begun = sent.findIndex((text) => /^begin\b/i.test(text))
    const committed = sent.findIndex((text) => /^commit\b/i.test(text))
    const within = sent.slice(begun + 1, committed)
    expect(within.length, within.join('\n')).toBeLessThanOrEqual(10)
    expect(within.filter((text) => GATE.test(text) && text.startsWith('select gates.id,')).length).toBe(1)
  } finally {
    await box.close()
  }
})
