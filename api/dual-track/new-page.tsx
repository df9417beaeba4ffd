/** Starts a comparison: which two of the tracks of a requirement. */
import { sql } from '../../core/platform/database.ts'
import { Shape } from '../../core/values/schema.ts'
import { Form, Select, Submit } from '../pages/components/forms.tsx'
import { type Column, Empty, Table } from '../pages/components/structure.tsx'
import { Time } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { invalidField } from '../problems.ts'
import { tabCrumb } from '../projects/tabs.tsx'
import { getRequirement } from '../requirements/requirements.ts'
import { ComparisonInput, createComparison } from './comparisons.ts'
import { listTracks, MAX_TRACKS, type Track } from './context.ts'

const nameOf = ({ agent, graph_id }: Track): string => `${agent}, ${graph_id.slice(-6)}`

const columns: Column<Track>[] = [
  { head: 'Track', main: true, cell: nameOf },
  { head: 'Executions', numeric: true, cell: ({ execution_count }) => execution_count },
  { head: 'Newest', cell: ({ newest_at }) => <Time at={newest_at} /> },
]

const pathOf = ({ id }: { id: string }): string => `/app/requirements/${id}/comparisons/new`

function TracksForm({ action: path, tracks }: { action: string; tracks: Track[] }) {
  const options = tracks.map((track): [string, string] => [track.graph_id, nameOf(track)])
  return (
    <Form card action={path}>
      <Select name="track_a_graph_id" label="Track a" required options={options} value={options[0]?.[0]} />
      <Select name="track_b_graph_id" label="Track b" required options={options} value={options[1]?.[0]} />
      <Submit>Start the comparison</Submit>
      <p class="hint">Nothing is compared yet: the next page does that, and lets you choose the better one.</p>
    </Form>
  )
}

const newPage = page('/app/requirements/:requirement_id/comparisons/new', { requirement: 'member' }, async ({ requirement }) => {
  const [{ id, number, title }, tracks] = await Promise.all([getRequirement(sql, requirement), listTracks(sql, requirement)])
  return {
    title: 'Compare two tracks',
    crumbs: [tabCrumb(requirement.project_id, 'requirements'), { href: `/app/requirements/${id}`, text: `#${number} ${title}` }],
    main: (
      <>
        <p>A track is all that agents did for this requirement in one run of a workflow: executions with the same graph.</p>
        {tracks.length < 2 ? (
          <Empty>
            There is nothing to compare yet. Have two agents work on the requirement; each{' '}
            <a href={`/app/requirements/${id}`}>execution</a> that you queue is a track of its own.
          </Empty>
        ) : (
          <>
            <TracksForm action={pathOf(requirement)} tracks={tracks} />
            <section>
              <Table label="Tracks" columns={columns} rows={tracks} />
              {tracks.length === MAX_TRACKS && <p class="hint">The newest {MAX_TRACKS} are shown.</p>}
            </section>
          </>
        )}
      </>
    ),
  }
})

const { track_a_graph_id, track_b_graph_id } = ComparisonInput.properties

const create = actionOn(
  newPage,
  '',
  { requirement: 'member' },
  Shape({ track_a_graph_id, track_b_graph_id }),
  async ({ caller, requirement, change }, chosen) => {
    const tracks = await listTracks(sql, requirement)
    const agentOf = (field: keyof typeof chosen): string => {
      const track = tracks.find(({ graph_id }) => graph_id === chosen[field])
      if (!track) throw invalidField(`/${field}`, 'unknown', 'is no track of this requirement any more')
      return track.agent
    }
    const agents = { track_a_agent: agentOf('track_a_graph_id'), track_b_agent: agentOf('track_b_graph_id') }
    const project = { ...requirement, kind: 'project' as const, id: requirement.project_id }
    const input = { work_item_id: requirement.id, ...chosen, ...agents }
    const { id } = await change((tx) => createComparison(tx, caller, project, input))
    return { to: `/app/dual-track/${id}`, notice: 'The comparison was started.' }
  },
)

export const newComparisonPages = pageRoutes('new-comparison-pages', newPage, create)
