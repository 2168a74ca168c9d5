// Launching: choose a template, then fill in the process; several files are processes of their own, one after the other.
import type { ItemRecord } from '@cloudoc/contract'
import { openWindow } from '../../core/windows/index.ts'

type File = Pick<ItemRecord, 'fId' | 'fName' | 'extName' | 'version'>

/** Launches a process for each file, or one without a file. */
export async function launchWorkflow(files: readonly File[]): Promise<void> {
  const picked = await openWindow('cloudoc-workflow-template', {
    files: files.map(({ fName, extName }) => ({ fName, extName })),
  })
  if (picked === undefined) return
  const { templateId } = picked
  if (files.length === 0) {
    await openWindow('cloudoc-workflow-detail', { launch: { templateId } })
    return
  }
  for (const { fId, fName, version } of files) {
    const isDone = await openWindow('cloudoc-workflow-detail', {
      launch: { templateId, file: { fId, fName, version } },
    })
    if (isDone !== true) return
  }
}
