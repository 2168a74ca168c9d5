/*
 * Edit drafts in this browser that have not reached the server ([R175], [R176]). They are submitted on top of their
 * base version, or discarded. A draft is deleted only after the server has it, or when the user discards it.
 */
import { EditState } from '@cloudoc/domain'
import { CallError } from '../../core/call/api.ts'
import type { AccountRecords, EditRecord } from '../../core/storage/account-records.ts'
import type { Draft, Drafts } from '../../core/storage/drafts.ts'
import type { EditedFile } from '../../transfer/engine/edit-tasks.ts'
import { draftAsFile } from '../shared/editor-formats.ts'

/** The dependencies of submitting. */
export interface PendingEditPorts {
  readonly records: Pick<AccountRecords, 'storeEdit'>
  readonly drafts: Pick<Drafts, 'of' | 'drop'>
  readonly contentOf: (file: EditedFile, version: number) => Promise<Uint8Array>
  readonly lock: (file: EditedFile) => Promise<unknown>
  readonly unlock: (file: EditedFile) => Promise<unknown>
  /**
   * Acquires the tab lock of the file; returns a function that releases it, or undefined while an editor of this
   * browser has the file.
   */
  readonly take: (fileId: number) => Promise<(() => void) | undefined>
  /** There is a newer version than the base version ([R174]); returns the version to submit on top of. */
  readonly askConflict: (draft: Draft, bytes: Uint8Array) => Promise<number | undefined>
  readonly submit: (
    file: EditedFile,
    version: number,
    bytes: Uint8Array,
    madeOf?: number,
  ) => Promise<{ readonly version: number }>
}

/** Converts a draft to a file, using its base version. */
export async function bytesOf(draft: Draft, contentOf: PendingEditPorts['contentOf']): Promise<Uint8Array> {
  return draftAsFile(draft.fileName, draft.text, await contentOf(draft, draft.version))
}

/**
 * Submits the draft of a file. Returns the resulting version, or why there is none: there was no draft, an editor of
 * this browser has the file, or the user cancelled after a conflict.
 */
export async function submitPending(
  edit: EditRecord,
  ports: PendingEditPorts,
): Promise<number | 'nothing' | 'edited' | 'left'> {
  return alone(edit.fileId, ports, async () => {
    const { fileId } = edit
    const draft = await ports.drafts.of(fileId)
    if (draft === undefined) {
      await ports.records.storeEdit({ ...edit, state: EditState.opened, closed: true })
      return 'nothing'
    }
    const bytes = await bytesOf(draft, ports.contentOf)
    await ports.lock(edit)
    try {
      const version = await upon(draft, bytes, ports)
      if (version === undefined) return 'left'
      // Another tab may have changed the draft in the meantime: it is then not deleted.
      if ((await ports.drafts.of(fileId))?.changedAt === draft.changedAt) {
        await ports.drafts.drop(fileId)
        await ports.records.storeEdit({ ...edit, version, state: EditState.submitted, closed: true })
      }
      return version
    } finally {
      await ports.unlock(edit).catch(() => undefined)
    }
  })
}

/** Submits on top of the base version, or of the newest version if the user decides so. */
async function upon(draft: Draft, bytes: Uint8Array, ports: PendingEditPorts): Promise<number | undefined> {
  let base = draft.version
  for (;;) {
    try {
      const madeOf = base === draft.version ? undefined : draft.version
      return (await ports.submit(draft, base, bytes, madeOf)).version
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'fileConflict') throw error
      const newest = await ports.askConflict(draft, bytes)
      if (newest === undefined) return undefined
      base = newest
    }
  }
}

/** Discards the draft of a file and releases its lock; returns `edited` if an editor of this browser has it. */
export async function discardPending(
  edit: EditRecord,
  ports: Pick<PendingEditPorts, 'records' | 'drafts' | 'unlock' | 'take'>,
): Promise<'done' | 'edited'> {
  return alone<'done'>(edit.fileId, ports, async () => {
    await ports.drafts.drop(edit.fileId)
    await ports.records.storeEdit({ ...edit, state: EditState.opened, closed: true })
    // Does not wait for an unreachable server.
    void ports.unlock(edit).catch(() => undefined)
    return 'done'
  })
}

/** Runs work while no editor of this browser has the file: the editor shares the lock, and would lose it. */
async function alone<T>(
  fileId: number,
  { take }: Pick<PendingEditPorts, 'take'>,
  work: () => Promise<T>,
): Promise<T | 'edited'> {
  const leave = await take(fileId)
  if (leave === undefined) return 'edited'
  try {
    return await work()
  } finally {
    leave()
  }
}
