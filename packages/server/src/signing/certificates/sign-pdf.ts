// One signature on a PDF: the incremental update with its stamp, and the signature over all bytes of the file.
import { SignPdf } from '@signpdf/signpdf'
import type { BaseField } from '../../documents/signing/index.ts'
import { appendSignature, type BaseLayout, endOf, type FilledText, type Stamp } from '../../documents/signing/index.ts'
import { CadesSigner, type SigningKey, type Stamping } from './cades-signer.ts'

/** Bytes reserved for a signature beside its certificates, and for a time stamp. */
const reservedForRest = 4096 + 24 * 1024

/** What is signed, and by whom. */
export interface ToSign {
  readonly layout: BaseLayout
  /** The number of objects of the revision. */
  readonly size: number
  readonly field: BaseField
  readonly stamp: Stamp
  readonly texts: readonly FilledText[]
  readonly at: number
  readonly signer: string
  readonly reason: string
  readonly key: SigningKey
  /** Stamps the time of the signature. */
  readonly stamping?: Stamping | undefined
}

/** Appends a signature to a revision. Returns the next revision and its number of objects. */
export async function signPdf(
  revision: Buffer,
  toSign: ToSign,
): Promise<{ readonly bytes: Buffer; readonly size: number }> {
  const { layout, size, field, stamp, texts, at, signer, reason, key, stamping } = toSign
  const reserved = reservedForRest + key.chain.reduce((sum, { length }) => sum + length, 0)
  const appended = appendSignature(revision, layout, endOf(revision, size), {
    ...{ field, stamp, texts, at, signer, reason, reserved },
  })
  const bytes = await new SignPdf().sign(appended.bytes, new CadesSigner(key, stamping))
  // What was signed before must stand as it was: everything after it is an incremental update.
  if (!bytes.subarray(0, revision.length).equals(revision)) throw new Error('an earlier revision was changed')
  return { bytes, size: appended.size }
}
