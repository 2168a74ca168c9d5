// Checks the signatures in a file: what its bytes say, and what this company knows of the certificates.
import type { SignatureCheck } from '@cloudoc/contract'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import { checkSignatures } from '../certificates/index.ts'

/** Checks all signatures of a PDF. */
export async function checkPdf(db: Db, pdf: Buffer): Promise<{ list: SignatureCheck[]; isChangedSince: boolean }> {
  const { rows } = await sql<{ certificate: Buffer; chain: Buffer[] }>`
    select certificate, chain from sign_certificate
    where kind in ('authority', 'company') and revoked_at is null`.execute(db)
  const { list, isChangedSince } = await checkSignatures(
    pdf,
    rows.map(({ certificate, chain }) => chain.at(-1) ?? certificate),
  )
  const serials = list.map(({ serialNumber }) => serialNumber)
  const known = await sql<{ serial: string; revokedAt: number | null }>`
    select serial, revoked_at as "revokedAt" from sign_certificate where serial = any(${serials})`.execute(db)
  const revokedOf = new Map(known.rows.map(({ serial, revokedAt }) => [serial, revokedAt]))
  return {
    isChangedSince,
    list: list.map(({ end: _, ...one }) => {
      const revokedAt = revokedOf.get(one.serialNumber) ?? null
      return {
        ...one,
        // A signature made before its certificate was revoked stays valid.
        isRevoked: revokedAt !== null && (one.time === null || revokedAt <= one.time),
      }
    }),
  }
}
