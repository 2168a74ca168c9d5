// Office files that are written together are read and written back in confined processes, as all that people upload.
import { Readable } from 'node:stream'
import type { SharedCell } from '@cloudoc/office/shared-cells'
import { ConfinedFailure, type Limits, programBeside, runConfined } from '../../core/confined.ts'

/** What is asked of the process. */
export type OfficeTask = { readonly kind: 'check' } | { readonly kind: 'sheet'; readonly cells: readonly SharedCell[] }

const program = programBeside(import.meta.url, 'office-process')
const mb = 1024 * 1024
const limitsFor = (size: number): Limits => ({
  wallMs: 60_000,
  cpuSeconds: 60,
  heapMb: 768,
  otherMb: 512 + Math.ceil((4 * size) / mb),
  outputBytes: 100 * mb,
})

/** The process has two channels in one: how long the task is, the task, and the file. */
async function run(task: OfficeTask, file: Uint8Array): Promise<Buffer | undefined> {
  const asked = Buffer.from(JSON.stringify(task))
  const head = Buffer.alloc(4)
  head.writeUInt32LE(asked.length)
  const answer = await runConfined({
    program,
    input: Readable.from([head, asked, file], { objectMode: false }),
    limits: limitsFor(file.length + asked.length),
  })
  return answer[0] === 0 ? answer.subarray(1) : undefined
}

/** Whether a workbook can be written back; one that takes too long or too much room cannot. */
export async function isSheet(file: Uint8Array): Promise<boolean> {
  try {
    return (await run({ kind: 'check' }, file)) !== undefined
  } catch (error) {
    if (error instanceof ConfinedFailure) return false
    throw error
  }
}

/** A file with what was written in it. */
export async function writeOffice(task: Exclude<OfficeTask, { kind: 'check' }>, file: Uint8Array): Promise<Uint8Array> {
  const made = await run(task, file)
  if (made === undefined) throw new Error('a file that was written together cannot be written back')
  return made
}
