/** How documents read the texts of requirements: limits of deprecations, criteria for users, sentences beside titles. */
import { describe, expect, test } from 'bun:test'
import { criterionItem } from '../../worker/deliverables/documents/criteria.ts'
import { deprecationOf } from '../../worker/deliverables/documents/deprecations.ts'
import { isAboutTheWork, isTechnical } from '../../worker/deliverables/manual/audience.ts'
import { taskOf } from '../../worker/deliverables/manual/tasks.ts'
import { withCode } from '../../worker/deliverables/markdown.ts'
import type { Requirement } from '../../worker/deliverables/project-data.ts'
import { addsTo, firstSentence, withoutTitle } from '../../worker/deliverables/sentences.ts'

const requirement = (fields: Partial<Requirement>): Requirement =>
  ({
    title: 'Pay by invoice',
    kind: 'feature',
    status: 'done',
    description: null,
    acceptance_criteria: [],
    ...fields,
  }) as Requirement

describe('A deprecation works until', () => {
  const untilOf = (description: string) => deprecationOf(requirement({ description })).until
  for (const [description, until] of [
    ['It works until 2027-03-31.', '2027-03-31'],
    ['Use the new search by 31 March 2027.', '31 March 2027'],
    ['Migrate before version 2.0.', 'version 2.0'],
    ['It will be removed on 2027-01-31.', '2027-01-31'],
    ['The old one ends with version 3.', 'version 3'],
    ['From 2027-02-01 it is no longer available.', '2027-02-01'],
    ['Decided on 2026-01-05. It stops working in March 2027.', 'March 2027'],
  ] as const) {
    test(`"${description}"`, () => expect(untilOf(description)).toBe(until))
  }
  for (const description of [
    'Deprecated on 2026-01-05: use the new search.',
    'Replaced 2026-01-05 by the new search.',
    'Orders that were placed before 2024-01-01 are not shown.',
    'See the note of 2026-02-03.',
    'Introduced in 2019.',
  ]) {
    test(`no limit: "${description}"`, () => expect(untilOf(description)).toBeNull())
  }
})

describe('A criterion', () => {
  for (const criterion of [
    'All tests pass.',
    'The unit tests are green',
    'The change is described in the changelog.',
    'Code coverage is at least 80 %.',
    'Add tests for the import.',
  ]) {
    test(`about the work: "${criterion}"`, () => expect(isAboutTheWork(criterion)).toBe(true))
  }
  for (const criterion of [
    'POST /orders returns 201.',
    'Call `GET /orders` with a token.',
    'The endpoint answers with status code 409.',
    'Set order_state to paid.',
    'Enter a retryCount in the settings.',
  ]) {
    test(`for developers: "${criterion}"`, () => expect(isTechnical(criterion)).toBe(true))
  }
  for (const criterion of [
    'Choose a payment method.',
    'Open "order_state" in the list.',
    'A file `orders_2026.csv` is downloaded.',
    'Enter the number of the class.',
    'The test drive can be booked.',
  ]) {
    test(`for users: "${criterion}"`, () => {
      expect(isTechnical(criterion)).toBe(false)
      expect(isAboutTheWork(criterion)).toBe(false)
    })
  }
})

describe('A task', () => {
  const told = (acceptance_criteria: string[], description: string | null = null) =>
    taskOf(requirement({ acceptance_criteria, description }), [])

  test('has steps only of criteria for users; what developers wrote says what it does', () => {
    const { steps, results, behaviour } = told([
      'Choose "Invoice".',
      'The confirmation shows the number.',
      'POST /invoices returns 201.',
      'All tests pass.',
    ])
    expect(steps).toEqual(['Choose "Invoice".'])
    expect(results).toEqual(['The confirmation shows the number.'])
    expect(behaviour).toEqual(['POST /invoices returns 201.'])
  })
  test('without a step says what it does, also where something happens by itself', () => {
    const { steps, results, behaviour } = told(['When the order is shipped, then the invoice is mailed', 'It names the order.'])
    expect([steps, results]).toEqual([[], []])
    expect(behaviour).toEqual(['When the order is shipped, then the invoice is mailed', 'It names the order.'])
  })
  test('keeps the steps of a criterion that is a numbered list', () => {
    const list = 'Pay by invoice:\n1. Open the basket.\n2. Choose\n   "Invoice".'
    expect(told([list, 'It is due in 14 days.'])).toMatchObject({
      steps: ['Open the basket.', 'Choose "Invoice".'],
      results: ['It is due in 14 days.'],
    })
    // Beside other steps, it is a list within what is seen.
    expect(told([list], '1. One.\n2. Two.')).toMatchObject({ steps: ['One.', 'Two.'], results: [list] })
    expect(criterionItem(list)).toBe('Pay by invoice:\n  1. Open the basket.\n  2. Choose "Invoice".')
  })
  test('tells clauses apart only where there is one way, and replaces no word', () => {
    for (const criterion of [
      'Given a user who pays when asked, when the user pays, then it is sent',
      'When the user enters a name, an address and a city, the order is shown',
    ]) {
      expect(told([criterion])).toMatchObject({ before: [], steps: [], behaviour: [criterion] })
    }
    expect(told(['Given I am signed in, when I open my orders, then I see them'])).toMatchObject({
      before: ['I am signed in.'],
      steps: ['I open my orders.'],
      results: ['I see them.'],
    })
    const story = 'As a buyer, I want to get mail so that I am informed.'
    expect(told([], story).purpose).toBe(story)
  })
  test('leaves out a purpose that repeats its title', () => {
    expect(told([], 'Users can pay by invoice.').purpose).toBe('')
    expect(told([], 'Pay by invoices. It is due within 14 days.').purpose).toBe('It is due within 14 days.')
    expect(told([], 'Companies pay later.').purpose).toBe('Companies pay later.')
  })
})

describe('A sentence', () => {
  test('adds to a title if it has a word that the title does not have', () => {
    expect(addsTo('Pay by invoice', 'Customers can now pay by invoice.')).toBe(false)
    expect(addsTo('Pay by invoice', 'Companies pay within 14 days.')).toBe(true)
    expect(addsTo('ชำระเงิน', 'ชำระเงิน')).toBe(false)
  })
  test('is the first of the first paragraph', () => {
    expect(firstSentence('One v1.2 is here. Two.\n\nThree.')).toBe('One v1.2 is here.')
    expect(firstSentence('1. Open the basket.\n2. Pay.\n\nThen wait. It takes a day.')).toBe('Then wait.')
    expect(withoutTitle('Pay', 'Pay.\n\nWithin 14 days.')).toBe('Within 14 days.')
  })
})

// Trying each end for each beginning would take minutes.
describe('A long text is read in linear time:', () => {
  test('a backtick that is not closed', () => {
    const text = `\`${'a'.repeat(1_000_000)}`
    expect(withCode(text)).toHaveLength(text.length + 1)
  })
  test('emphasis that is not closed', () => {
    const text = `1. Open ${'**a '.repeat(400_000)}\n2. Pay`
    expect(taskOf(requirement({ acceptance_criteria: [text] }), []).steps).toHaveLength(2)
  })
})
