/** What an open page costs with thousands of pending gates. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { memberWorkspaces, waitingGates } from '../../api/overview/overview.ts'
import { Committee } from './committee.ts'

let committee: Committee

beforeAll(async () => {
  committee = await Committee.meet({ workers: 0 })
})
afterAll(() => committee.close())

interface PlanNode {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: PlanNode[]
}

/** How many gates a plan has read. */
const gatesRead = ({ Plans = [], ...node }: PlanNode): number =>
  (node['Relation Name'] === 'gates' ? node['Actual Rows'] * node['Actual Loops'] : 0) +
  Plans.reduce((sum, plan) => sum + gatesRead(plan), 0)

test('the start page reads the gates that it shows, whatever number waits', async () => {
  const { box, site, ada } = committee
  await box.sql`
    insert into gates (organization_id, workspace_id, project_id, name, status, created_by)
    select ${site.organization.id}, ${site.workspace.id}, ${site.project.id}, 'Review', 'pending', ${ada.id}
    from generate_series(1, 10000)
  `
  await box.sql`analyze gates`
  const [explained] = await box.sql<{ 'QUERY PLAN': { Plan: PlanNode }[] }[]>`
    explain (analyze, format json)
    select count(*)
    from ${memberWorkspaces}
    cross join ${waitingGates}
    where member.user_id = ${ada.id}
  `
  expect(explained?.['QUERY PLAN'].map(({ Plan }) => gatesRead(Plan))).toEqual([51])
})
