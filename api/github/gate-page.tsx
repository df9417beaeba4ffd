/** The action on the page of a gate that sends its answer to GitHub again. */
import { Nothing } from '../../core/values/schema.ts'
import { gatePage } from '../gates/page.tsx'
import { actionOn, pageRoutes } from '../pages/page.tsx'
import { answerGate } from './answers.ts'

const answer = actionOn(gatePage, '/github-answer', { gate: 'admin' }, Nothing, async ({ gate, change }) => {
  await change((tx) => answerGate(tx, gate))
  return { notice: 'GitHub gets the answer again.' }
})

export const githubGatePages = pageRoutes('github-gate-pages', answer)
