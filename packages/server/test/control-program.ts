/*
 * A control program in its own process, written from the documentation. It answers a page that looks for it. For each
 * address of its scheme it fetches the file under a lock, changes it and submits it, through server calls only.
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'

/** The outcome of an address that it was asked to open. */
export interface Opened {
  /** The parameters of the address. */
  readonly told: Readonly<Record<string, string>>
  /** The result code of each call, in order. The last one is the result of using the one-time key a second time. */
  readonly results: readonly number[]
  readonly text: string
}

const [version = '1.0.0', port = '0'] = process.argv.slice(2)
const pages = new WebSocketServer({ host: '127.0.0.1', port: Number(port) })
pages.on('connection', (page) =>
  page.on('message', (asked) => {
    const { option } = JSON.parse((asked as Buffer).toString()) as { option: string }
    page.send(JSON.stringify({ option, version }))
  }),
)
await once(pages, 'listening')
process.send?.({ port: (pages.address() as AddressInfo).port })
process.on('message', (address: string) => void open(address).then((opened) => process.send?.(opened)))

async function open(address: string): Promise<Opened> {
  const told = Object.fromEntries(new URL(address).searchParams)
  const { server = '', fileId = '', key = '' } = told
  let token = ''
  const ask = async (method: string, path: string, body?: URLSearchParams | string): Promise<Response> => {
    const headers = token === '' ? {} : { authorization: `Bearer ${token}` }
    return fetch(`${server}${path}`, { method, headers, ...(body !== undefined && { body }) })
  }
  const results: number[] = []
  const call = async <T>(...request: Parameters<typeof ask>): Promise<T> => {
    const { result, data } = (await (await ask(...request)).json()) as { result: number; data: T }
    results.push(result)
    return data
  }
  const signIn = () =>
    call<{ accessToken: string } | null>(
      'POST',
      '/services/json/login/login3ByLoginKey',
      new URLSearchParams({ clientType: '64', loginKey: key }),
    )
  token = (await signIn())?.accessToken ?? ''
  const locked = await call<{ version: number } | null>('POST', `/services2/edit/fileEditLock/${fileId}/64`)
  const now = locked?.version ?? 0
  const content = await ask('GET', `/DownloadServlet?fileId=${fileId}&version=${now}`)
  const text = content.ok ? await content.text() : ''
  await call('PUT', `/services2/upload/submit/${fileId}?version=${now}`, `${text}, and what a program wrote`)
  await call('POST', `/services2/edit/fileEditUnlock/${fileId}/64`)
  await call('GET', '/services2/login/logout2')
  token = ''
  await signIn()
  return { told, results, text }
}
