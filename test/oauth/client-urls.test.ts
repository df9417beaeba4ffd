import { describe, expect, test } from 'bun:test'
import { clientUrlError, isSameRedirect, redirectTarget } from '../../api/oauth/client-documents.ts'

test.each([
  ['https://agent.example.com/client.json', null],
  ['https://agent.example.com/client?v=1', null],
  ['https://agent.example.com:8443/c', null],
  ['https://agent.example.com/', /path/],
  ['https://agent.example.com', /must be written as/],
  ['https://AGENT.example.com/c', /must be written as/],
  ['https://agent.example.com:443/c', /must be written as/],
  ['https://agent.example.com./c', /must be written as https:\/\/agent.example.com\/c$/],
  ['https://agent.example.com/a/../c', /must be written as/],
  ['https://agent.example.com/%2e%2e/c', /must be written as/],
  ['https://agent.example.com/c#f', /must be a URL/],
  ['https://user@agent.example.com/c', /user name/],
  ['https://agent.example.com\\c', /must be a URL/],
  ['https://agent.example.com/ c', /must be a URL/],
  ['https://аgent.example.com/c', /must be a URL/],
  ['http://agent.example.com/c', /https/],
  ['https://10.0.0.1/c', /special-purpose/],
  ['https://169.254.169.254/latest', /special-purpose/],
  ['https://[fd00::1]/c', /special-purpose/],
  ['https://0x7f.1/c', /special-purpose/],
  ['ftp://agent.example.com/c', /http/],
  ['javascript:alert(1)', /http/],
  ['signalbox-cli', /http/],
  [`https://agent.example.com/${'c'.repeat(2_000)}`, /must be a URL/],
])('the client_id %s', (url, flaw) => {
  const error = clientUrlError(url)
  if (flaw === null) expect(error).toBeNull()
  else expect(error).toMatch(flaw)
})

test.each([
  ['https://agent.example.com/callback?x=1', 'https://agent.example.com'],
  ['https://agent.example.com:8443/callback', 'https://agent.example.com:8443'],
  ['http://localhost:1234/callback', 'http://localhost:1234'],
  ['http://127.0.0.1:1234', 'http://127.0.0.1:1234'],
  ['com.example.agent:/callback', 'com.example.agent:'],
  ['com.example.agent://callback', 'com.example.agent:'],
])('codes are sent to %s', (uri, target) => expect(redirectTarget(uri)).toBe(target))

test.each([
  'http://agent.example.com/callback',
  'https://agent.example.com./callback',
  'http://localhost.:1234/callback',
  'http://127.0.0.2/callback',
  'http://[::1]:1234/callback',
  'http://localhost.evil.example/callback',
  'http://localhost:1234@evil.example/callback',
  'http://localhost:99999/callback',
  'https://user:pass@agent.example.com/callback',
  'https://agent.example.com/callback#fragment',
  'https://agent.example.com\\@evil.example/callback',
  'https://agent.example.com/call back',
  'https://agent.example.com/\r\nSet-Cookie:x=1',
  // Its host would end the directive.
  "https://a;script-src/'unsafe-inline'",
  'https://a,b/callback',
  'javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'about:blank',
  'agent:/callback',
  '//evil.example',
  '/callback',
  '',
])('codes are never sent to %s', (uri) => expect(redirectTarget(uri)).toBeNull())

describe('A redirect URI', () => {
  test.each([
    ['http://127.0.0.1/callback', 'http://127.0.0.1:5555/callback'],
    ['http://localhost:3000/callback?x=1', 'http://localhost:1/callback?x=1'],
    ['http://127.0.0.1:33418/', 'http://127.0.0.1:9999'],
    ['https://agent.example.com/callback', 'https://agent.example.com/callback'],
  ])('%s allows %s', (listed, given) => expect(isSameRedirect(listed, given)).toBe(true))

  test.each([
    ['http://127.0.0.1/callback', 'http://localhost/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:5555/callback/'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:5555/callback?x=1'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:5555/call%62ack'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:5555/../callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:5555@evil.example/callback'],
    ['http://127.0.0.1/callback', 'https://127.0.0.1:5555/callback'],
    ['https://agent.example.com/callback', 'https://agent.example.com:444/callback'],
    ['https://agent.example.com/callback', 'https://AGENT.example.com/callback'],
    ['https://agent.example.com/callback', 'https://agent.example.com/callback/x'],
    ['https://agent.example.com/callback', 'https://agent.example.com/callback?x=1'],
    ['https://agent.example.com/callback', 'https://agent.example.com.evil.example/callback'],
  ])('%s does not allow %s', (listed, given) => expect(isSameRedirect(listed, given)).toBe(false))
})
