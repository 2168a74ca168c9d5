/*
 * The WOPI discovery of the office server: which types it edits on which pages, and its keys for signing requests.
 * Cached for an hour; fetched again if a signature matches none of the keys, at most once a minute.
 */
import { createPublicKey, type KeyObject } from 'node:crypto'
import type { InstallationSetting } from '@cloudoc/contract'
import { type Detail, fail, MultiEdit } from '@cloudoc/domain'
import { OutboundFailure, readResponse } from '../../core/outbound-http.ts'
import type { Settings } from '../../core/settings.ts'

const cacheMs = 60 * 60_000
const refreshMs = 60_000
const timeMs = 10_000
const limits = { bytes: 1024 * 1024, inflatedBytes: 4 * 1024 * 1024 }

export interface Discovery {
  /** The origin of its pages, for the content security policy of pages that frame them. */
  readonly origin: string
  /** The newest key and the previous one. */
  readonly current: KeyObject
  readonly previous: KeyObject | undefined
  /** The page address for each extension, as written by the server. */
  readonly edit: ReadonlyMap<string, string>
  readonly view: ReadonlyMap<string, string>
}

const refuse = (zh: string, en: string): never => fail('officeNotUsable', { zh, en } satisfies Detail)

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function attributesOf(tag: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...tag.matchAll(/([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, name = '', double, single]) => [
      name,
      (double ?? single ?? '').replace(/&(amp|lt|gt|quot|apos);/g, (_whole, entity: string) => entities[entity] ?? ''),
    ]),
  )
}

function keyOf(modulus: string | undefined, exponent: string | undefined): KeyObject | undefined {
  if (modulus === undefined || exponent === undefined || modulus === '' || exponent === '') return undefined
  const number = (text: string): string => Buffer.from(text, 'base64').toString('base64url')
  try {
    return createPublicKey({ key: { kty: 'RSA', n: number(modulus), e: number(exponent) }, format: 'jwk' })
  } catch {
    return undefined
  }
}

/** Parses a discovery document; refuses an invalid one with the reason. */
export function readDiscovery(xml: string, origin: string): Discovery {
  const tags = [...xml.matchAll(/<(action|proof-key)\b((?:[^>"']|"[^"]*"|'[^']*')*)>/g)].map(([, name, rest = '']) => ({
    name,
    set: attributesOf(rest),
  }))
  const proof = tags.find(({ name }) => name === 'proof-key')?.set
  const current = keyOf(proof?.['modulus'], proof?.['exponent'])
  const edit = new Map<string, string>()
  const view = new Map<string, string>()
  let elsewhere = ''
  for (const { name, set } of tags) {
    const { ext = '', name: action, urlsrc = '' } = set
    if (name !== 'action' || ext === '' || !/^https?:/i.test(urlsrc)) continue
    // The content security policy would block a page of another origin.
    if (originOf(urlsrc) !== origin) elsewhere = originOf(urlsrc)
    else if (action === 'edit') edit.set(ext.toLowerCase(), urlsrc)
    else if (action === 'view') view.set(ext.toLowerCase(), urlsrc)
  }
  if (edit.size === 0 && elsewhere !== '')
    return refuse(
      `其页面位于 ${elsewhere}，与设置的地址不同`,
      `its pages are at ${elsewhere}, not at the address that is set`,
    )
  if (edit.size === 0) return refuse('地址返回的不是 WOPI discovery', 'what answers there is no WOPI discovery')
  if (current === undefined) return refuse('它没有签名密钥（proof-key）', 'it has no key to sign with (proof-key)')
  const old = keyOf(proof?.['oldmodulus'], proof?.['oldexponent'])
  return { origin, current, previous: old, edit, view }
}

function originOf(url: string): string {
  try {
    return new URL(url.replace(/<[^>]*>/g, '')).origin
  } catch {
    return ''
  }
}

/** The origin of the office server; undefined if none is used. */
export function officeOrigin({ setting, inner }: InstallationSetting): string | undefined {
  if (setting.multi_edit_type !== MultiEdit.office || inner.office_server === '') return undefined
  return originOf(inner.office_server) || undefined
}

/** The address of an office page for a file. */
export function pageAddress(urlsrc: string, source: string, locale: string): string {
  const filled = urlsrc.replace(/<([\w-]+)=([\w-]+)&?>/g, (_whole, name: string, placeholder: string) =>
    placeholder === 'UI_LLCC' || placeholder === 'DC_LLCC' ? `${name}=${locale}&` : '',
  )
  const plain = filled.replace(/<[^>]*>/g, '').replace(/[?&]$/, '')
  return `${plain}${plain.includes('?') ? '&' : '?'}WOPISrc=${encodeURIComponent(source)}`
}

export interface Office {
  /** Returns the discovery, cached or fetched; fails with -470 if no server is set, -471 if it cannot be used. */
  discovery(): Promise<Discovery>
  /** Fetches it again, unless that happened a moment ago. */
  refresh(): Promise<Discovery>
  /** Fetches it now, ignoring the cache. */
  ask(): Promise<Discovery>
}

export function createOffice(settings: Settings): Office {
  let kept: { readonly address: string; readonly at: number; readonly found: Discovery } | undefined
  let asking: { readonly address: string; readonly answer: Promise<Discovery> } | undefined

  const ask = async (address: string): Promise<Discovery> => {
    const path = /\/hosting\/discovery\/?$/.test(address) ? address : `${address.replace(/\/+$/, '')}/hosting/discovery`
    try {
      const { status, body } = await readResponse(path, { timeMs, signal: AbortSignal.timeout(2 * timeMs), ...limits })
      if (status !== 200) return refuse(`地址返回状态 ${status}`, `it answers with the status ${status}`)
      const found = readDiscovery(body.toString(), new URL(address).origin)
      kept = { address, at: performance.now(), found }
      return found
    } catch (error) {
      if (!(error instanceof OutboundFailure) && !(error instanceof DOMException)) throw error
      const silent = !(error instanceof OutboundFailure) || error.kind === 'silent'
      return silent
        ? refuse('没有响应', 'it does not answer')
        : refuse('返回的内容无法读取', 'what it answers cannot be read')
    }
  }
  const shared = (address: string): Promise<Discovery> => {
    if (asking?.address === address) return asking.answer
    const answer = ask(address).finally(() => {
      asking = undefined
    })
    asking = { address, answer }
    return answer
  }
  const address = async (): Promise<string> => {
    const { setting, inner } = await settings.current()
    const isOn = setting.multi_edit_type === MultiEdit.office && inner.office_server !== ''
    return isOn ? inner.office_server : fail('officeNotSetUp')
  }
  const within = async (ms: number): Promise<Discovery> => {
    const wanted = await address()
    return kept?.address === wanted && performance.now() - kept.at < ms ? kept.found : shared(wanted)
  }
  return {
    discovery: () => within(cacheMs),
    refresh: () => within(refreshMs),
    async ask() {
      const { inner } = await settings.current()
      return inner.office_server === '' ? fail('officeNotSetUp') : ask(inner.office_server)
    },
  }
}
