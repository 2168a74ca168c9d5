/*
 * The base revision of a PDF that is to be signed: the file written once with a plain cross-reference table, with the
 * empty fields of all signers. Afterwards every change is an incremental update (increment.ts), so a signature that was
 * made stays valid. Uploaded files are read in a confined process (base-process.ts).
 */
import { Readable } from 'node:stream'
import { type Limits, runConfined, siblingProgram } from '../../core/confined/confined.ts'

/** A place on a page, in the coordinates of the page (PDF points, origin at the bottom left). */
export interface FieldPlace {
  /** The number of the page, from 1. */
  readonly page: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A field to add. Without a place one is found on the last page. */
export interface NewField {
  readonly name: string
  /** Whether a signature stands there, or text that its signer writes. */
  readonly kind: 'signature' | 'text'
  readonly place: FieldPlace | undefined
}

/** A field of the base revision, with the numbers of its objects. */
export interface BaseField {
  readonly name: string
  readonly kind: 'signature' | 'text'
  readonly object: number
  readonly pageObject: number
  /** How far the page is turned clockwise when it is shown: 0, 90, 180 or 270. */
  readonly turn: number
  readonly place: FieldPlace
}

/** What an incremental update must know about the base revision. */
export interface BaseLayout {
  readonly pages: number
  /** The number of objects, and the numbers of the objects that the trailer names. */
  readonly size: number
  readonly root: number
  readonly info: number | null
  readonly fields: readonly BaseField[]
}

const program = siblingProgram(import.meta.url, 'base-process')
const mb = 1024 * 1024
/** Maximum size of a PDF that can be signed. */
export const largestSigned = 150 * mb

/** Why a PDF cannot be signed. */
export type NotSignable = 'signed' | 'encrypted' | 'broken' | 'empty' | 'place' | 'large'

/** A PDF cannot be signed. */
export class UnsuitableForSigning extends Error {
  override name = 'UnsuitableForSigning'
  readonly why: NotSignable

  constructor(why: NotSignable) {
    super(why)
    this.why = why
  }
}

const limitsFor = (size: number): Limits => ({
  wallMs: 120_000,
  cpuSeconds: 120,
  heapMb: 1536,
  otherMb: 768 + Math.ceil((8 * size) / mb),
  outputBytes: 2 * size + 50 * mb,
})

/** Writes the base revision of a PDF, with empty fields. Throws {@link UnsuitableForSigning}. */
export async function makeBase(
  pdf: Buffer,
  fields: readonly NewField[],
  signal?: AbortSignal,
): Promise<{ readonly bytes: Buffer; readonly layout: BaseLayout }> {
  if (pdf.length > largestSigned) throw new UnsuitableForSigning('large')
  const asked = Buffer.from(JSON.stringify(fields))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(asked.length)
  const answer = await runConfined({
    program,
    input: Readable.from([length, asked, pdf], { objectMode: false }),
    limits: limitsFor(pdf.length),
    isAwaited: true,
    ...(signal !== undefined && { signal }),
  })
  const end = 5 + answer.readUInt32LE(1)
  const head = JSON.parse(answer.toString('utf8', 5, end)) as BaseLayout & { readonly why: NotSignable }
  if (answer[0] !== 0) throw new UnsuitableForSigning(head.why)
  return { bytes: answer.subarray(end), layout: head }
}
