/*
 * The lists of revoked certificates (CRL, RFC 5280) of the company's authorities. Certificates that they issue name the
 * address of their list, if the installation knows its own address; readers of signed files fetch it there.
 */
import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import type { Secrets } from '../../core/secrets.ts'
import { unsealKey } from './keys.ts'
import { signatureKey } from './signature-key.ts'

x509.cryptoProvider.set(webcrypto)

const hourMs = 60 * 60_000
/** Readers fetch a new list after this. A list is made anew each hour, and at once when something was revoked. */
const lifeMs = 7 * 24 * hourMs

/** Lists that were made last, by their authority. Each is signed once for all who ask. */
const made = new Map<string, { readonly version: string; readonly list: Promise<Buffer> }>()
const mostMade = 100

/** The list of an authority, in DER. Undefined for an authority that is unknown. */
export async function revocationList(
  db: Db,
  secrets: Pick<Secrets, 'signingKey'>,
  authorityId: number,
  now: number,
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ serial: string; certificate: Buffer; sealed_key: string }>`
    select serial, certificate, sealed_key from sign_certificate
    where id = ${authorityId} and kind = 'authority' and sealed_key <> ''`.execute(db)
  const [authority] = rows
  if (authority === undefined) return undefined
  const { rows: revoked } = await sql<{ serial: string; at: number }>`
    select serial, revoked_at as at from sign_certificate
    where authority_id = ${authorityId} and revoked_at is not null order by revoked_at, id`.execute(db)
  const hour = Math.floor(now / hourMs) * hourMs
  const version = `${hour} ${revoked.length} ${revoked.at(-1)?.at ?? 0}`
  const known = made.get(authority.serial)
  if (known?.version === version) return known.list
  const list = makeList(authority.certificate, unsealKey(secrets, authority), revoked, {
    // Later than the hour if something was revoked since.
    from: Math.max(hour, revoked.at(-1)?.at ?? 0),
    until: hour + lifeMs,
  })
  if (made.size >= mostMade) made.clear()
  made.set(authority.serial, { version, list })
  list.catch(() => made.delete(authority.serial))
  return list
}

async function makeList(
  certificate: Buffer,
  key: Buffer,
  revoked: readonly { readonly serial: string; readonly at: number }[],
  { from, until }: { readonly from: number; readonly until: number },
): Promise<Buffer> {
  const issuer = new x509.X509Certificate(certificate)
  const { privateKey: signingKey, algorithm: signingAlgorithm } = await signatureKey(certificate, key)
  const list = await x509.X509CrlGenerator.create({
    issuer: issuer.subjectName,
    thisUpdate: new Date(from),
    nextUpdate: new Date(until),
    signingKey,
    signingAlgorithm,
    entries: revoked.map(({ serial, at }) => ({ serialNumber: serial, revocationDate: new Date(at) })),
    extensions: [
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      new x509.Extension('2.5.29.20', false, integer(from)),
    ],
  })
  return Buffer.from(list.rawData)
}

/** The number of a list as an INTEGER of DER; it only grows, as it is a time. */
function integer(n: number): Uint8Array {
  const bytes = Buffer.from(n.toString(16).padStart(14, '0'), 'hex')
  return Buffer.concat([Buffer.from([2, bytes.length]), bytes])
}
