/*
 * What this browser keeps of files that were edited here and has not reached the server ([R175], [R176]): handed in as what
 * was made of the version that it was made of, or given up. It is dropped only when the server has it, or when somebody
 * says so.
 */
import { EditState, readText, writeText } from '@cloudoc/domain'
import type { AccountRecords, EditRecord } from '../../core/storage/account-records.ts'
import type { Draft, Drafts } from '../../core/storage/drafts.ts'

/** What handing in needs of the rest. */
export interface KeptPorts {
  readonly records: Pick<AccountRecords, 'keepEdit'>
  readonly drafts: Pick<Drafts, 'of' | 'drop'>
  readonly contentOf: (fileId: number, version: number) => Promise<Uint8Array>
  readonly lock: (fileId: number) => Promise<unknown>
  readonly unlock: (fileId: number) => Promise<unknown>
  readonly submit: (fileId: number, version: number, bytes: Uint8Array) => Promise<{ readonly version: number }>
}

/** A draft as a file, in the encoding of the version that it was made of. */
export async function bytesOf(draft: Draft, contentOf: KeptPorts['contentOf']): Promise<Uint8Array> {
  return writeText(draft.text, readText(await contentOf(draft.fileId, draft.version)))
}

/** Hands in what is kept of a file; answers the version that it became, undefined where nothing was kept. */
export async function submitKept(edit: EditRecord, ports: KeptPorts): Promise<number | undefined> {
  const { fileId } = edit
  const draft = await ports.drafts.of(fileId)
  if (draft === undefined) {
    await ports.records.keepEdit({ ...edit, state: EditState.opened, closed: true })
    return undefined
  }
  const bytes = await bytesOf(draft, ports.contentOf)
  await ports.lock(fileId)
  try {
    const { version } = await ports.submit(fileId, draft.version, bytes)
    // Another tab may have typed on meanwhile: its words stay where they are.
    if ((await ports.drafts.of(fileId))?.changedAt === draft.changedAt) {
      await ports.drafts.drop(fileId)
      await ports.records.keepEdit({ ...edit, version, state: EditState.submitted, closed: true })
    }
    return version
  } finally {
    await ports.unlock(fileId).catch(() => undefined)
  }
}

/** Gives up what is kept of a file, and its lock with it. */
export async function discardKept(
  edit: EditRecord,
  { records, drafts, unlock }: Pick<KeptPorts, 'records' | 'drafts' | 'unlock'>,
): Promise<void> {
  await drafts.drop(edit.fileId)
  await records.keepEdit({ ...edit, state: EditState.opened, closed: true })
  await unlock(edit.fileId).catch(() => undefined)
}
