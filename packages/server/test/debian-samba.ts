// Debian's samba-ad-dc for a test: an Active Directory domain of its own, on a loopback address of its own.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Attribute, Change, Client } from 'ldapts'
import { findSamba } from '../../../scripts/programs.mjs'
import { certificate } from './certificate.ts'

export const domainBase = 'DC=huaxin,DC=example'
export const domainAdmin = `CN=Administrator,CN=Users,${domainBase}`
export const domainPassword = 'Directory#Admin1'

/** Bits of userAccountControl. */
export const control = { normal: 0x200, disabled: 0x202 }

export interface TestDomain {
  /** Its address for StartTLS, and the one that is encrypted from the beginning. */
  readonly urls: { readonly ldap: string; readonly ldaps: string }
  /** The certificate authority of its TLS. */
  readonly certificate: string
  /** Works on the domain as its administrator. */
  asAdmin<T>(work: (client: Client) => Promise<T>): Promise<T>
  add(dn: string, attributes: Readonly<Record<string, string | string[]>>): Promise<void>
  /** Adds a person who can sign in with `passwordOf(account)`. */
  addPerson(account: string, more?: Readonly<Record<string, string | string[]>>, unit?: string): Promise<string>
  set(dn: string, attribute: string, values: string[]): Promise<void>
  close(): Promise<void>
}

export const passwordOf = (account: string): string => `Pw#${account}#2026`

/** What Active Directory takes as a password: the quoted text in UTF-16. */
const unicodePassword = (password: string): Buffer => Buffer.from(`"${password}"`, 'utf16le')

/** Makes a domain and starts its controller. */
export async function startSamba(): Promise<TestDomain> {
  const program = findSamba()
  if (program === undefined) throw new Error('this test needs samba-ad-dc: npm run test:full installs it')
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-samba-'))
  // The ports of a controller are fixed; the loopback network has many addresses.
  const address = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(2, 255)}`
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem'), base: join(folder, 'base.conf') }
  await writeFile(files.cert, certificate.cert)
  await writeFile(files.key, certificate.key, { mode: 0o600 })
  await writeFile(files.base, '[global]\n')
  await mkdir(join(folder, 'run'))
  const options = {
    interfaces: `${address}/8`,
    'bind interfaces only': 'yes',
    'server services': 'ldap',
    'tls certfile': files.cert,
    'tls keyfile': files.key,
    'tls cafile': files.cert,
    'pid directory': join(folder, 'run'),
    'ncalrpc dir': join(folder, 'run/ncalrpc'),
    'ntp signd socket directory': join(folder, 'run/ntp'),
    'log level': '0',
  }
  const given = Object.entries(options).map(([name, value]) => `--option=${name}=${value}`)
  const domain = join(folder, 'domain')
  await promisify(execFile)(join(program, '../../bin/samba-tool'), [
    ...['domain', 'provision', `--configfile=${files.base}`, `--targetdir=${domain}`, ...given],
    ...['--realm=HUAXIN.EXAMPLE', '--domain=HUAXIN', `--adminpass=${domainPassword}`, '--server-role=dc'],
    ...['--dns-backend=NONE', '--host-name=dc1', `--host-ip=${address}`],
  ])
  const process = spawn(program, ['-F', '-M', 'single', '-s', join(domain, 'etc/smb.conf'), ...given], {
    stdio: 'ignore',
  })
  const forwards = [await forwardTo(process, address, 389), await forwardTo(process, address, 636)]
  const [ldap = '', ldaps = ''] = forwards.map((server) => `localhost:${(server.address() as AddressInfo).port}`)
  const asAdmin: TestDomain['asAdmin'] = async (work) => {
    const client = new Client({ url: `ldaps://${ldaps}`, tlsOptions: { ca: certificate.cert } })
    try {
      await client.bind(domainAdmin, domainPassword)
      return await work(client)
    } finally {
      await client.unbind()
    }
  }
  const add: TestDomain['add'] = (dn, attributes) => asAdmin((client) => client.add(dn, { ...attributes }))
  return {
    ...{ urls: { ldap: `ldap://${ldap}`, ldaps: `ldaps://${ldaps}` }, certificate: certificate.cert, asAdmin, add },
    async addPerson(account, more = {}, unit = `CN=Users,${domainBase}`) {
      const dn = `CN=${account},${unit}`
      const own = {
        ...{ objectClass: 'user', sAMAccountName: account, displayName: account, ...more },
        ...{ userAccountControl: String(control.normal) },
      }
      await asAdmin((client) =>
        client.add(dn, [
          ...Object.entries(own).map(([type, values]) => new Attribute({ type, values: [values].flat() })),
          new Attribute({ type: 'unicodePwd', values: [unicodePassword(passwordOf(account))] }),
        ]),
      )
      return dn
    },
    set: (dn, type, values) =>
      asAdmin((client) =>
        client.modify(dn, new Change({ operation: 'replace', modification: new Attribute({ type, values }) })),
      ),
    async close() {
      for (const server of forwards) server.close()
      process.kill('SIGTERM')
      if (process.exitCode === null && process.signalCode === null) await once(process, 'exit')
      await rm(folder, { recursive: true })
    },
  }
}

/** A port of localhost, the name in the certificate, that leads to a port of the controller, once that answers. */
async function forwardTo(process: ChildProcess, host: string, port: number): Promise<Server> {
  for (let tries = 0; ; tries += 1) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, host)
      socket.once('connect', () => {
        socket.destroy()
        resolve(true)
      })
      socket.once('error', () => resolve(false))
    })
    if (open) break
    if (tries > 600 || process.exitCode !== null) throw new Error('samba did not start')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const server = createServer((from) => {
    const to = connect(port, host)
    from.pipe(to).pipe(from)
    from.once('error', () => to.destroy())
    to.once('error', () => from.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}
