import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from './core/log.ts'
import { addressesOf, openStartScreen } from './start-screen.ts'

function terminal(isTTY: boolean) {
  const written: string[] = []
  return {
    isTTY,
    write: (text: string) => void written.push(text),
    /** What is on the screen, without the lines that were painted over. */
    get screen() {
      return written
        .join('')
        .split('\n')
        .map((line) => line.slice(line.lastIndexOf('\x1b[K') + 1).replace(/^\[K/, ''))
        .join('\n')
    },
    get all() {
      return written.join('')
    },
  }
}

test('a first start on a terminal is one calm screen: steps, progress, address, account, password, next step; details are in a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-screen-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const out = terminal(true)
  const screen = openStartScreen(out, folder, 'Cloudoc 1.2.3')
  const log = createLog('info', screen.log)
  await screen.step('Prepare the database', () => {
    for (let step = 1; step <= 65; step += 1) log.info({ migration: `m${step}`, step, of: 65 }, 'migrated')
    log.warn('the disk is nearly full')
    return Promise.resolve()
  })
  screen.ready({ addresses: ['http://a:1', 'http://b:1'], password: 'Secret-1', dataDir: folder })
  expect(out.all).toContain('Prepare the database 40 of 65')
  expect(out.screen).toContain('  ✓ Prepare the database\n')
  expect(out.screen).toContain('the disk is nearly full')
  for (const [name, value] of [
    ['Address', 'http://a:1'],
    ['Colleagues', 'http://b:1'],
    ['Account', 'admin'],
    ['Password', 'Secret-1'],
    ['Data', folder],
  ] as const)
    expect(out.screen).toMatch(new RegExp(`^ {2}${name} +${value}$`, 'm'))
  expect(out.screen).toContain('Next: open the address and sign in')
  expect(out.screen.split('\n').length).toBeLessThan(20)
  const details = () => readFile(join(folder, 'start.log'), 'utf8')
  await expect.poll(async () => (await details()).split('\n').length).toBe(67)
  expect(await details()).not.toContain('Secret-1')
  // From now on log lines are shown.
  log.info('later')
  expect(out.screen).toContain('later')
})

test('without a terminal there are plain lines, and no password', async () => {
  const out = terminal(false)
  const screen = openStartScreen(out, undefined, 'Cloudoc 1.2.3')
  await screen.step('Prepare the database', () => Promise.resolve())
  screen.ready({ addresses: ['http://a:1', 'http://b:1'], password: 'Secret-1', dataDir: '/data' })
  expect(out.all).toBe('Data: /data\nColleagues use http://b:1\nCloudoc is ready at http://a:1\n')
})

test('a server that listens on all interfaces names the addresses that colleagues can use', () => {
  const of = (address: string, family: 'IPv4' | 'IPv6', internal = false) =>
    ({ address, family, internal, netmask: '', mac: '', cidr: null, scopeid: 0 }) as never
  const interfaces = {
    lo: [of('127.0.0.1', 'IPv4', true), of('::1', 'IPv6', true)],
    eth0: [of('192.168.1.5', 'IPv4'), of('fe80::1', 'IPv6'), of('2001:db8::5', 'IPv6')],
  }
  const at = (host: string) => addressesOf({ scheme: 'http', host, port: 80 }, interfaces)
  expect(at('0.0.0.0')).toEqual(['http://localhost:80', 'http://192.168.1.5:80'])
  expect(at('::')).toEqual(['http://localhost:80', 'http://192.168.1.5:80', 'http://[2001:db8::5]:80'])
  expect(at('::1')).toEqual(['http://[::1]:80'])
})
