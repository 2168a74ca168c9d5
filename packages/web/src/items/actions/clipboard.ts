/*
 * The clipboard of the drive: the items that were cut or copied. All windows and tabs of the browser share it ([R127]).
 * It is stored in localStorage, which also works on plain HTTP, as entries of format 1. The other tabs learn of a
 * change by the storage event. The clipboard belongs to one user: the next user who signs in to the same browser finds
 * it empty.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { create } from 'zustand'
import { store, stored } from '../../core/storage/storage.ts'
import { type ItemRef, keyOf } from '../item/item.ts'

type Clipped = Pick<ItemRecord, 'serverId' | 'fId' | 'fType' | 'fName' | 'parentFolderId'> & {
  readonly linkId?: number
}

interface Clipboard {
  readonly mode: 'cut' | 'copy'
  readonly items: readonly Clipped[]
}

/** One item on the clipboard in the documented format, and additional fields that a paste in this client needs. */
interface Entry extends Clipped {
  readonly format: 1
}

interface StoredClipboard {
  readonly userId: number
  readonly mode: 'cut' | 'copy'
  readonly entries: readonly Entry[]
}

const storageKey = 'drive.clipboard'
const nothing: Clipboard = { mode: 'copy', items: [] }
let owner: number | undefined

/** The clipboard of the drive. */
export const useClipboard = create<Clipboard>(() => nothing)

/** Puts items on the clipboard. */
export function clip(mode: Clipboard['mode'], items: readonly Clipped[]): void {
  const clipped = items.map(({ serverId, fId, fType, fName, parentFolderId, linkId = 0 }) => {
    return { serverId, fId, fType, fName, parentFolderId, linkId }
  })
  useClipboard.setState({ mode, items: clipped })
  if (owner === undefined) return
  const entries = clipped.map((item): Entry => ({ format: 1, ...item }))
  store(storageKey, JSON.stringify({ userId: owner, mode, entries } satisfies StoredClipboard))
}

/** Removes deleted items from the clipboard. */
export function unclip(gone: readonly ItemRef[]): void {
  const { mode, items } = useClipboard.getState()
  const keys = new Set(gone.map(keyOf))
  const left = items.filter((item) => !keys.has(keyOf(item)))
  if (left.length < items.length) clip(mode, left)
}

/** Empties the clipboard in every tab. */
export function clearClipboard(): void {
  clip('copy', [])
}

/** Sets the owner of the clipboard and loads what this user cut or copied in another tab. */
export function shareClipboard(userId: number): () => void {
  owner = userId
  useClipboard.setState(parseStored(stored(storageKey) ?? ''))
  const onStorage = (event: StorageEvent): void => {
    if (event.key === storageKey || event.key === null) useClipboard.setState(parseStored(event.newValue ?? ''))
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

function parseStored(text: string): Clipboard {
  try {
    const { userId, mode, entries } = JSON.parse(text) as StoredClipboard
    if (userId !== owner) return nothing
    const items = entries.filter(({ format }) => format === 1)
    return { mode: mode === 'cut' ? 'cut' : 'copy', items }
  } catch {
    // The entry is missing or has a foreign format.
    return nothing
  }
}
