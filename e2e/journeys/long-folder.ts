// A folder with very many items, and the expected rows at each index.
import { expect } from 'vitest'
import { patienceMs } from '../browser.ts'
import type { FilesPage } from '../pages/files-page.ts'
import type { Person } from './company.ts'

const perCall = 10_000

/** Creates a folder of folders in a person's library; returns their names in the server's order. */
export async function longFolder(person: Person, total: number): Promise<{ folderId: number; names: string[] }> {
  const folderId = await person.folder(person.library, '工单归档')
  for (let at = 0; at < total; at += perCall) {
    const pathList = Array.from({ length: perCall }, (_, i) => `工单第${at + i + 1}号`)
    await person.call('createFolderByPathList', { folderId, pathList })
  }
  return { folderId, names: await person.names(folderId) }
}

/** Waits until the row of this index is drawn, then checks the visible rows: each at its index, none blank. */
export async function expectRows(files: FilesPage, expected: readonly string[], index: number): Promise<void> {
  await files.row(expected[index] ?? '').waitFor()
  const inSight = () => rowsInSight(files)
  // Neighbouring rows may be on another page, which loads separately.
  await expect.poll(async () => (await inSight()).filter(({ name }) => name === undefined), wait).toEqual([])
  const rows = await inSight()
  expect(rows.length).toBeGreaterThan(10)
  for (const row of rows) expect(row.name).toBe(expected[row.index])
}

const wait = { timeout: patienceMs }

/** The fully visible rows by index; rows that are not loaded have no name. */
function rowsInSight(files: FilesPage): Promise<{ index: number; name: string | undefined }[]> {
  return files.rows().evaluateAll((drawn) => {
    const box = document.querySelector('[role=grid]')?.getBoundingClientRect()
    const inSight = drawn.filter((row) => {
      const { top, bottom } = row.getBoundingClientRect()
      return box !== undefined && top >= box.top && bottom <= box.bottom
    })
    return inSight.map((row) => ({
      index: Number(row.ariaRowIndex) - 1,
      name: row.querySelector('[title]')?.getAttribute('title') ?? undefined,
    }))
  })
}
