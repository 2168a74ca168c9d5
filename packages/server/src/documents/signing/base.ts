/*
 * The base revision of a PDF that is to be signed: the file written once with a plain cross-reference table, with the
 * empty fields of all signers. Afterwards every change is an incremental update (increment.ts), so a signature that was
 * made stays valid. Uploaded files are read in a confined process (base-process.ts).
 */
import { Readable } from 'node:stream'
import type { Watermark } from '@cloudoc/contract'
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

/** What is added to a PDF for its signers. */
export interface Additions {
  readonly fields: readonly NewField[]
  /** Drawn on every page, so that it is part of what everybody sees and signs ([R279]). */
  readonly watermark?: Watermark | undefined
}

/** A field to add. Without a place one is found on the last page. */
export interface NewField {
  readonly name: string
  /** Whether a signature stands there, or text that its signer writes. */
  readonly kind: 'signature' | 'text'
  readonly place: FieldPlace | undefined
  /** Whether the picture stands on every page, or in slices across the edges of all pages; one signature all the same. */
  readonly spread?: Spread
}

/** Where the picture of a signature stands beside its own place. */
export type Spread = 'one' | 'every' | 'edge'

/** A field of the base revision, with the numbers of its objects. */
export interface BaseField {
  readonly name: string
  /** A mark shows the picture of a signature on another page. */
  readonly kind: 'signature' | 'text' | 'mark'
  /** Of a mark: the number of the field whose picture it shows. */
  readonly of?: number
  /** Which vertical slice of the picture stands here, of how many. */
  readonly slice?: { readonly index: number; readonly count: number }
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
  /** The dictionary of the catalog as it is written; null where it is too large. Missing in earlier processes. */
  readonly catalog?: string | null
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

/** Writes the base revision of a PDF, with empty fields and a watermark if there is one. Throws {@link UnsuitableForSigning}. */
export async function makeBase(
  pdf: Buffer,
  additions: Additions,
  signal?: AbortSignal,
): Promise<{ readonly bytes: Buffer; readonly layout: BaseLayout }> {
  if (pdf.length > largestSigned) throw new UnsuitableForSigning('large')
  const asked = Buffer.from(JSON.stringify(additions))
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
