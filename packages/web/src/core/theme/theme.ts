// The skins ([R003]): a choice stored in this browser, applied to the whole page in one frame and followed by other
// tabs.
import { useSyncExternalStore } from 'react'
import { store, stored } from '../storage/storage.ts'

export const skins = ['blue', 'red', 'green', 'black'] as const
export type Skin = (typeof skins)[number]

const storageKey = 'skin'
const changed = new Set<() => void>()

const isSkin = (text: string | null | undefined): text is Skin => skins.some((skin) => skin === text)

/** The current skin. The script in index.html has set it before the first paint. */
export function currentSkin(): Skin {
  const { skin } = document.documentElement.dataset
  return isSkin(skin) ? skin : 'blue'
}

/** Applies and stores the skin. */
export function setSkin(skin: Skin): void {
  store(storageKey, skin)
  show(skin)
}

/** Shows another skin instead of the chosen one; undefined restores the chosen one. */
export function showSkin(instead: Skin | undefined): void {
  const kept = stored(storageKey)
  const skin = instead ?? (isSkin(kept) ? kept : 'blue')
  if (skin !== currentSkin()) show(skin)
}

function show(skin: Skin): void {
  document.documentElement.dataset.skin = skin
  for (const tell of changed) tell()
}

/** Applies the stored skin, and follows changes in other tabs. */
export function followSkin(): () => void {
  const kept = stored(storageKey)
  show(isSkin(kept) ? kept : currentSkin())
  const onStorage = (event: StorageEvent): void => {
    if (event.key === storageKey) show(isSkin(event.newValue) ? event.newValue : 'blue')
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

function subscribe(tell: () => void): () => void {
  changed.add(tell)
  return () => changed.delete(tell)
}

/** The current skin. The component renders again when it changes. */
export function useSkin(): Skin {
  return useSyncExternalStore(subscribe, currentSkin)
}
