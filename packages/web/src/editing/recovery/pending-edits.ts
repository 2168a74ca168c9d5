/*
 * What this browser keeps of files that were edited here and has not reached the server ([R175], [R176]): handed in as what
 * was made of the version that it was made of, or given up. It is dropped only when the server has it, or when somebody
 * says so.
 */
import { EditState } from '@cloudoc/domain'
import { CallError } from '../../core/call/api.ts'
import type { AccountRecords, EditRecord } from '../../core/storage/account-records.ts'
import type { Draft, Drafts } from '../../core/storage/drafts.ts'
import type { EditedFile } from '../../transfer/engine/edit-tasks.ts'
import { draftAsFile } from '../shared/editor-formats.ts'

/** What handing in needs of the rest. */
export interface PendingEditPorts {
  readonly records: Pick<AccountRecords, 'storeEdit'>
  readonly drafts: Pick<Drafts, 'of' | 'drop'>
  readonly contentOf: (file: EditedFile, version: number) => Promise<Uint8Array>
  readonly lock: (file: EditedFile) => Promise<unknown>
  readonly unlock: (file: EditedFile) => Promise<unknown>
  /** Takes the file for this alone; answers how to leave it, undefined while an editor of this browser has it. */
  readonly take: (fileId: number) => Promise<(() => void) | undefined>
  /** There is a newer version than the one that it was made of ([R174]); answers the one to hand in upon. */
  readonly askConflict: (draft: Draft, bytes: Uint8Array) => Promise<number | undefined>
  readonly submit: (
    file: EditedFile,
    version: number,
    bytes: Uint8Array,
    madeOf?: number,
  ) => Promise<{ readonly version: number }>
}

/** A draft as a file, over the version that it was made of. */
export async function bytesOf(draft: Draft, contentOf: PendingEditPorts['contentOf']): Promise<Uint8Array> {
  return draftAsFile(draft.fileName, draft.text, await contentOf(draft, draft.version))
}

/**
 * Hands in what is kept of a file; answers the version that it became, or why there is none: nothing was kept, an editor of
 * this browser has the file, or the person has left it after a conflict.
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
      // Another tab may have typed on meanwhile: its words stay where they are.
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

/** Hands in upon the version that it was made of, or upon the newest where the person says so. */
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

/** Gives up what is kept of a file, and its lock with it; `edited` where an editor of this browser has it. */
export async function discardPending(
  edit: EditRecord,
  ports: Pick<PendingEditPorts, 'records' | 'drafts' | 'unlock' | 'take'>,
): Promise<'done' | 'edited'> {
  return alone<'done'>(edit.fileId, ports, async () => {
    await ports.drafts.drop(edit.fileId)
    await ports.records.storeEdit({ ...edit, state: EditState.opened, closed: true })
    // Where there is no way to the server, nobody waits for that.
    void ports.unlock(edit).catch(() => undefined)
    return 'done'
  })
}

/** Does something while no editor of this browser has the file: it shares the lock, and would lose it. */
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
