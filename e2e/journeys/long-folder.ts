// A folder of very many items, and what must stand where in it.
import { expect } from 'vitest'
import { patienceMs } from '../browser.ts'
import type { FilesPage } from '../pages/files-page.ts'
import type { Person } from './company.ts'

const perCall = 10_000

/** Makes a folder of folders in somebody's library; answers their names in the server's order. */
export async function longFolder(person: Person, total: number): Promise<{ folderId: number; names: string[] }> {
  const folderId = await person.folder(person.library, '工单归档')
  for (let at = 0; at < total; at += perCall) {
    const pathList = Array.from({ length: perCall }, (_, i) => `工单第${at + i + 1}号`)
    await person.call('createFolderByPathList', { folderId, pathList })
  }
  return { folderId, names: await person.names(folderId) }
}

/** The rows in sight, once the one of this index is drawn: each in its place, none blank. */
export async function expectRows(files: FilesPage, expected: readonly string[], index: number): Promise<void> {
  await files.row(expected[index] ?? '').waitFor()
  const inSight = () => rowsInSight(files)
  // Those beside it may stand on another page, which comes on its own.
  await expect.poll(async () => (await inSight()).filter(({ name }) => name === undefined), wait).toEqual([])
  const rows = await inSight()
  expect(rows.length).toBeGreaterThan(10)
  for (const row of rows) expect(row.name).toBe(expected[row.index])
}

const wait = { timeout: patienceMs }

/** The rows that can be seen whole, by their place; those that are not there yet have no name. */
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
