/** The track of a project in the API: what its page shows, in a size that fits one answer. */
import { Instant, Nullable, OneOf, Shape, type Static, Type, Uuid } from '../../core/values/schema.ts'
import type { Queryable } from '../../sql/index.ts'
import { Environment } from '../environments/schema.ts'
import { readTrack, type TrackPlace } from '../environments/track.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { getProjectContents } from './contents.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [1] })

const Work = Shape('ProjectWork', {
  running: count('Executions that run.'),
  awaiting_gate: count('Executions that wait for a gate.'),
  executions: Type.Array(
    Shape({
      id: Uuid,
      agent: Type.String({ examples: ['claude-code'] }),
      status: OneOf(['running', 'awaiting_gate']),
      requirement: Shape({
        id: Uuid,
        number: Type.Integer({ examples: [12] }),
        title: Type.String({ examples: ['Pay by invoice'] }),
      }),
      started_at: Nullable(Instant),
    }),
    { description: 'The newest of them, at most 5.' },
  ),
})

const TrackGate = Shape('TrackGate', {
  id: Uuid,
  name: Type.String({ examples: ['Promote to production'] }),
  approvals: count('How many approvals count now.'),
  required_approvals: count('How many it takes.'),
  waits_for_you: Type.Boolean({ description: 'Whether the caller may approve it, and has not.', examples: [true] }),
  created_at: Instant,
})

const { environment, current, latest, candidate } = Environment.properties

const TrackEnvironment = Shape('TrackEnvironment', {
  environment,
  current,
  latest,
  candidate,
  gates: Type.Array(TrackGate, { description: 'Pending gates for it, oldest first, at most 5.' }),
  gates_count: count('How many are pending.'),
  held_until: Nullable(
    Type.Unsafe<string>({
      ...Instant,
      description: 'Until when a freeze, or the soak of what was approved, holds deployments back.',
    }),
  ),
  freeze: Nullable(
    Shape({
      until: Type.Unsafe<string>({ ...Instant, description: 'When no freeze holds any more.' }),
      names: Type.Array(Type.String({ examples: ['Weekend'] }), { description: 'Those that hold now.' }),
    }),
  ),
})

export const ProjectTrack = Shape('ProjectTrack', {
  work: Work,
  environments: Type.Array(TrackEnvironment, {
    description: 'By chain, then by name; production last. At most 30, and as many as fit in 64 KiB.',
  }),
})
export type ProjectTrack = Static<typeof ProjectTrack>

const MAX_EXECUTIONS = 5
/** In bytes. */
const MAX_SIZE = 65_536

type Shown = ProjectTrack['environments'][number]

const shownPlace = ({ environment, current, latest, candidate, gates, gates_count, held_until, freeze }: TrackPlace): Shown => ({
  environment,
  current,
  latest,
  candidate,
  gates: gates.map(({ waits_for_reader, ...gate }) => ({ ...gate, waits_for_you: waits_for_reader })),
  gates_count,
  held_until,
  freeze,
})

const isTooLarge = (track: ProjectTrack): boolean => Buffer.byteLength(JSON.stringify(track)) > MAX_SIZE

/** Leaves out gates, and then the last environments, until the answer is small enough. Names and addresses can be long. */
function fitting(track: ProjectTrack): ProjectTrack {
  const fits = { ...track, environments: track.environments.map((each) => ({ ...each })) }
  for (let most = 4; most >= 0 && isTooLarge(fits); most--)
    for (const place of fits.environments) place.gates = place.gates.slice(0, most)
  while (isTooLarge(fits) && fits.environments.length > 0) fits.environments.pop()
  return fits
}

/** The track of a project for a reader. @throws Problem `not_found` */
export async function getTrack(
  db: Queryable,
  project: ResourceKey<'project'>,
  reader: Pick<SignedIn, 'id'>,
): Promise<ProjectTrack> {
  const [{ work, unfinished }, { places }] = await Promise.all([getProjectContents(db, project), readTrack(db, project, reader)])
  const { running = 0, awaiting_gate = 0 } = work
  const executions = unfinished
    .flatMap(({ id, agent, status, requirement, started_at }) =>
      status === 'running' || status === 'awaiting_gate' ? { id, agent, status, requirement, started_at } : [],
    )
    .slice(0, MAX_EXECUTIONS)
  return fitting({ work: { running, awaiting_gate, executions }, environments: places.map(shownPlace) })
}
