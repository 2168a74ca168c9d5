// Launching: choose a template, then fill in the process; several files are processes of their own, one after the other.
import type { ItemRecord } from '@cloudoc/contract'
import { openWindow } from '../../core/windows/index.ts'

type File = Pick<ItemRecord, 'fId' | 'fName' | 'extName' | 'version'>

/** Chooses a template and launches a process for each file, or one without a file. */
export async function launchWorkflow(files: readonly File[]): Promise<void> {
  const picked = await openWindow('cloudoc-workflow-template', {
    files: files.map(({ fId, fName, extName, version }) => ({ fId, fName, extName, version })),
  })
  if (picked !== undefined) await launchWith(picked.templateId, files)
}

/** Launches a process of the template for each file, or one without a file. */
export async function launchWith(
  templateId: number,
  files: readonly Pick<File, 'fId' | 'fName' | 'version'>[],
): Promise<void> {
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
