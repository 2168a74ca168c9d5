// Debian's SimpleSAMLphp as the identity provider of a test, in the web server that PHP brings.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPhp, findSimpleSaml } from '../../../scripts/programs.mjs'
import { freePort } from './free-port.ts'
import { samlKeys } from './saml-keys.ts'

export interface SimpleSaml {
  readonly entityId: string
  readonly metadataUrl: string
  /** Makes a service known to it: whom it answers, and where. */
  trust(service: { readonly entityId: string; readonly answerAddress: string }): Promise<void>
  /**
   * Goes to the address that a service sends the browser to, and signs in by the form. Returns the form that the browser
   * is to send to the service, or undefined if the account or the password is wrong.
   */
  signIn(address: string, account: string, password: string): Promise<SamlForm | undefined>
  close(): Promise<void>
}

export interface SamlForm {
  readonly action: string
  readonly response: string
  readonly state: string
}

/** Its people: the attributes of each, by account and password. */
export type SamlPeople = Readonly<Record<`${string}:${string}`, Readonly<Record<string, readonly string[]>>>>

/** A value as PHP source. */
function php(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(php).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `[${Object.entries(value)
      .map(([key, one]) => `${php(key)} => ${php(one)}`)
      .join(', ')}]`
  if (typeof value === 'string') return `'${value.replaceAll(/['\\]/g, '\\$&')}'`
  return String(value)
}

const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'

export async function startSimpleSaml(people: SamlPeople): Promise<SimpleSaml> {
  const [program, source] = [findPhp(), findSimpleSaml()]
  if (program === undefined || !source) throw new Error('this test needs simplesamlphp: npm run test:full installs it')
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-simplesaml-'))
  const at = (name: string): string => join(folder, name)
  for (const name of ['certificates', 'metadata', 'sessions', 'temporary', 'log', 'data']) await mkdir(at(name))
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const entityId = 'https://idp.huaxin.example/simplesaml'
  const file = (name: string, variable: string, value: object) =>
    writeFile(at(name), `<?php\n$${variable} = ${php(value)};\n`)
  await file('config.php', 'config', {
    ...{ baseurlpath: `${origin}/`, certdir: `${at('certificates')}/`, loggingdir: `${at('log')}/` },
    ...{ datadir: `${at('data')}/`, tempdir: at('temporary'), metadatadir: `${at('metadata')}/` },
    ...{ secretsalt: 'of-a-test', 'auth.adminpassword': 'of-a-test', timezone: 'UTC', production: false },
    ...{ 'logging.handler': 'file', 'enable.saml20-idp': true, 'module.enable': { exampleauth: true } },
    ...{ 'store.type': 'phpsession', 'session.cookie.secure': false, 'session.cookie.samesite': 'Lax' },
    ...{ 'session.phpsession.savepath': at('sessions'), 'metadata.sources': [{ type: 'flatfile' }] },
  })
  await file('authsources.php', 'config', { people: { 0: 'exampleauth:UserPass', ...people } })
  await writeFile(at('certificates/key.pem'), samlKeys.own.key)
  await writeFile(at('certificates/certificate.pem'), samlKeys.own.certificate)
  await file('metadata/saml20-idp-hosted.php', "metadata['" + entityId + "']", {
    ...{ host: '__DEFAULT__', privatekey: 'key.pem', certificate: 'certificate.pem', auth: 'people' },
    NameIDFormat: persistent,
    authproc: { 1: { class: 'saml:PersistentNameID', attribute: 'uid' } },
  })
  const env = { SIMPLESAMLPHP_CONFIG_DIR: folder }
  const server = spawn(program, ['-d', 'opcache.enable=0', '-S', `127.0.0.1:${port}`, '-t', join(source, 'www')], {
    env,
    stdio: 'ignore',
  })
  const metadataUrl = `${origin}/saml2/idp/metadata.php`
  for (let tries = 0; !(await fetch(metadataUrl).catch(() => undefined))?.ok; tries += 1) {
    if (tries > 200 || server.exitCode !== null) throw new Error('SimpleSAMLphp did not start')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    ...{ entityId, metadataUrl },
    trust: (service) =>
      file('metadata/saml20-sp-remote.php', `metadata['${service.entityId}']`, {
        AssertionConsumerService: service.answerAddress,
        NameIDFormat: persistent,
      }),
    async signIn(address, account, password) {
      const browser = new FormBrowser()
      const page = await browser.open(address)
      const fields = { ...fieldsOf(page), username: account, password }
      const answer = await browser.open(`${origin}/module.php/core/loginuserpass.php`, new URLSearchParams(fields))
      const { SAMLResponse: response, RelayState: state = '' } = fieldsOf(answer)
      const action = decoded(/<form[^>]* action="([^"]*)"/.exec(answer)?.[1] ?? '')
      return response === undefined ? undefined : { action, response, state }
    },
    async close() {
      server.kill('SIGTERM')
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
      await rm(folder, { recursive: true })
    },
  }
}

const decoded = (text: string): string =>
  text
    .replaceAll(/&#(x?)([\da-f]+);/gi, (_, hex: string, code: string) =>
      String.fromCodePoint(Number.parseInt(code, hex === '' ? 10 : 16)),
    )
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** The hidden fields of a page. */
function fieldsOf(page: string): Record<string, string> {
  const inputs = [...page.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]) => input)
  const attribute = (input: string, name: string): string =>
    decoded(new RegExp(`\\s${name}="([^"]*)"`).exec(input)?.[1] ?? '')
  return Object.fromEntries(inputs.map((input) => [attribute(input, 'name'), attribute(input, 'value')]))
}

/** A browser without scripts: keeps cookies and follows. */
class FormBrowser {
  readonly cookies = new Map<string, string>()

  async open(address: string, body?: URLSearchParams): Promise<string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const init = { headers: { cookie }, redirect: 'manual' as const, ...(body && { method: 'POST', body }) }
    const response = await fetch(address, init)
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.cookies.set(name, value)
    }
    const location = response.headers.get('location')
    return location === null ? response.text() : this.open(new URL(location, address).href)
  }
}
