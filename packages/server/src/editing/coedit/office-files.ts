/*
 * Co-edited office files are read and written back in confined processes, like all uploads. A few run concurrently;
 * further ones are queued.
 */
import { availableParallelism } from 'node:os'
import { Readable } from 'node:stream'
import type { Op } from '@cloudoc/office/document'
import type { FrameWords, RestructuredSlides, SlideChange } from '@cloudoc/office/presentation'
import type { CoeditCell, SheetRebase, StructureOperation } from '@cloudoc/office/workbook'
import { ConfinedFailure, type Limits, runConfined, siblingProgram } from '../../core/confined/confined.ts'
import { createSemaphore } from '../../core/semaphore.ts'

/** The task of the process. */
export type OfficeTask =
  | { readonly kind: 'check' }
  | { readonly kind: 'sheet'; readonly cells: readonly CoeditCell[] }
  | { readonly kind: 'build'; readonly cells: readonly CoeditCell[]; readonly change: StructureOperation }
  | { readonly kind: 'read' }
  | { readonly kind: 'doc'; readonly beginning: string; readonly ops: readonly Op[] }
  | { readonly kind: 'frames' }
  | { readonly kind: 'slides'; readonly words: readonly FrameWords[] }
  | { readonly kind: 'deck'; readonly words: readonly FrameWords[]; readonly change: SlideChange }

/** A document in its co-editing form. */
export interface ReadDocument {
  readonly beginning: Uint8Array
  readonly ops: readonly Op[]
}

const program = siblingProgram(import.meta.url, 'office-process')
const mb = 1024 * 1024
const limitsFor = (size: number): Limits => ({
  wallMs: 60_000,
  cpuSeconds: 60,
  heapMb: 768,
  otherMb: 512 + Math.ceil((4 * size) / mb),
  outputBytes: 100 * mb,
})

const semaphore = createSemaphore(Math.max(1, Math.min(4, availableParallelism() - 1)))

/** The process has a single input for both: the length of the task, the task, and the file. */
async function run(task: OfficeTask, file: Uint8Array): Promise<Buffer | undefined> {
  const asked = Buffer.from(JSON.stringify(task))
  const head = Buffer.alloc(4)
  head.writeUInt32LE(asked.length)
  await semaphore.acquire()
  try {
    const answer = await runConfined({
      program,
      input: Readable.from([head, asked, file], { objectMode: false }),
      limits: limitsFor(file.length + asked.length),
      isAwaited: true,
    })
    return answer[0] === 0 ? answer.subarray(1) : undefined
  } finally {
    semaphore.release()
  }
}

/**
 * Runs a task on a file; undefined for a file that cannot be written back, or that exceeds the time or memory limit.
 */
async function found(task: OfficeTask, file: Uint8Array): Promise<Buffer | undefined> {
  try {
    return await run(task, file)
  } catch (error) {
    if (error instanceof ConfinedFailure) return undefined
    throw error
  }
}

/** Whether a workbook can be written back. */
export async function isSheet(file: Uint8Array): Promise<boolean> {
  return (await found({ kind: 'check' }, file)) !== undefined
}

/** A workbook with a structural change, or why the change was not made. */
export type RestructureResult =
  | { readonly why: string }
  | { readonly why: ''; readonly bytes: Uint8Array; readonly names: SheetRebase['names'] }

/** Applies cell edits and then a structural change to a workbook; undefined if that is impossible. */
export async function restructureSheet(
  cells: readonly CoeditCell[],
  change: StructureOperation,
  file: Uint8Array,
): Promise<RestructureResult | undefined> {
  const answer = await found({ kind: 'build', cells, change }, file)
  if (answer === undefined) return undefined
  const end = 4 + answer.readUInt32LE(0)
  const said = JSON.parse(answer.toString('utf8', 4, end)) as { why: string; names: SheetRebase['names'] }
  return said.why === '' ? { why: '', names: said.names, bytes: answer.subarray(end) } : { why: said.why }
}

/** Writes words into a presentation and changes its slides or shapes; undefined if that is impossible. */
export async function restructureDeck(
  words: readonly FrameWords[],
  change: SlideChange,
  file: Uint8Array,
): Promise<RestructuredSlides | { readonly why: string } | undefined> {
  const answer = await found({ kind: 'deck', words, change }, file)
  if (answer === undefined) return undefined
  const end = 4 + answer.readUInt32LE(0)
  const said = JSON.parse(answer.toString('utf8', 4, end)) as { why: string } & Omit<RestructuredSlides, 'bytes'>
  return said.why === '' ? { ...said, bytes: answer.subarray(end) } : { why: said.why }
}

/** Reads a document into its co-editing form; undefined for one that cannot be written back. */
export async function readDocument(file: Uint8Array): Promise<ReadDocument | undefined> {
  const answer = await found({ kind: 'read' }, file)
  if (answer === undefined) return undefined
  const end = 4 + answer.readUInt32LE(0)
  return { beginning: Uint8Array.from(answer.subarray(4, end)), ops: JSON.parse(answer.toString('utf8', end)) as Op[] }
}

/** Reads the words of a presentation by text frame; undefined for one that cannot be written back. */
export async function readFrames(file: Uint8Array): Promise<readonly FrameWords[] | undefined> {
  const answer = await found({ kind: 'frames' }, file)
  return answer && (JSON.parse(answer.toString('utf8')) as readonly FrameWords[])
}

/** Writes the edits into a file. */
export async function writeOffice(
  task: Extract<OfficeTask, { kind: 'sheet' | 'doc' | 'slides' }>,
  file: Uint8Array,
): Promise<Uint8Array> {
  const made = await run(task, file)
  if (made === undefined) throw new Error('a file that was written together cannot be written back')
  return made
}
