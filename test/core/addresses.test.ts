import { describe, expect, test } from 'bun:test'
import ipaddr from 'ipaddr.js'
import { isResponseUrl } from '../../core/notification-channels/slack/buttons.ts'
import { takesClicks } from '../../core/notification-channels/slack/channel.ts'
import { blockedRange, isAllowedAddress, literalAddress } from '../../core/outbound/requests.ts'
import { bareUrl, isSameOrigin } from '../../core/values/web-addresses.ts'

const BLOCKED = [
  ['0.0.0.0', 'this host'],
  ['0.1.2.3', 'this network'],
  ['10.0.0.1', 'private'],
  ['10.255.255.255', 'private'],
  ['100.64.0.1', 'CGNAT'],
  ['100.127.255.255', 'CGNAT'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['169.254.169.254', 'cloud metadata'],
  ['169.254.170.2', 'container metadata'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.0.1', 'IETF protocols'],
  ['192.0.0.192', 'cloud metadata'],
  ['192.0.2.1', 'documentation'],
  ['192.88.99.1', '6to4 relay'],
  ['192.168.0.1', 'private'],
  ['198.18.0.1', 'benchmarking'],
  ['198.19.255.255', 'benchmarking'],
  ['198.51.100.1', 'documentation'],
  ['203.0.113.1', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.250', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::7f00:1', 'IPv4-compatible'],
  ['::ffff:127.0.0.1', 'mapped loopback'],
  ['::ffff:10.1.2.3', 'mapped private'],
  ['::ffff:a9fe:a9fe', 'mapped metadata'],
  ['::ffff:0:7f00:1', 'translated loopback'],
  ['64:ff9b::7f00:1', 'NAT64 of loopback'],
  ['64:ff9b::808:808', 'NAT64 of a public address'],
  ['64:ff9b:1::a00:1', 'local NAT64'],
  ['100::1', 'discard'],
  ['100:0:0:1::1', 'dummy prefix'],
  ['2001::1', 'Teredo'],
  ['2a00:1450:4001:82a:0:5efe:7f00:1', 'ISATAP of loopback'],
  ['2a00:1450:4001:82a:200:5efe:808:808', 'ISATAP of a public address'],
  ['2001:2::1', 'benchmarking'],
  ['2001:10::1', 'ORCHID'],
  ['2001:20::1', 'ORCHIDv2'],
  ['2001:db8::1', 'documentation'],
  ['2002:7f00:1::', '6to4 of loopback'],
  ['2002:808:808::', '6to4 of a public address'],
  ['3fff::1', 'documentation'],
  ['5f00::1', 'segment routing'],
  ['fc00::1', 'unique local'],
  ['fd00:ec2::254', 'cloud metadata'],
  ['fe80::1', 'link-local'],
  ['fec0::1', 'site-local'],
  ['ff02::1', 'multicast'],
] as const

const ALLOWED = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '2001:4860:4860::8888',
  '2606:4700:4700::1111',
  '2a00:1450:4001:82a::200e',
  '100:0:0:2::1',
  '2a00:1450:4001:82a:1:5efe:7f00:1',
] as const

const ranges = (...texts: string[]) => texts.map((text) => ipaddr.parseCIDR(text))

describe('addresses', () => {
  test.each(BLOCKED)('%s (%s) is blocked', (address) => {
    expect(blockedRange(address, [])).toBeString()
  })

  test.each(ALLOWED)('%s is allowed', (address) => {
    expect(blockedRange(address, [])).toBeNull()
  })

  test('an allowed range allows its own addresses, also mapped into IPv6, and no others', () => {
    const allowed = ranges('127.0.0.0/8', 'fd00::/8')
    expect(blockedRange('127.0.0.1', allowed)).toBeNull()
    expect(blockedRange('::ffff:127.0.0.1', allowed)).toBeNull()
    expect(blockedRange('fd12::1', allowed)).toBeNull()
    expect(blockedRange('10.0.0.1', allowed)).toBe('private')
    expect(blockedRange('::1', allowed)).toBe('loopback')
    expect(blockedRange('64:ff9b::7f00:1', allowed)).toBeString()
  })

  test('an address in a URL is distinguished from a host name', () => {
    expect(literalAddress('[::1]')).toBe('::1')
    expect(literalAddress('127.0.0.1')).toBe('127.0.0.1')
    expect(literalAddress('example.com')).toBeNull()
    expect(literalAddress('127.0.0.1.example.com')).toBeNull()
  })
})

test('a name with a dot at its end is the same name', () => {
  expect(bareUrl('https://slack.com.:8443/api?a=b.')).toBe('https://slack.com:8443/api?a=b.')
  expect(bareUrl('HTTPS://Slack.com/api')).toBe('HTTPS://Slack.com/api')
  expect(isSameOrigin('https://ci.example.com./a', 'https://ci.example.com')).toBe(true)
  for (const other of [
    'null',
    '',
    'https://',
    'http://ci.example.com.',
    'https://ci.example.com.:8443',
    'https://ci.example.com..',
  ])
    expect([other, isSameOrigin(other, 'https://ci.example.com')]).toEqual([other, false])
  expect(isAllowedAddress('localhost.', [ipaddr.parseCIDR('127.0.0.0/8')])).toBe(true)
  expect(isResponseUrl('https://hooks.slack.com./actions/1')).toBe(true)
  expect(takesClicks({ bot_token: 'xoxb-1', slack_channel: 'C1', api_url: 'https://slack.com./api' })).toBe(true)
})
