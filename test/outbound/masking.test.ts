import { describe, expect, test } from 'bun:test'
import { maskOf } from '../../core/security/masking.ts'
import { secretsOfHeader, secretsOfMail, secretsOfSigning, secretsOfUrl } from '../../core/security/secret-forms.ts'

describe('what looks like a credential is masked, no matter who issued it:', () => {
  const mask = maskOf([])
  const key = (kind: string) => `-----BEGIN ${kind}PRIVATE KEY-----\nMIIEvQIBADAN\nBg==\n-----END ${kind}PRIVATE KEY-----`
  const random = 'dGhpcyBpcyBub3QgYSBzZWNyZXQ0'
  for (const [credential, before = '', after = ''] of [
    ['token', 'authorization: Bearer '],
    ['dXNlcjpwYXNz', 'authorization: Basic '],
    [random, '{"Authorization":"', '"}'],
    [random, 'sent Bearer ', '.'],
    ['dXNlcjpwYXNzd29yZA==', 'sent Basic '],
    ['ghp_0123456789abcdefghijABCDEFGHIJ012345', 'TOKEN='],
    ['github_pat_11ABCDEFG0123456789_abcdefghijklmnop', 'https://', '@github.com/a/b'],
    ['xoxb-123456789012-abcdefABCDEF', '"', '"'],
    ['ghp_0123456789abcdefghijABCDEFGHIJ012345', 'TOKEN_'],
    ['hunter2-correct', 'fatal: unable to access https://deploy:', '@git.example.com/a.git/'],
    ['AKIAIOSFODNN7EXAMPLE', 'AWS_ACCESS_KEY_ID='],
    [key(''), 'key: '],
    [key('RSA '), '', '\nnext'],
    ['-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE', 'cut '],
    ['sbx_pat_0123456789abcdefghijABCDEFGHIJ012345', 'a '],
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'a '],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', 'a '],
  ] as [string, string?, string?][]) {
    test(`${before}${credential.slice(0, 16)}…`, () => {
      expect(mask(before + credential + after)).toBe(`${before}********${after}`)
    })
  }
  for (const text of [
    'HTTP Basic authentication, or Bearer authentication',
    'Authorization: Bearer $TOKEN',
    'Authorization: Bearer <token>',
    'Authorization: only admins.',
    'https://user:$PASSWORD@git.example.com, https://user:***@git.example.com and https://git.example.com:8443/@scope',
    'The whsec_ prefix, sbx_pat_… and ghp_.',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
  ]) {
    test(`but not: ${text.slice(0, 40)}`, () => expect(mask(text)).toBe(text))
  }
  // Trying each colon as the one between user and password would take minutes.
  test('but not what is base64 of nothing but colons, however long', () => {
    const text = `Basic ${Buffer.from(`${':'.repeat(600_000)}\0`).toString('base64')}`
    expect(mask(text)).toBe(text)
  })
})

const SECRET = 'k3y/with+"odd\\chars" <&> é%41'
const base64 = (text: string) => Buffer.from(text).toString('base64')
const html = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('/', '&#x2F;')
const everyUnit = (text: string) => [...text].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
const everyByte = (text: string, of: (hex: string) => string) =>
  [...Buffer.from(text)].map((byte) => of(byte.toString(16).padStart(2, '0'))).join('')
const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

const FORMS: [name: string, write: (secret: string) => string][] = [
  ['plain text', (secret) => secret],
  ['in another case', (secret) => secret.replaceAll(/[a-z]/g, (each) => each.toUpperCase())],
  ['JSON', inJson],
  ['JSON as PHP writes it', (secret) => inJson(secret).replaceAll('/', '\\/').replaceAll('é', '\\u00e9')],
  ['JSON with every character escaped', everyUnit],
  ['JSON in JSON', (secret) => inJson(inJson(secret))],
  ['HTML', html],
  ['HTML with decimal references', (secret) => [...secret].map((each) => `&#${each.codePointAt(0)};`).join('')],
  ['JSON in HTML', (secret) => html(inJson(secret))],
  ['a URL', encodeURIComponent],
  ['a URL in lower case', (secret) => encodeURIComponent(secret).replaceAll(/%../g, (each) => each.toLowerCase())],
  ['a form', (secret) => new URLSearchParams({ secret }).toString().slice('secret='.length)],
  ['a URL in a URL', (secret) => encodeURIComponent(encodeURIComponent(secret))],
  ['a URL with every byte escaped', (secret) => everyByte(secret, (hex) => `%${hex}`)],
  ['hexadecimal digits', (secret) => everyByte(secret, (hex) => hex)],
  ['upper-case hexadecimal digits', (secret) => everyByte(secret, (hex) => hex.toUpperCase())],
  ['base64', base64],
  ['base64 in JSON as PHP writes it', (secret) => base64(secret).replaceAll('/', '\\/')],
  ['base64 in a URL', (secret) => encodeURIComponent(base64(secret))],
  ['base64url', (secret) => Buffer.from(secret).toString('base64url')],
]

describe.each(FORMS)('a secret that is echoed as %s', (_, write) => {
  const form = write(SECRET)

  test('is masked, whatever surrounds it', () => {
    const mask = maskOf([SECRET])
    for (const [before, after] of [
      ['', ''],
      ['{"secret":"', '"}'],
      ['x', 'y'],
      ['%', 'z'],
      ['\\', ''],
    ]) {
      const masked = mask(`${before}${form}${after}`)
      expect(masked).toContain('********')
      // The last character of base64 may belong to the text after the secret.
      expect(masked.replace('********', '').length).toBeLessThanOrEqual(`${before}${after}`.length + 4)
    }
  })

  test('is masked every time it occurs', () => {
    expect(maskOf([SECRET])(`${form} and ${form}`).split('********')).toHaveLength(3)
  })

  test('is masked when the text ends in the middle of it', () => {
    const mask = maskOf([SECRET])
    const cut = form.slice(0, Math.ceil(form.length * 0.6))
    expect(mask(`before ${cut}`, true)).toBe('before ********')
    expect(mask('before ', true)).toBe('before ')
  })
})

test.each([0, 1, 2, 3, 4, 5])('base64 of a text with the secret after %d other bytes reveals nothing of it', (offset) => {
  const secret = 'correct-horse-battery'
  for (const encoding of ['base64', 'base64url'] as const) {
    const encoded = Buffer.from(`${'u'.repeat(offset)}${secret}${'v'.repeat(offset)}`).toString(encoding)
    const shown = Buffer.from(maskOf([secret])(encoded).replace('********', ''), encoding).toString('latin1')
    for (let at = 0; at + 3 <= secret.length; at++) expect(shown).not.toContain(secret.slice(at, at + 3))
  }
})

describe.each([8, 9, 12, 16, 21, 40])('of a secret of %d characters', (length) => {
  const secret = 'aK3/dm+9QxZ.rT7-wB2fHs5gLp8cVn4jYu6eXo1i'.slice(0, length)
  const shown = Math.min(8, Math.max(6, Math.ceil(length / 2)))

  test.each(['base64', 'base64url', 'hex'] as const)('a beginning or end in %s shows little, wherever it is cut', (encoding) => {
    const mask = maskOf(secretsOfMail('lead@example.com', secret))
    for (const before of ['', 'x', 'xy', '\0lead@example.com\0']) {
      const encoded = Buffer.from(before + secret).toString(encoding)
      for (let cut = 1; cut < encoded.length; cut++) {
        const texts = [encoded.slice(0, cut)]
        // An end in base64 can be decoded from a multiple of four characters.
        if (cut % 4 === 0) texts.push(encoded.slice(cut))
        for (const text of texts) {
          const masked = mask(`535 no: ${text} and more`).slice('535 no: '.length, -' and more'.length)
          const visible = masked.split('********').map((each) => Buffer.from(each, encoding).toString('latin1'))
          for (let at = 0; at + shown <= secret.length; at++) {
            for (const each of visible) expect(each).not.toContain(secret.slice(at, at + shown))
          }
        }
      }
    }
  })

  test('a beginning or end of most of it is masked, as it is and escaped', () => {
    const mask = maskOf([secret])
    for (const write of [(text: string) => text, encodeURIComponent, inJson, html]) {
      expect(mask(`no: (${write(secret.slice(0, shown))}…`)).toBe('no: (********…')
      expect(mask(`no: …${write(secret.slice(-shown))}!`)).toBe('no: …********!')
    }
  })
})

test('what all tokens of a kind begin with is not masked in others', () => {
  const mask = maskOf([`sbx_rep_${'a'.repeat(43)}`, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])
  expect(mask('sbx_rep_… whsec_xyz')).toBe('sbx_rep_… whsec_xyz')
  expect(mask('no: whsec_MfKQ9r8G…')).toBe('no: ********…')
})

test('what urls, schemes and media types begin with is not masked', () => {
  const mask = maskOf([
    ...secretsOfUrl('https://hooks.example.com/services/T0AB/x9Y8z7W6v5U4t3S2r1Q0'),
    ...secretsOfHeader('Bearer x9Y8z7W6v5U4t3S2r1Q0'),
    ...secretsOfHeader('application/vnd.github+json'),
  ])
  const text = 'https://hooks.example.com/services/list: Bearer token, application/json'
  expect(mask(text)).toBe(text)
})

describe('a short secret', () => {
  test.each([
    ['7', '{"count":7,"limit":17}', '{"count":********,"limit":17}'],
    ['ab1', 'key=ab1&other=ab12', 'key=********&other=ab12'],
    ['ab1', 'the key was ab1.', 'the key was ********.'],
    ['ab1', '"ab1"', '"********"'],
    ['1.5', 'version 1.5.2', 'version 1.5.2'],
    ['a/b', '{"key":"a\\/b"}', '{"key":"********"}'],
    ['ab12', 'Basic YWIxMg==', 'Basic ********=='],
    ['on', 'connection done on time', 'connection done ******** time'],
  ])('%p is masked where it is a word', (secret, text, expected) => {
    expect(maskOf([secret])(text)).toBe(expected)
  })
})

test('overlapping secrets are masked as one, and empty ones are ignored', () => {
  expect(maskOf(['Bearer abcdefgh', 'abcdefgh', ''])('> Bearer abcdefgh <')).toBe('> ******** <')
  expect(maskOf([''])('nothing to hide')).toBe('nothing to hide')
})

test('text without a secret is not changed, however it is escaped', () => {
  const text = '{"path":"C:\\\\new","url":"%zz%41","html":"&amp;&bogus;","emoji":"😀"}'
  expect(maskOf(['something-else'])(text)).toBe(text)
})

test('a secret of non-ASCII letters is found in a text of the same length', () => {
  expect(maskOf(['пароль'])('пароль')).toBe('********')
})

test('an emoji in a secret is found as escaped in JSON', () => {
  expect(maskOf(['pass😀word'])('"pass\\ud83d\\ude00word"')).toBe('"********"')
})

test('a long text full of prefixes of secrets is masked quickly', () => {
  const secrets = Array.from({ length: 32 }, (_, index) => `${'a'.repeat(4_000)}${index}`)
  const mask = maskOf(secrets)
  expect(mask('a'.repeat(32_768), true)).toEndWith('********')
  const slashes = `${'\\'.repeat(32_768)}zz`
  expect(mask(slashes, true)).toBe(slashes)
  const ends = maskOf(Array.from({ length: 32 }, (_, index) => `${index}${'a'.repeat(4_000)}`))
  expect(ends('a'.repeat(32_768))).toBe('********')
})

test('the secret parts of header values, signing secrets, URLs and mail accounts', () => {
  const basic = `Basic ${base64('ci:p4ssword')}`
  expect(secretsOfHeader(basic)).toEqual([basic, base64('ci:p4ssword'), 'ci:p4ssword', 'p4ssword'])
  expect(secretsOfHeader('Bearer abc')).toEqual(['Bearer abc', 'abc'])
  expect(secretsOfHeader('plain')).toEqual(['plain'])
  expect(secretsOfSigning('whsec_AAEC')).toEqual(['whsec_AAEC', 'AAEC', '000102', '\0\x01\x02'])
  expect(secretsOfSigning('whsec_////')).toEqual(['whsec_////', '////', 'ffffff'])
  expect(secretsOfSigning('plain')).toEqual(['plain'])
  const slack = 'https://hooks.slack.com/services/T0AB/B0CD/x9Y8z7W6v5U4t3S2r1Q0'
  const mask = maskOf(secretsOfUrl(slack))
  for (const echo of [slack, '/services/T0AB/B0CD/x9Y8z7W6v5U4t3S2r1Q0', 'token x9Y8z7W6v5U4t3S2r1Q0 unknown'])
    expect(mask(echo)).not.toMatch(/x9Y8/)
  expect(mask('services of Slack')).toBe('services of Slack')
  expect(maskOf(secretsOfUrl('https://a.test/run?api=1&sig=abc%2Bdef12'))('sig abc+def12')).toBe('sig ********')
  const mail = maskOf(secretsOfMail('ada@example.com', 'p4ssword'))
  expect(mail(`535 AUTH PLAIN ${base64('\0ada@example.com\0p4ssword')}`)).toMatch(/^535 AUTH PLAIN \*{8}.?==$/)
  expect(mail(`334 ${base64('p4ssword')} for ada@example.com`)).toMatch(/^334 \*{8}.?= for ada@example.com$/)
})

describe('a long secret that is echoed with line breaks', () => {
  const LONG = `whsec_${Buffer.from('0123456789abcdefghijklmnopqrstuvwxyz'.repeat(3)).toString('base64')}`
  const wrapped = (text: string, width: number, end: string) => text.replaceAll(new RegExp(`.{${width}}`, 'g'), `$&${end}`)

  test.each([
    ['base64', base64, 76, '\n'],
    ['base64 as in mail', base64, 76, '\r\n'],
    ['base64 as Ruby writes it', base64, 60, '\n'],
    ['base64 in YAML', base64, 70, '\n    '],
    ['base64 in JSON', base64, 76, '\\n'],
    ['base64 in a URL', base64, 76, '%0D%0A'],
    ['base64 of a longer text', (secret: string) => base64(`Authorization: Bearer ${secret}\r\n`), 76, '\n'],
    ['hexadecimal digits', (secret: string) => Buffer.from(secret).toString('hex'), 60, '\n'],
  ])('as %s is masked', (_, write, width, end) => {
    const masked = maskOf([LONG])(`It was: ${wrapped(write(LONG), width, end)}.`)
    expect(masked).toContain('********')
    expect(masked.length).toBeLessThan(60)
  })

  test('is masked at the end of a truncated text, and other lines are not', () => {
    const lines = wrapped(base64(LONG), 76, '\n')
    expect(maskOf([LONG])(`one\ntwo\n${lines.slice(0, 100)}`, true)).toBe('one\ntwo\n********')
  })
})

describe('base64 padding', () => {
  const KEY = Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - 7 * index))

  test.each([`whsec_${KEY.toString('base64')}`, `whsec_${Buffer.from('a passphrase, in base64').toString('base64')}`])(
    'of a key may be missing: %s',
    (secret) => {
      const mask = maskOf(secretsOfSigning(secret))
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
      for (const form of [secret.replace(/=+$/, ''), key.toString('base64url'), key.toString('hex')]) {
        expect(mask(`(${form})`)).toBe('(********)')
      }
      expect(mask(`(${secret})`)).toBe('(********)')
    },
  )

  test('of a header value may be missing', () => {
    const token = Buffer.from('a token, in base64').toString('base64url')
    expect(maskOf(secretsOfHeader(`Bearer ${token}==`))(`(${token})`)).toBe('(********)')
    expect(maskOf(['===='])('a ==== b')).toBe('a ******** b')
  })
})

test('a key that decodes to text is masked as that text', () => {
  const secret = `whsec_${Buffer.from('a passphrase, in base64').toString('base64')}`
  expect(maskOf(secretsOfSigning(secret))('key=a passphrase, in base64')).toBe('key=********')
})

test('what was masked before is masked again, and is not masked for other secrets', () => {
  const [first, second] = [maskOf(['correct-horse-battery']), maskOf(['staple-of-another-hook'])]
  for (const _ of [1, 2]) {
    expect(first('token correct-horse-battery')).toBe('token ********')
    expect(second('token correct-horse-battery')).toBe('token correct-horse-battery')
    // Cut off within the secret.
    expect(first('token correct-h', true)).toBe('token ********')
  }
  expect(maskOf(['correct-horse-battery'])('token correct-horse-battery')).toBe('token ********')
})
