// Table files, chosen and saved by the page. The worker reads and writes their content.
import { mostBytes, type PeopleSheet, SheetError, type SheetFault } from './sheet.ts'
import type { Task } from './sheet-worker.ts'

/** A file that takes longer to parse is rejected. */
const patienceMs = 60_000

function ask<T>(task: Task): Promise<T> {
  const worker = new Worker(new URL('./sheet-worker.ts', import.meta.url), { type: 'module' })
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new SheetError('slow')), patienceMs)
    worker.onmessage = ({ data }: MessageEvent<{ answer: T } | { fault: SheetFault }>) => {
      clearTimeout(timer)
      if ('fault' in data) reject(new SheetError(data.fault))
      else resolve(data.answer)
    }
    worker.onerror = () => reject(new SheetError('noSheet'))
    worker.postMessage(task, [])
  }).finally(() => worker.terminate())
}

export async function readFile(file: File): Promise<PeopleSheet> {
  if (file.size > mostBytes) throw new SheetError('tooLarge')
  return ask<PeopleSheet>({ read: new Uint8Array(await file.arrayBuffer()) })
}

/** Saves a table under a file name. The extension determines the format. */
export async function saveTable(
  name: string,
  table: readonly (readonly string[])[],
  more: { readonly sheet: string; readonly notes?: { readonly sheet: string; readonly lines: readonly string[] } },
): Promise<void> {
  const write = name.endsWith('.csv') ? 'csv' : 'xlsx'
  const bytes = await ask<Uint8Array<ArrayBuffer>>({ write, table, more })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([bytes]))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
