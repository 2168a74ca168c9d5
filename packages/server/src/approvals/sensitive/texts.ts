/*
 * The texts of contents as the check matches them: what search has extracted, or everything in a content where that is
 * not enough, because it contains other files or what it does not show, is a sheet whose cells are wanted, or is longer
 * than search reads.
 */
import { Readable } from 'node:stream'
import type { UninspectedReason } from '@cloudoc/contract'
import { docTypeOf, documentKind, extNameOf, type HiddenContentKind } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Contents } from '../../core/blobs/contents.ts'
import { ConfinedFailure } from '../../core/confined/confined.ts'
import type { Db } from '../../core/db/database.ts'
import { joinLines, normalised } from '../../core/folding.ts'
import {
  type InspectedSection,
  inspectDocument,
  largestDocument,
  type NotRead,
  Refused,
  type TextSection,
} from '../../documents/index.ts'
import { fewLetters, isTextSearchable, mostLetters } from '../../search/items/index.ts'
import { isReadWhole } from './check.ts'
import type { TextToMatch } from './matcher.ts'
import type { LeftOut, Outcome } from './outcome.ts'

/** A part of a content as it is matched and shown. */
export interface ReadSection extends TextToMatch {
  readonly kind: TextSection['kind']
  readonly name: string
  readonly path: string
  readonly place: '' | HiddenContentKind
}

/** The texts of a content, and what of it was not read. */
export interface ReadText extends Outcome {
  readonly sections: readonly ReadSection[]
  readonly left: readonly LeftOut[]
  /** Everything in the content, not only what search has extracted. */
  readonly isWhole: boolean
}

const reasons: Readonly<Record<NotRead, UninspectedReason>> = {
  sourceEncrypted: 'encrypted',
  archiveTooLarge: 'tooLarge',
  cellLimit: 'tooLarge',
  conversionUnsupported: 'unknownKind',
  conversionFailed: 'damaged',
  tooDeep: 'tooDeep',
  picture: 'picture',
}
const reasonOf = (code: string): UninspectedReason =>
  code === 'time' ? 'time' : (reasons[code as NotRead] ?? 'failed')

/** An inspected section with all that is said of it. */
type WholeSection = Omit<InspectedSection, 'place'> & Pick<ReadSection, 'place'>

/** A sheet's cells joined to one text, with the place of each. */
function sectionOfCells({ kind, name, path, place, cells = [] }: WholeSection): ReadSection {
  const placed: [row: number, column: number, start: number][] = []
  let [text, row] = ['', -1]
  for (const [at, column, value] of cells) {
    // A line end separates numbers in different rows, a tab those in different columns; no number goes on after a tab.
    if (placed.length > 0) text += at === row ? '\t' : '\t\n'
    row = at
    placed.push([at, column, text.length])
    text += normalised(value).replace(/\n/g, ' ')
  }
  return { kind, name, path, place, text, cells: placed }
}

function sectionOf(read: InspectedSection): ReadSection {
  const section: WholeSection = { ...read, place: read.place ?? '' }
  if (section.cells !== undefined) return sectionOfCells(section)
  const { kind, name, path, place, text } = section
  return { kind, name, path, place, text: normalised(kind === 'page' ? joinLines(text.normalize('NFKC')) : text) }
}

/** Kinds whose cells are found one by one. */
export const hasCells = (ext: string): boolean => {
  const kind = documentKind(ext)
  return kind === 'xlsx' || kind === 'xls' || kind === 'table' || (kind === 'odf' && /^(?:ods|ots)$/i.test(ext))
}

const notRead = (reason: UninspectedReason): ReadText => ({
  sections: [],
  left: [],
  outcome: 'notInspected',
  reason,
  isWhole: true,
})

/** The text for somebody who looks at it now: a failure of its process is a reason, not an error. */
export async function readTextNow(...asked: Parameters<typeof readText>): Promise<ReadText | undefined> {
  try {
    return await readText(...asked)
  } catch (error) {
    const reason = failureReason(error)
    if (reason === undefined) throw error
    return notRead(reason)
  }
}

/** Why a process did not read a content; undefined for any other error. */
export function failureReason(error: unknown): UninspectedReason | undefined {
  if (!(error instanceof ConfinedFailure)) return undefined
  return error.code === 'time' ? 'time' : 'damaged'
}

/** Reads everything in a content. Throws the errors of its process, which may succeed when tried again. */
export async function readWhole(
  db: Db,
  contents: Contents,
  blobId: number,
  ext: string,
  signal?: AbortSignal,
): Promise<ReadText | undefined> {
  const content = await db
    .selectFrom('blob')
    .select(['id as blobId', 'key', 'size', 'sha256'])
    .where('id', '=', blobId)
    .executeTakeFirst()
  if (content === undefined) return undefined
  if (content.size > largestDocument) return notRead('tooLarge')
  try {
    await using object = await contents.open(content)
    const body = Readable.from(object, { objectMode: false })
    const { sections, left, isCut } = await inspectDocument(
      { content: body, size: content.size, ext },
      { ...(signal && { signal }) },
    )
    const own = left.find(({ path }) => path === '')
    if (own !== undefined) return notRead(reasonOf(own.reason))
    const read = documentKind(ext) === 'pdf' ? await withRecognized(db, blobId, sections) : sections
    const inside = left.map(({ path, reason }) => ({ path, reason: reasonOf(reason) }))
    const reason = isCut ? 'tooLarge' : (inside[0]?.reason ?? '')
    return {
      sections: read.map(sectionOf),
      left: inside,
      outcome: reason === '' ? 'inspected' : 'partly',
      reason,
      isWhole: true,
    }
  } catch (error) {
    if (signal?.aborted === true) throw error
    if (error instanceof Refused) return notRead(reasonOf(error.code))
    throw error
  }
}

/** The pages of a PDF; those that were scanned have the text that search has recognized. */
async function withRecognized(
  db: Db,
  blobId: number,
  sections: readonly InspectedSection[],
): Promise<readonly InspectedSection[]> {
  const isScan = ({ kind, path, place, text }: InspectedSection): boolean =>
    kind === 'page' && path === '' && place === undefined && text.trim().length < fewLetters
  if (!sections.some(isScan)) return sections
  const known = await readExtracted(db, blobId)
  const pages = new Map(known?.sections.map(({ name, text }) => [name, text]))
  return sections.map((one) => (isScan(one) ? { ...one, text: pages.get(one.name) ?? one.text } : one))
}

/** The text that search has extracted; undefined if it has none yet. */
async function readExtracted(db: Db, blobId: number): Promise<ReadText | undefined> {
  const { rows } = await sql<{ sections: TextSection[]; problem: string | null }>`
    select sections, problem from content_text where blob_id = ${blobId}`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  if (row.problem !== null) return notRead(reasonOf(row.problem))
  const sections = row.sections.map((section) => ({ ...section, path: '', place: '' as const }))
  return { sections, left: [], outcome: 'inspected', reason: '', isWhole: false }
}

const lettersOf = ({ sections }: ReadText): number => sections.reduce((sum, { text }) => sum + text.length, 0)

/**
 * The texts of a content: `wanted` is `whole` to read everything in it anew. Undefined if the content is gone.
 */
export async function readText(
  { db, contents }: { readonly db: Db; readonly contents: Contents },
  { blobId, ext, size }: { readonly blobId: number; readonly ext: string; readonly size: number },
  wanted: 'extracted' | 'whole',
  signal?: AbortSignal,
): Promise<ReadText | undefined> {
  if (size === 0) return { sections: [], left: [], outcome: 'inspected', reason: '', isWhole: true }
  const whole = () => readWhole(db, contents, blobId, ext, signal)
  if (isReadWhole(ext)) return whole()
  const isPicture = docTypeOf({ fType: 1, ext }) === 'image'
  if (!isTextSearchable(ext) || isPicture) {
    const known = await readExtracted(db, blobId)
    if (known !== undefined && known.outcome === 'inspected' && known.sections.length > 0) return known
    return notRead(isPicture ? 'picture' : 'unknownKind')
  }
  if (size > largestDocument) return notRead('tooLarge')
  if (wanted === 'whole') return whole()
  const known = await readExtracted(db, blobId)
  // A process that failed while search read the content may have failed for want of memory or time only.
  const mayRead = known !== undefined && known.reason !== 'failed' && known.reason !== 'time'
  if (!mayRead || lettersOf(known) >= mostLetters - 1) return whole()
  return known
}

export const extOf = (name: string): string => extNameOf(name).toLowerCase()
