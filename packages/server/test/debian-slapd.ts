// Debian's slapd for a test: a directory of its own in memory-sized files, with TLS by a certificate made for it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from 'ldapts'
import { findSlapd } from '../../../scripts/programs.mjs'
import { certificate } from './certificate.ts'
import { freePort } from './free-port.ts'

export const directoryBase = 'dc=huaxin,dc=example'
export const directoryAdmin = `cn=admin,${directoryBase}`
export const directoryPassword = 'Directory#Admin'

export interface TestDirectory {
  readonly port: number
  /** The address, as a provider is set up with it. */
  readonly url: string
  /** The certificate authority of its TLS. */
  readonly certificate: string
  /** Adds entries, with objects of attributes. */
  add(dn: string, attributes: Readonly<Record<string, string | string[]>>): Promise<void>
  addPerson(uid: string, more?: Readonly<Record<string, string | string[]>>, unit?: string): Promise<string>
  remove(dn: string): Promise<void>
  /** Works on the directory as its administrator. */
  asAdmin<T>(work: (client: Client) => Promise<T>): Promise<T>
  /** Stops it, if it runs; `start` lets it answer again. */
  stop(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/** Starts a directory with the company's base and the units `people` and `groups`. */
export async function startSlapd({ sizeLimit = 'unlimited' }: { sizeLimit?: string } = {}): Promise<TestDirectory> {
  const program = findSlapd()
  if (program === undefined) throw new Error('this test needs slapd: npm test installs it')
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-slapd-'))
  const data = join(folder, 'data')
  await mkdir(data)
  const { cert, key } = certificate
  await writeFile(join(folder, 'cert.pem'), cert)
  await writeFile(join(folder, 'key.pem'), key)
  const schema = join(dirname(dirname(dirname(program))), 'etc/ldap/schema')
  const configuration = join(folder, 'slapd.conf')
  await writeFile(
    configuration,
    [
      ...['core', 'cosine', 'inetorgperson'].map((name) => `include ${schema}/${name}.schema`),
      `modulepath ${join(dirname(dirname(program)), 'lib/ldap')}`,
      'moduleload back_mdb',
      'moduleload ppolicy',
      `pidfile ${join(folder, 'slapd.pid')}`,
      `TLSCertificateFile ${join(folder, 'cert.pem')}`,
      `TLSCertificateKeyFile ${join(folder, 'key.pem')}`,
      'allow bind_v2',
      'database mdb',
      'maxsize 1073741824',
      `suffix "${directoryBase}"`,
      `rootdn "${directoryAdmin}"`,
      `rootpw ${directoryPassword}`,
      `directory ${data}`,
      // What a killed machine loses does not matter here.
      'dbnosync',
      'index objectClass,entryUUID,uid eq',
      `sizelimit ${sizeLimit}`,
      'overlay ppolicy',
      '',
    ].join('\n'),
  )
  const port = await freePort()
  let process: ReturnType<typeof spawn> | undefined
  const start = async (): Promise<void> => {
    if (process !== undefined) return
    process = spawn(program, ['-h', `ldap://127.0.0.1:${port}`, '-f', configuration, '-d', '0'], { stdio: 'ignore' })
    await listening(port)
  }
  const stop = async (): Promise<void> => {
    const running = process
    process = undefined
    if (running === undefined || running.exitCode !== null) return
    running.kill('SIGTERM')
    await once(running, 'exit')
  }
  await start()
  const asAdmin = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    const client = new Client({ url: `ldap://127.0.0.1:${port}` })
    try {
      await client.bind(directoryAdmin, directoryPassword)
      return await work(client)
    } finally {
      await client.unbind()
    }
  }
  const add: TestDirectory['add'] = (dn, attributes) => asAdmin((client) => client.add(dn, { ...attributes }))
  await add(directoryBase, { objectClass: ['dcObject', 'organization'], dc: 'huaxin', o: '华信' })
  await add(`ou=people,${directoryBase}`, { objectClass: 'organizationalUnit', ou: 'people' })
  await add(`ou=groups,${directoryBase}`, { objectClass: 'organizationalUnit', ou: 'groups' })
  return {
    ...{ port, url: `ldap://localhost:${port}`, certificate: cert, add, asAdmin, start, stop },
    async addPerson(uid, more = {}, unit = `ou=people,${directoryBase}`) {
      const dn = `uid=${uid},${unit}`
      await add(dn, {
        ...{
          objectClass: 'inetOrgPerson',
          uid,
          cn: uid,
          sn: uid,
          userPassword: `Pw#${uid}`,
          mail: `${uid}@huaxin.example`,
        },
        ...more,
      })
      return dn
    },
    remove: (dn) => asAdmin((client) => client.del(dn)),
    async close() {
      await stop()
      await rm(folder, { recursive: true })
    },
  }
}

async function listening(port: number): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('connect', () => {
        socket.destroy()
        resolve(true)
      })
      socket.once('error', () => resolve(false))
    })
    if (open) return
    if (tries > 200) throw new Error('slapd did not start')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
