// Reads and writes tables in a worker, which the page can terminate at any time.
import { readCsv, readTable, SheetError, writeCsv } from './sheet.ts'
import { readWorkbook, writeWorkbook } from './workbook.ts'

export type Task =
  | { readonly read: Uint8Array<ArrayBuffer> }
  | {
      readonly write: 'csv' | 'xlsx'
      readonly table: readonly (readonly string[])[]
      readonly more: Parameters<typeof writeWorkbook>[1]
    }

/** Excel files are ZIP archives; everything else is text. */
const isArchive = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b

function work(task: Task): unknown {
  if ('read' in task) return readTable(isArchive(task.read) ? readWorkbook(task.read) : readCsv(task.read))
  return task.write === 'csv' ? writeCsv(task.table) : writeWorkbook(task.table, task.more)
}

addEventListener('message', ({ data }: MessageEvent<Task>) => {
  try {
    postMessage({ answer: work(data) })
  } catch (error) {
    postMessage({ fault: error instanceof SheetError ? error.fault : 'noSheet' })
  }
})
