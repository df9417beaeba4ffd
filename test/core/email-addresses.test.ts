import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { addressParts, canonicalAddress } from '../../core/values/email-addresses.ts'
import { connect, type Sql } from '../../sql/index.ts'
import { LOOK_ALIKES, REFUSED, SAME } from '../addresses/spellings.ts'
import { freshDatabase } from '../support/server.ts'

describe('The canonical form of an address', () => {
  test.each(SAME)('%s is the same for all its spellings', (canonical, ...spellings) => {
    for (const spelling of [canonical, ...spellings]) expect(canonicalAddress(spelling.trim())).toBe(canonical)
  })

  test.each(REFUSED)('does not exist for %j', (text) => {
    expect(canonicalAddress(text)).toBeNull()
  })

  test('differs for look-alikes', () => {
    const forms = LOOK_ALIKES.map(canonicalAddress)
    expect(forms).not.toContain(null)
    expect(new Set([...forms, 'victim@github.example']).size).toBe(LOOK_ALIKES.length + 1)
  })

  test('of a very long text is rejected at once', () => {
    expect(canonicalAddress(`a@${'字'.repeat(1_000_000)}`)).toBeNull()
  })

  test('is its own canonical form for any character: the domain is ASCII, and no character of the local part becomes ASCII', () => {
    const strange: string[] = []
    // Beyond the second plane there are few letters, in blocks.
    for (let code = 1; code < 0x110000; code += code < 0x20000 ? 1 : 61) {
      const character = String.fromCodePoint(code)
      const forms = [canonicalAddress(`a${character}b@example.com`), canonicalAddress(`H${character}@example.com`)]
      forms.push(canonicalAddress(`a@x${character}y.example`))
      for (const form of forms) {
        if (form === null) continue
        const [local = '', domain = ''] = form.split('@')
        const isAscii = /^[\0-\x7f]*$/
        const expected = code < 0x80 || isAscii.test(character.normalize('NFC')) || form.startsWith('a@')
        if (canonicalAddress(form) !== form || !isAscii.test(domain) || isAscii.test(local) !== expected || /[A-Z]/.test(form)) {
          strange.push(`U+${code.toString(16)} ${form}`)
        }
      }
    }
    expect(strange).toEqual([])
  })
})

test('a part of an address is searched as typed, and with its domain in ASCII', () => {
  expect(addressParts('Ada')).toEqual(['ada', 'ada'])
  expect(addressParts('Ada@MÜNCHEN.example')).toEqual(['ada@mÜnchen.example', 'ada@xn--mnchen-3ya.example'])
  expect(addressParts('@127.0.0.1')).toEqual(['@127.0.0.1'])
})

describe('The database', () => {
  let sql: Sql

  beforeAll(async () => {
    sql = connect(await freshDatabase(), 'signalbox test', 1)
  })
  afterAll(() => sql.end())

  test('accepts canonical addresses', async () => {
    const addresses = [...SAME.map(([canonical]) => canonical), ...LOOK_ALIKES.map(canonicalAddress), 'a@unproven.invalid']
    for (const address of addresses) expect([...(await sql`select ${address}::email_address as address`)]).toEqual([{ address }])
  })

  test('accepts every canonical form, whatever its labels consist of', async () => {
    const characters = ['', 'a', '1', '_', '-', 'ü']
    const labels = characters.flatMap((a) => characters.flatMap((b) => characters.map((c) => `${a}${b}${c}`)))
    const forms = labels.flatMap((label) => [`a@${label}`, `a@${label}.example`, `${label}@example.com`]).map(canonicalAddress)
    const refused = await sql`select address from unnest(${forms}::text[]) as address where not is_canonical_address(address)`
    expect([...refused]).toEqual([])
  })

  test('refuses other forms', async () => {
    const spellings = SAME.flatMap(([canonical, ...others]) => others.filter((each) => each !== canonical))
    const others = ['a@example.com ', '.a@b', 'a..b@c', 'a@b..c', 'a@-b', 'a@b@c', `${'é'.repeat(33)}@b`, `a@${'x'.repeat(64)}`]
    for (const text of [...spellings, ...LOOK_ALIKES.slice(0, 3), ...others]) {
      const refusal = await sql`select ${text}::email_address`.then(
        () => null,
        (error) => error.constraint_name,
      )
      expect([text, refusal]).toEqual([text, 'email_address_canonical'])
    }
  })
})
