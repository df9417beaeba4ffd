/** What tests read of pages. */
import type { Visit } from './page-client.ts'

/** The state next to the title. */
export const stateOf = ({ document }: Visit) => document.querySelector('main > .heading .pill')?.textContent

/** The buttons that do something. */
export const buttonsOf = ({ document }: Visit) =>
  [...document.querySelectorAll('main form[method=post] button')].map((each) => each.textContent)

/** The message at a field. */
export const errorIn = ({ document }: Visit, field: string) => document.getElementById(`${field}-error`)?.textContent

/** The notice that answers a form. */
export const noticeIn = ({ document }: Visit): string => document.querySelector('#status')?.textContent ?? ''

/** A notice of the page itself. */
export const noticeOf = ({ document }: Visit, tone: string) => document.querySelector(`main > .notice.${tone}`)?.textContent

const textOf = (element: Element | null): string => (element?.textContent ?? '').replaceAll(/\s+/g, ' ').trim()

/** The value of a fact, by its name. */
export const factOf = ({ document }: Visit, name: string) =>
  [...document.querySelectorAll('main .facts > div')]
    .find((each) => each.querySelector('dt')?.textContent === name)
    ?.querySelector('dd')

/** The rows of a list: what each is about, its state, what is beside and below, and its end. Of a table: the cells. */
export const rowsOf = ({ document }: Visit, label: string): string[][] => [
  ...[...document.querySelectorAll(`table[aria-label="${label}"] tbody tr`)].map((row) =>
    [...row.querySelectorAll('th, td')].map((cell) => cell.textContent?.trim() ?? ''),
  ),
  ...[...document.querySelectorAll(`ul[aria-label="${label}"] > li`)].map((row) =>
    ['.what > :first-child', '.about > :first-child:not(.what)', '.beside', '.what > p', '.end'].map((part) =>
      textOf(row.querySelector(part)),
    ),
  ),
]
