import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Nothing, Page } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { preferWait } from '../plugins/prefer-wait.ts'
import {
  cancelComparison,
  createComparison,
  decideComparison,
  deleteComparison,
  getComparison,
  listComparisons,
  settledComparison,
  startComparing,
} from './comparisons.ts'
import { Comparison, ComparisonInput, ComparisonQuery, Decision } from './schema.ts'

const tag = 'Dual-track comparisons'

export const dualTrack = new Elysia({ name: 'dual-track', prefix: '/api/v1' })
  .use(access)
  .get('/projects/:project_id/dual-track', ({ project, query }) => listComparisons(sql, project, query), {
    project: 'member',
    ...operation({
      tag,
      id: 'listComparisons',
      summary: 'The comparisons of a project',
      description: 'Newest first.',
      query: ComparisonQuery,
      responses: { 200: Page(Comparison) },
    }),
  })
  .post(
    '/projects/:project_id/dual-track',
    ({ caller, project, change, body }) =>
      change(
        201,
        (tx) => createComparison(tx, caller, project, body),
        ({ id }) => `/api/v1/dual-track/${id}`,
      ),
    {
      project: 'member',
      ...operation({
        tag,
        id: 'createComparison',
        summary: 'Create a comparison of two tracks',
        description:
          'A track is all executions of the requirement `work_item_id` that share a `graph_id`. Nothing is compared yet. The two agents may be the same.',
        body: ComparisonInput,
        responses: { 201: Comparison },
      }),
    },
  )
  .get('/dual-track/:comparison_id', ({ comparison }) => getComparison(sql, comparison), {
    comparison: 'member',
    ...operation({ tag, id: 'getComparison', summary: 'A comparison', responses: { 200: Comparison } }),
  })
  .delete(
    '/dual-track/:comparison_id',
    ({ request, caller, comparison, change }) => change(204, (tx) => deleteComparison(tx, caller, comparison, request)),
    {
      comparison: 'admin',
      ...operation({
        tag,
        id: 'deleteComparison',
        summary: 'Delete a comparison',
        description: 'In every state.',
        responses: { 204: null },
      }),
    },
  )
  .post(
    '/dual-track/:comparison_id/compare',
    async ({ request, caller, comparison, change }) => {
      const pending = await change(
        202,
        (tx) => startComparing(tx, caller, comparison),
        ({ id }) => `/api/v1/dual-track/${id}`,
      )
      return preferWait(request, pending, () => settledComparison(sql, comparison))
    },
    {
      comparison: 'member',
      ...operation({
        tag,
        id: 'compareTracks',
        summary: 'Compare the two tracks',
        description: `\`created\`, \`compared\` or \`failed\` → \`comparing\`; the worker then makes it \`compared\` or \`failed\`, and an earlier \`result\` is gone. With \`Prefer: wait=20\` the answer is the outcome. Tracks that are unfinished may be compared; they are read as they are in one instant.

What a track is: cost and duration of its executions add up; the metrics are those of the execution that was last completed or failed; retries are what it reports plus the number of executions − 1; the gates are those of all, without those that were cancelled; it is completed when its newest execution that was not cancelled is.

**Metrics judge.** First by evidence: completed over not, then all gates approved over not, then all tests passing over not (gates and tests only where both tracks have some); \`confidence\` is then 1. Else by weights: \`tests_pass_rate\` .40, \`gate_approval_rate\` .25, \`cost\` .15, \`duration\` .10, \`retries\` .05, \`change_size\` .05. Where higher is better the figure is the score, where lower is better it is min(a, b) / x. A criterion without a figure on either side is dropped, and the weights are rescaled; \`coverage\` is the weight kept. A difference under 0.05 is a tie, and so is a coverage under 0.5.

**Model judge**, where the operator has set one: it sees the tracks in both orders, without the names of the agents, and where the two answers disagree it is a tie. Its cost is charged to the budget. Where it fails, or the budget is exhausted, the metrics judge decides and \`judge.fallback_reason\` says why; an operator may let it fail instead.

The recommendation never sets \`winner\`.`,
        body: Nothing,
        responses: { 200: Comparison, 202: Comparison },
        errors: ['invalid_transition'],
      }),
    },
  )
  .post(
    '/dual-track/:comparison_id/decide',
    ({ caller, comparison, change, body }) => change(200, (tx) => decideComparison(tx, caller, comparison, body.winner)),
    {
      comparison: 'member',
      ...operation({
        tag,
        id: 'decideComparison',
        summary: 'Decide which track wins',
        description:
          '`created`, `compared` or `failed` → `decided`: a person may judge without the comparison. It cannot be changed afterwards.',
        body: Decision,
        responses: { 200: Comparison },
        errors: ['invalid_transition'],
      }),
    },
  )
  .post(
    '/dual-track/:comparison_id/cancel',
    ({ caller, comparison, change }) => change(200, (tx) => cancelComparison(tx, caller, comparison)),
    {
      comparison: 'member',
      ...operation({
        tag,
        id: 'cancelComparison',
        summary: 'Cancel a comparison',
        description:
          'Whatever is neither decided nor cancelled becomes `cancelled`. The outcome of a comparison under way is dropped; what the model has cost stays charged.',
        body: Nothing,
        responses: { 200: Comparison },
        errors: ['invalid_transition'],
      }),
    },
  )
