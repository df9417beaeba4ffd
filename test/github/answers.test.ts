import { describe, expect, test } from 'bun:test'
import type { Clearance } from '../../core/clearance/clearance.ts'
import type { Gate } from '../../core/gates/gates.ts'
import { answerText, commitStateOf, reportText, verdictOf } from '../../worker/github/answer.ts'
import type { DueRequest } from '../../worker/github/request.ts'

const request = (given: Partial<DueRequest> = {}) =>
  ({
    project_id: '019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d',
    gate_id: '019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3e',
    is_private: true,
    refusal: null,
    state: 'open',
    link: { linked_name: 'acme/shop', commit_statuses: true },
    ...given,
  }) as DueRequest

const gate = (given: Partial<Gate> = {}) =>
  ({
    status: 'approved',
    decided_via: 'app',
    superseded_by: null,
    revoked_at: null,
    comment: null,
    required_approvals: 1,
    rules: { approvers: [], required_approvals: 1 },
    approvals: [{ name: 'Ada Lovelace', counts: true }],
    ...given,
  }) as Gate

const clear: Clearance = { state: 'clear', held_until: null, reasons: [] }

describe('The verdict', () => {
  test('approves what is clear, and holds back what a freeze or a soak holds', () => {
    expect(verdictOf(request(), gate(), clear)).toEqual({ answer: 'approved', why: null })
    const held_until = '2026-11-21T10:00:00.000Z'
    expect(verdictOf(request(), gate(), { ...clear, state: 'waiting', held_until })).toEqual({ held_until })
  })

  test('rejects what was rejected, expired, cancelled or revoked, and what is not linked', () => {
    for (const status of ['rejected', 'changes_requested', 'expired', 'cancelled'] as const)
      expect(verdictOf(request(), gate({ status }), null)).toMatchObject({ answer: 'rejected' })
    const denied: Clearance = { state: 'denied', held_until: null, reasons: ['Ada revoked the approval.'] }
    expect(verdictOf(request(), gate(), denied)).toEqual({ answer: 'rejected', why: 'Ada revoked the approval.' })
    expect(verdictOf(request({ link: null }), gate(), clear)).toMatchObject({ answer: 'rejected' })
    expect(verdictOf(request({ refusal: 'evidence lacks checks.' }), null, null)).toMatchObject({ why: 'evidence lacks checks.' })
  })

  test('says nothing while people have not decided', () => {
    expect(verdictOf(request(), gate({ status: 'pending' }), null)).toBeNull()
  })
})

describe('The texts', () => {
  const texts = (given: Partial<Gate>, of: Partial<DueRequest> = {}, answer: 'approved' | 'rejected' = 'approved') =>
    answerText(request(of), gate(given), answer, null)

  test('name who approved, or why not, and link the gate', () => {
    expect(texts({})).toMatch(/^Approved by Ada Lovelace – http.*\/app\/gates\/019a2f6e/)
    expect(texts({ status: 'rejected', comment: 'Not *now* @octocat' }, {}, 'rejected')).toContain('Rejected: Not \\*now\\* ')
    expect(texts({ status: 'cancelled', superseded_by: 'x' }, {}, 'rejected')).toContain('Replaced by a gate with another commit')
  })

  test('of a public repository have the state and the link alone', () => {
    const text = texts({ status: 'rejected', comment: 'A secret plan' }, { is_private: false }, 'rejected')
    expect(text).toMatch(/^Rejected in Signalbox – http/)
    expect(text).not.toContain('secret')
    expect(reportText(request({ is_private: false }), gate({ status: 'pending' }), null)).toContain('Waits for a decision')
  })

  test('have at most 1000 characters', () => {
    expect([...texts({ decided_via: 'override', comment: 'x'.repeat(9_000) })].length).toBeLessThanOrEqual(1_000)
  })

  test('report how many have approved', () => {
    const pending = gate({ status: 'pending', required_approvals: 3 })
    expect(reportText(request(), pending, null)).toContain('1 of 3 approvals')
  })
})

test('The commit shows the state of its gate', () => {
  const states = (['pending', 'approved', 'rejected', 'changes_requested', 'expired', 'cancelled'] as const).map((status) =>
    commitStateOf(request(), gate({ status })),
  )
  expect(states).toEqual(['pending', 'success', 'failure', 'failure', 'failure', 'error'])
})
