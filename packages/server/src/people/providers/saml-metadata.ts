/*
 * The metadata of a SAML provider, read at its address: its name, where people are sent, and its signing certificates. It
 * is read again each day, so that a new certificate is known before the provider signs with it.
 */
import type { SamlSettings } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { SaxesParser } from 'saxes'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import { isForbiddenHost, OutboundFailure, readResponse } from '../../core/outbound-http.ts'
import type { Services } from '../../core/services.ts'
import { certificatesOf, validCertificates } from './saml.ts'

const answerMs = 15_000
const mostBytes = 4 * 1024 * 1024
const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

export interface SamlMetadata {
  readonly issuer: string
  readonly entryPoint: string
  /** In PEM. */
  readonly certificates: string
}

const unreadable = (): never =>
  fail('badRequest', {
    zh: '这个地址没有可用的 SAML 元数据',
    en: 'there is no usable SAML metadata at this address',
  })

const pemOf = (base64: string): string =>
  `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g)?.join('\n') ?? ''}\n-----END CERTIFICATE-----\n`

/** Reads metadata of one provider. Definitions of types have no place in it. */
export function parseMetadata(xml: string): SamlMetadata {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) return unreadable()
  const certificates = new Set<string>()
  let [issuer, entryPoint] = ['', '']
  const open: string[] = []
  let isForSigning = false
  let text = ''
  const parser = new SaxesParser({ xmlns: true })
  parser.on('opentag', ({ local, attributes }) => {
    open.push(local)
    text = ''
    const attribute = (name: string): string => attributes[name]?.value ?? ''
    if (local === 'EntityDescriptor') issuer = attribute('entityID')
    if (!open.includes('IDPSSODescriptor')) return
    if (local === 'SingleSignOnService' && attribute('Binding') === redirectBinding) entryPoint = attribute('Location')
    if (local === 'KeyDescriptor') isForSigning = attribute('use') !== 'encryption'
  })
  parser.on('text', (part) => {
    text += part
  })
  parser.on('closetag', () => {
    const local = open.pop()
    if (local === 'X509Certificate' && isForSigning && open.includes('IDPSSODescriptor'))
      certificates.add(text.replace(/\s+/g, ''))
  })
  parser.on('error', unreadable)
  parser.write(xml).close()
  const read = { issuer, entryPoint, certificates: [...certificates].map(pemOf).join('') }
  if (issuer === '' || !/^https?:\/\/[^\s#]+$/.test(entryPoint) || certificates.size === 0) return unreadable()
  certificatesOf(read.certificates)
  return read
}

/** Reads the metadata at an address. */
export async function readMetadata(address: string): Promise<SamlMetadata> {
  if (!/^https?:\/\/\S+$/.test(address) || isForbiddenHost(address)) return unreadable()
  const { status, body } = await readResponse(address, {
    ...{ timeMs: answerMs, signal: AbortSignal.timeout(answerMs), bytes: mostBytes, inflatedBytes: mostBytes },
    headers: { accept: 'application/samlmetadata+xml, application/xml, text/xml' },
  }).catch((error: unknown) => {
    if (error instanceof OutboundFailure) return fail('providerUnavailable')
    throw error
  })
  return status === 200 ? parseMetadata(body.toString('utf8')) : unreadable()
}

type Deps = Pick<Services, 'db' | 'now' | 'commit' | 'log'>

/** Reads the metadata of each provider again that has an address of it. */
export async function refreshMetadata(deps: Deps): Promise<void> {
  const { rows } = await sql<{ id: number; settings: SamlSettings }>`
    select id, settings from provider
    where enabled and settings ->> 'kind' = 'saml' and coalesce(settings ->> 'metadataUrl', '') <> ''`.execute(deps.db)
  for (const row of rows) await refreshOne(deps, row)
}

/**
 * Reads the metadata of one provider. An answer of another provider, an unreadable one or one without a valid certificate
 * changes nothing. Returns the settings if they have changed.
 */
async function refreshOne(
  { db, now, commit, log }: Deps,
  { id, settings }: { readonly id: number; readonly settings: SamlSettings },
): Promise<SamlSettings | undefined> {
  const read = await readMetadata(settings.metadataUrl).catch((error: unknown) => {
    log.warn({ provider: id, error: (error as Error).message }, 'the metadata of a provider could not be read')
    return undefined
  })
  if (read === undefined || read.issuer !== settings.issuer) return undefined
  const { certificates, entryPoint } = read
  if (validCertificates({ ...settings, certificates }, now()).length === 0) return undefined
  if (certificates === settings.certificates && entryPoint === settings.entryPoint) return undefined
  await db.transaction().execute(async (tx) => {
    // An administrator may have changed the settings meanwhile: only what was read is set.
    const changed = JSON.stringify({ certificates, entryPoint })
    await sql`
      update provider set settings = settings || ${changed}::jsonb
      where id = ${id} and settings ->> 'metadataUrl' = ${settings.metadataUrl}`.execute(tx)
    await commit(tx, [
      {
        ...{ changed: [], events: [], actor: undefined, now: now(), call: 'samlMetadataRead', address: '', items: [] },
        detail: { providerId: id },
      },
    ])
  })
  return { ...settings, certificates, entryPoint }
}

const renewals = oneTimeToken<Record<string, never>>('samlMetadata')
const renewalMs = 10 * 60_000

/**
 * Reads the metadata of a provider after an answer with an unknown signature: it may sign with a new key already. At most
 * every ten minutes, as anybody can send such an answer. Returns the settings if they have changed.
 */
export async function renewMetadata(
  deps: Deps,
  provider: { readonly id: number; readonly settings: SamlSettings },
): Promise<SamlSettings | undefined> {
  if (provider.settings.metadataUrl === '') return undefined
  const at = deps.now()
  const token = `${provider.id}:${Math.floor(at / renewalMs)}`
  const isFirst = await renewals.issueAs(deps.db, token, { value: {}, expiresAt: at + 2 * renewalMs })
  return isFirst ? refreshOne(deps, provider) : undefined
}
