import { expect, test } from 'bun:test'
import { buttonsOf, interact, signed } from '../support/slack.ts'
import { SlackWorkbench } from './workbench.ts'

test('without SLACK_SIGNING_SECRET there are no buttons but the link, and the path is a 404', async () => {
  const plain = await SlackWorkbench.open({ environment: { SLACK_SIGNING_SECRET: '' } })
  try {
    const room = await plain.room('gate.pending')
    await plain.openGate(room.project)
    await plain.sent(room, 1)
    expect(room.slack.roots.flatMap((root) => buttonsOf(root).map(({ text }) => text.text))).toEqual(['Open in Signalbox'])
    const answer = await interact(plain.box, signed({ type: 'block_actions' }))
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
  } finally {
    await plain.close()
  }
})
