// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import { transfers } from './transfers.ts'
import { upload } from './uploads.ts'

// [R199] An upload without files is an error in the log and has no other effect.
it('an upload without files is an error in the log and nothing else [R199]', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const sent = vi.spyOn(globalThis, 'fetch')
  await upload({ files: [], folders: [] }, { folderId: 12, folderName: '合同' })
  expect(said.mock.calls).toEqual([['an upload without files was asked for']])
  expect(sent).not.toHaveBeenCalled()
  expect(transfers.snapshot().tasks).toEqual([])
})
