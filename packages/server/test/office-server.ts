/*
 * An office server in its own process, written from the WOPI documentation. It announces what it edits and its signing
 * keys, and sends requests to a WOPI host on a test's command.
 */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The request that a test makes it send. */
export interface OfficeRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The signing keys: current, rotated, wrong, or no signature. */
  readonly signs?: 'current' | 'rotated' | 'wrong' | 'none'
  /** The age of the request according to its timestamp. */
  readonly ageMs?: number
}

export interface OfficeResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const keys = { current: pair(), old: pair(), next: pair(), wrong: pair() }

const number = (key: KeyObject, part: 'n' | 'e'): string =>
  Buffer.from(String(key.export({ format: 'jwk' })[part]), 'base64url').toString('base64')

const server = createServer((request, response) => {
  const { port } = server.address() as AddressInfo
  if (request.url?.startsWith('/page/edit') === true) return void page(request, response)
  if (request.url !== '/hosting/discovery') return void response.writeHead(404).end()
  const at = `http://127.0.0.1:${port}`
  const action = (name: string, ext: string): string =>
    `<action name="${name}" ext="${ext}" urlsrc="${at}/page/${name}?&lt;ui=UI_LLCC&amp;&gt;&lt;rs=DC_LLCC&amp;&gt;&lt;dchat=DISABLE_CHAT&amp;&gt;"/>`
  response
    .writeHead(200, { 'content-type': 'text/xml' })
    .end(
      `<?xml version="1.0"?><wopi-discovery><net-zone name="external-http"><app name="Word">${action('edit', 'docx')}${action(
        'view',
        'docx',
      )}${action('edit', 'rtf')}</app></net-zone><proof-key modulus="${number(keys.current.publicKey, 'n')}" exponent="${number(
        keys.current.publicKey,
        'e',
      )}" oldmodulus="${number(keys.old.publicKey, 'n')}" oldexponent="${number(keys.old.publicKey, 'e')}"/></wopi-discovery>`,
    )
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))

/** The editing page: it names the file that the access token in the form opens. */
async function page(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const key = new URLSearchParams(Buffer.concat(chunks).toString()).get('access_token') ?? ''
  const source = new URL(request.url ?? '', 'http://office').searchParams.get('WOPISrc') ?? ''
  const url = `${source}?access_token=${encodeURIComponent(key)}`
  const answer = await fetch(url, { headers: signed({ method: 'GET', url }) })
  const said = answer.ok ? ((await answer.json()) as { BaseFileName: string }).BaseFileName : String(answer.status)
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<p>Office: ${said}</p>`)
}

function signed({ url, signs = 'current', ageMs = 0 }: OfficeRequest): Record<string, string> {
  if (signs === 'none') return {}
  const token = new URL(url).searchParams.get('access_token') ?? ''
  const timestamp = (BigInt(Date.now() - ageMs) * 10_000n + 621_355_968_000_000_000n).toString()
  const sized = (bytes: Buffer): Buffer => {
    const size = Buffer.alloc(4)
    size.writeInt32BE(bytes.length)
    return Buffer.concat([size, bytes])
  }
  const time = Buffer.alloc(8)
  time.writeBigInt64BE(BigInt(timestamp))
  const bytes = Buffer.concat([sized(Buffer.from(token)), sized(Buffer.from(url.toUpperCase())), sized(time)])
  const [newest, before] =
    signs === 'current'
      ? [keys.current, keys.old]
      : signs === 'rotated'
        ? [keys.next, keys.current]
        : [keys.wrong, keys.wrong]
  const proof = (key: KeyObject): string => sign('RSA-SHA256', bytes, key).toString('base64')
  return {
    'x-wopi-timestamp': timestamp,
    'x-wopi-proof': proof(newest.privateKey),
    'x-wopi-proofold': proof(before.privateKey),
  }
}

process.on('message', (message: { readonly n: number; readonly asks: OfficeRequest }) => {
  void (async () => {
    const { n, asks } = message
    const { method, url, headers, body } = asks
    const answer = await fetch(url, {
      method,
      headers: { ...signed(asks), ...headers },
      ...(body === undefined ? {} : { body }),
    })
    const hears: OfficeResponse = {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: await answer.text(),
    }
    process.send?.({ n, hears })
  })()
})
