/*
 * Opens one office file that is written together, in a process of its own (core/confined.ts): four bytes come in, the length
 * of what is asked as JSON, then that, then the file. It answers 0 and what was made, or 1 where the file is none that can
 * be written back.
 */
import { buffer } from 'node:stream/consumers'
import { NotEditable } from '@cloudoc/office/package'
import { openWorkbook } from '@cloudoc/office/workbook'
import type { OfficeTask } from './office.ts'

function made(task: OfficeTask, file: Uint8Array): Uint8Array | undefined {
  const book = openWorkbook(file)
  if (task.kind === 'sheet') {
    book.takeIn(task.cells)
    return book.bytes()
  }
  // A signature would not hold any more; sheets that cannot be opened are found now.
  for (const { part, hasCells } of book.sheets) if (hasCells) book.sheet(part)
  return book.isSigned || book.sheets.length === 0 ? undefined : new Uint8Array()
}

function answer(whole: Buffer): Buffer {
  const end = 4 + whole.readUInt32LE(0)
  try {
    const found = made(JSON.parse(whole.toString('utf8', 4, end)) as OfficeTask, whole.subarray(end))
    return found === undefined ? Buffer.of(1) : Buffer.concat([Buffer.of(0), found])
  } catch (error) {
    if (error instanceof NotEditable) return Buffer.of(1)
    throw error
  }
}

process.stdout.write(answer(await buffer(process.stdin)), () => process.exit(0))
