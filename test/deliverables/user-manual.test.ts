import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { line } from '../../core/values/plain-text.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { normalize } from './fixture.ts'

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 1 })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

interface Work {
  title: string
  kind?: string
  description?: string
  acceptance_criteria?: string[]
  status?: string
  artifacts?: { name: string; kind?: string; url?: string; content?: string }[]
}

/** A project with requirements, done unless they say otherwise. */
async function projectWith(works: Work[], input: object = {}): Promise<string> {
  const { id } = await ada.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Checkout', ...input })
  const path = `/api/v1/projects/${id}`
  for (const { status = 'done', artifacts, ...work } of works) {
    const requirement = await ada.make(`${path}/requirements`, work)
    if (artifacts) {
      const execution = await ada.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'claude-code' })
      await ada.make(`/api/v1/executions/${execution.id}/start`)
      await ada.make(`/api/v1/executions/${execution.id}/complete`, { artifacts })
    }
    if (status !== 'open') await ada.put(`/api/v1/requirements/${requirement.id}`, { status })
  }
  return path
}

async function generate(path: string, input: object = {}): Promise<Answer['body']> {
  const asked = { deliverable_type: 'user_manual', ...input }
  const { body } = await ada.post(`${path}/deliverables/generate`, asked, { Prefer: 'wait=20' })
  expect([body.status, body.error]).toEqual(['draft', null])
  return body
}

const WORKS: Work[] = [
  {
    title: 'As a customer, I want to pay by invoice so that I can order before my budget is approved',
    description: 'Companies pay within 14 days.',
    acceptance_criteria: [
      'Given a company account, when the customer chooses "Invoice", then the order is confirmed at once',
      'Given a company account, when the customer confirms the address, then the invoice is mailed within an hour',
      'The invoice names the order.',
    ],
    artifacts: [
      { name: 'Invoice form', kind: 'screenshot', url: 'https://files.example.com/invoice.png' },
      { name: 'changes.diff', content: 'secret' },
    ],
  },
  {
    title: 'Allow customers to export their orders',
    kind: 'change',
    description: 'For bookkeeping.\n\n1. Open **Orders**.\n2. Choose `Export`.\n\nFiles are kept for 7 days.',
    acceptance_criteria: ['A file `orders.csv` is downloaded.'],
  },
  {
    title: 'Implement coupons',
    artifacts: [
      {
        name: 'usage_guide.md',
        kind: 'docs',
        content: '# Usage\n\n1. Enter the **code**.\n2. Press [Apply](https://x.example.com).',
        url: 'https://docs.example.com/coupons',
      },
    ],
    acceptance_criteria: ['When the user enters an expired code, a message says so.', 'Over 50 EUR, shipping is free.'],
  },
  { title: 'Refunds' },
  { title: 'Pay in instalments', status: 'in_progress' },
  { title: 'Old basket', kind: 'deprecation', description: 'Use the new basket instead. The old one works until 2027-01-31.' },
  { title: 'Payment by cheque', kind: 'removal', description: 'Pay by invoice instead.' },
  { title: 'Totals are wrong with two coupons', kind: 'fix', status: 'open' },
  { title: 'Anyone can read all invoices', kind: 'security', status: 'open' },
]

describe('A manual', () => {
  let manual: Answer['body']
  let path: string
  beforeAll(async () => {
    path = await projectWith(WORKS, { description: 'The shop takes money.', support: 'help@shop.example.com' })
    manual = await generate(path)
  })

  test('equals the reviewed one, and is the same again', async () => {
    const file = Bun.file(`${import.meta.dir}/golden/tasks_user_manual.md`)
    // Review the difference before accepting it.
    if (process.env.UPDATE_GOLDEN) await Bun.write(file, normalize(manual.content))
    expect(normalize(manual.content)).toBe(await file.text())
    expect((await generate(path)).content).toBe(manual.content)
  })

  test('says in one line at its end that something is missing; the source says what', () => {
    expect(manual.source.missing).toEqual([
      'What it is for is missing in #3, #4: add a description.',
      'How it works is missing in #4: add acceptance criteria.',
    ])
    const [last] = manual.content.trim().split('\n').slice(-1)
    expect(last).toBe('*Parts of this document are short or missing, because its sources say no more about them.*')
  })

  test('shows users nothing of work that is open, but known faults; and no open security requirement', () => {
    expect(manual.content).not.toContain('instalments')
    expect(manual.content).not.toContain('Anyone can read')
    expect(manual.content).toContain('## Known limitations\n\n- Totals are wrong with two coupons')
    expect(manual.content).not.toContain('secret')
  })
})

describe('Help is', () => {
  const help = async (input: object): Promise<string> =>
    (await generate(await projectWith([], input))).content.split('## Help\n\n')[1].split('\n')[0]
  const repository = { repository_url: 'https://git.example.com/shop' }

  test('the support of the project, an address or a page', async () => {
    const mail = '[help@shop.example.com](<mailto:help@shop.example.com>)'
    expect(await help({ support: 'help@shop.example.com', ...repository })).toBe(`Contact support: ${mail}`)
    const page = '[https://help.example.com/](<https://help.example.com/>)'
    expect(await help({ support: 'https://help.example.com/' })).toBe(`Contact support: ${page}`)
  })
  test('else its repository', async () => {
    expect(await help(repository)).toBe('Ask in the repository: [https://git.example.com/shop](<https://git.example.com/shop>)')
  })
  test('else the owner of the workspace, without an address that is not proven to be theirs', async () => {
    await box.sql`update users set email_verified = false where id = ${ada.id}`
    expect(await help({})).toBe('Contact the owner of the workspace: Ada')
    await box.sql`update users set email_verified = true where id = ${ada.id}`
  })
  test('else the owner of the workspace', async () => {
    expect(await help({})).toMatch(/^Contact the owner of the workspace: Ada, \[(\S+@\S+)\]\(<mailto:\1>\)$/)
  })
})

test('an empty project has a short manual that says what is missing', async () => {
  const { content, source } = await generate(await projectWith([]))
  expect(content).toContain('Nothing is ready for use yet.')
  expect(source.missing).toEqual([
    'The project has no description: say what it is and who it is for.',
    'No feature is done yet.',
    'The project has no support: set it to a URL or an e-mail address at which readers get help.',
  ])
})

test('for one requirement, title and first sentence name it', async () => {
  const path = await projectWith(WORKS.slice(0, 2))
  const { items } = (await ada.get(`${path}/requirements`)).body
  const { id } = items.find(({ number }: { number: number }) => number === 2)
  const { content } = await generate(path, { requirement_id: id })
  expect(content).toStartWith('# Checkout: user manual (\\#2 Allow customers to export their orders)\n\n')
  expect(content.split('\n\n')[1]).toContain('Allow customers to export their orders')
  expect(content).not.toContain('pay by invoice')
})

test('names in all scripts are shown, and none is markup', async () => {
  const names = [
    'دفع الفواتير',
    'ชำระเงิน',
    '<img src=x onerror=alert(1)>',
    '**b** [x](javascript:alert(1))',
    'a\u202eb\u2067c',
    '| x |',
  ]
  const works = names.map((name) => ({
    title: line(name, 200),
    description: `${name}\n\n1. ${name}\n2. ${name}`,
    acceptance_criteria: [name, `Given ${name}, when ${name}, then ${name}`],
    artifacts: [
      { name: `guide ${line(name, 100)}`, content: `1. ${name}\n2. ${name}`, url: 'https://docs.example.com/?a=<b>' },
      { name: `screenshot ${line(name, 100)}`, url: 'https://docs.example.com/)' },
    ],
  }))
  const { id, content } = await generate(await projectWith(works))
  expect(content).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
  const page: string = (await ada.get(`/api/v1/deliverables/${id}`, { Accept: 'text/html' })).body
  expect(page).not.toMatch(/<img|<script|href="javascript|[\u202a-\u202e\u2066-\u2069]/)
  for (const name of names.slice(0, 2)) expect(page.split(name).length).toBeGreaterThan(6)
})
