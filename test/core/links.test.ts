import { describe, expect, test } from 'bun:test'
import { ALL_EVENTS, eventUrl } from '../../core/events/catalogue.ts'
import { config } from '../../core/platform/config.ts'
import { notificationUrl } from '../../core/tenants/links.ts'
import { EVENT_PAGES, PAGE_PATH } from '../support/event-pages.ts'

const NAMES = Object.keys(ALL_EVENTS) as (keyof typeof ALL_EVENTS)[]

const id = (): string => crypto.randomUUID()
const scope = {
  organization: { id: id(), name: 'Acme' },
  workspace: { id: id(), name: 'Platform' },
  project: { id: id(), name: 'Checkout' },
}
const organizationOnly = { ...scope, workspace: null, project: null }

/** Events of the whole organization. */
const isOfOrganization = (name: string): boolean => /^(member|runtime)\./.test(name)

/** `data` with an id for each of its keys. */
const dataOf = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, { id: id() }]))

describe.each(NAMES)('%s', (name) => {
  const place = isOfOrganization(name) ? organizationOnly : scope

  test('leads to its page', () => {
    const data = dataOf(Object.keys(ALL_EVENTS[name].data))
    const url = eventUrl({ name, data }, place) ?? ''
    const envelope = { id: id(), event: name, created_at: '', url, ...place, data }
    expect(url).toBe(`${config.PUBLIC_URL}${EVENT_PAGES[name]?.(data, envelope)}`)
    expect(new URL(url).pathname).toMatch(PAGE_PATH)
  })

  test('leads to no page if what it is about has no id, and never to another path', () => {
    const hasOwnPage = !/^(workflow|member|budget|runtime|environment)\.|\.rollback$/.test(name)
    for (const bad of [undefined, null, 7, '', '../../sign-out', `${id()}/../..`, 'javascript:alert(1)']) {
      const data = Object.fromEntries(Object.keys(ALL_EVENTS[name].data).map((key) => [key, { id: bad }]))
      const url = eventUrl({ name, data }, place)
      if (hasOwnPage) expect(url).toBeNull()
      else expect(new URL(url ?? '').pathname).toMatch(PAGE_PATH)
    }
    expect(eventUrl({ name, data: {} }, place) === null).toBe(hasOwnPage)
  })
})

test('the table of pages has every event of the catalogue', () => {
  expect(Object.keys(EVENT_PAGES).sort()).toEqual([...NAMES].sort())
})

test('events of a project lead to no page without one', () => {
  for (const name of ['workflow.completed', 'deployment.rollback']) {
    expect(eventUrl({ name, data: {} }, { ...scope, project: null })).toBeNull()
  }
})

test('budgets lead to the workspace or the organization that they are of', () => {
  const paths = [scope, organizationOnly].map((place) => eventUrl({ name: 'budget.alert', data: {} }, place))
  expect(paths).toEqual([
    `${config.PUBLIC_URL}/app/workspaces/${scope.workspace.id}`,
    `${config.PUBLIC_URL}/app/organizations/${scope.organization.id}`,
  ])
})

test('an event that is not known leads to its workspace', () => {
  expect(eventUrl({ name: 'new.event', data: {} }, scope)).toBe(`${config.PUBLIC_URL}/app/workspaces/${scope.workspace.id}`)
})

test('notifications lead to the page of what they are about', () => {
  const place = { organization_id: id(), workspace_id: id(), project_id: null }
  const resource_id = id()
  const pathOf = (resource_type: string) => notificationUrl({ ...place, resource_type, resource_id })
  expect(pathOf('gate')).toBe(`${config.PUBLIC_URL}/app/gates/${resource_id}`)
  expect(pathOf('execution')).toBe(`${config.PUBLIC_URL}/app/executions/${resource_id}`)
  expect(pathOf('workspace')).toBe(`${config.PUBLIC_URL}/app/workspaces/${resource_id}`)
  expect(pathOf('organization')).toBe(`${config.PUBLIC_URL}/app/organizations/${resource_id}`)
  expect(pathOf('organization_member')).toBe(`${config.PUBLIC_URL}/app/organizations/${place.organization_id}`)
  expect(pathOf('invitation')).toBe(`${config.PUBLIC_URL}/app`)
})
