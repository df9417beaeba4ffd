import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Work } from './work.ts'

let work: Work

beforeAll(async () => {
  work = await Work.begin()
})
afterAll(() => work.box.close())

describe('Events', () => {
  test('are raised once per transition, in order, with the execution as in the API without artifacts', async () => {
    const place = await work.box.site(work.ada, 'Events')
    const { id } = await work.box.running(work.ada, place.project.id)
    const { body } = await work.act(id, 'complete', { artifacts: [{ name: 'x', content: 'y' }] })
    expect(await work.events(place.project.id)).toEqual(['execution.started', 'execution.completed', 'workflow.completed'])
    const [event] = await work.box
      .sql`select * from outbox where project_id = ${place.project.id} and name = 'execution.completed'`
    const { artifacts: _, ...shown } = body
    expect(event).toMatchObject({
      organization_id: place.organization.id,
      workspace_id: place.workspace.id,
      data: { execution: shown },
    })
    expect(event?.data.execution).not.toHaveProperty('artifacts')
  })

  test('and audit entries are committed with the change, or none of them', async () => {
    const place = await work.box.site(work.ada, 'All Or Nothing')
    const { id } = await work.box.running(work.ada, place.project.id)
    await work.box.sql`create function refuse_event() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`
    await work.box.sql.unsafe(`
      create trigger refuse_event before insert on outbox for each row
        when (new.name = 'execution.cancelled' and new.project_id = '${place.project.id}') execute function refuse_event()
    `)
    expect((await work.act(id, 'cancel')).status).toBe(500)
    expect((await work.ada.get(`/api/v1/executions/${id}`)).body.status).toBe('running')
    const entries = () => work.box.sql`select action from audit_log_entries where resource_id = ${id} order by id`
    expect((await entries()).map(({ action }) => action)).toEqual(['execution.created', 'execution.started'])
    await work.box.sql`drop trigger refuse_event on outbox`
    expect((await work.act(id, 'cancel')).status).toBe(200)
    expect((await entries()).map(({ action }) => action)).toEqual([
      'execution.created',
      'execution.started',
      'execution.cancelled',
    ])
    expect(await work.events(place.project.id)).toEqual(['execution.started', 'execution.cancelled'])
  })

  test('twenty concurrent starts succeed once, with one event', async () => {
    const place = await work.box.site(work.ada, 'Twenty')
    const made = await work.ada.make(`/api/v1/projects/${place.project.id}/requirements`, { title: 'Once' })
    const { id } = await work.queue({}, made.id)
    const answers = await Promise.all(Array.from({ length: 20 }, () => work.act(id, 'start')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
    expect(await work.events(place.project.id)).toEqual(['execution.started'])
  })
})
