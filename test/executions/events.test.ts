import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site
let requirement: { id: string }

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
  requirement = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Pay by invoice' })
})
afterAll(() => box.close())

const queue = (input: object = {}, of = requirement.id) =>
  ada.make(`/api/v1/requirements/${of}/executions`, { agent: 'claude-code', ...input })
const act = (id: string, action: string, body?: object) => ada.post(`/api/v1/executions/${id}/${action}`, body)
const events = async (project_id: string) =>
  (await box.sql<{ name: string }[]>`select name from outbox where project_id = ${project_id} order by id`).map(
    ({ name }) => name,
  )

describe('Events', () => {
  test('are raised once per transition, in order, with the execution as in the API without artifacts', async () => {
    const place = await box.site(ada, 'Events')
    const { id } = await box.running(ada, place.project.id)
    const { body } = await act(id, 'complete', { artifacts: [{ name: 'x', content: 'y' }] })
    expect(await events(place.project.id)).toEqual(['execution.started', 'execution.completed', 'workflow.completed'])
    const [event] = await box.sql`select * from outbox where project_id = ${place.project.id} and name = 'execution.completed'`
    const { artifacts: _, ...shown } = body
    expect(event).toMatchObject({
      organization_id: place.organization.id,
      workspace_id: place.workspace.id,
      data: { execution: shown },
    })
    expect(event?.data.execution).not.toHaveProperty('artifacts')
  })

  test('and audit entries are committed with the change, or none of them', async () => {
    const place = await box.site(ada, 'All Or Nothing')
    const { id } = await box.running(ada, place.project.id)
    await box.sql`create function refuse_event() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`
    await box.sql.unsafe(`
      create trigger refuse_event before insert on outbox for each row
        when (new.name = 'execution.cancelled' and new.project_id = '${place.project.id}') execute function refuse_event()
    `)
    expect((await act(id, 'cancel')).status).toBe(500)
    expect((await ada.get(`/api/v1/executions/${id}`)).body.status).toBe('running')
    const entries = () => box.sql`select action from audit_log_entries where resource_id = ${id} order by id`
    expect((await entries()).map(({ action }) => action)).toEqual(['execution.created', 'execution.started'])
    await box.sql`drop trigger refuse_event on outbox`
    expect((await act(id, 'cancel')).status).toBe(200)
    expect((await entries()).map(({ action }) => action)).toEqual([
      'execution.created',
      'execution.started',
      'execution.cancelled',
    ])
    expect(await events(place.project.id)).toEqual(['execution.started', 'execution.cancelled'])
  })

  test('twenty concurrent starts succeed once, with one event', async () => {
    const place = await box.site(ada, 'Twenty')
    const made = await ada.make(`/api/v1/projects/${place.project.id}/requirements`, { title: 'Once' })
    const { id } = await queue({}, made.id)
    const answers = await Promise.all(Array.from({ length: 20 }, () => act(id, 'start')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
    expect(await events(place.project.id)).toEqual(['execution.started'])
  })
})
