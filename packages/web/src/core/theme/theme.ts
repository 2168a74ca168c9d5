// The skins ([R003]): a choice kept in this browser, applied to the whole page in one frame and followed by other tabs.
import { useSyncExternalStore } from 'react'
import { store, stored } from '../storage/storage.ts'

export const skins = ['blue', 'red', 'green', 'black'] as const
export type Skin = (typeof skins)[number]

const storageKey = 'skin'
const changed = new Set<() => void>()

const isSkin = (text: string | null | undefined): text is Skin => skins.some((skin) => skin === text)

/** The skin in force; the script in index.html has set it before the first paint. */
export function currentSkin(): Skin {
  const { skin } = document.documentElement.dataset
  return isSkin(skin) ? skin : 'blue'
}

/** Switches the skin at once and keeps the choice. */
export function setSkin(skin: Skin): void {
  store(storageKey, skin)
  show(skin)
}

/** Shows another skin than the chosen one for as long as something asks for it, or the chosen one again. */
export function showSkin(instead: Skin | undefined): void {
  const kept = stored(storageKey)
  const skin = instead ?? (isSkin(kept) ? kept : 'blue')
  if (skin !== currentSkin()) show(skin)
}

function show(skin: Skin): void {
  document.documentElement.dataset.skin = skin
  for (const tell of changed) tell()
}

/** Takes up the kept choice and follows the one made in another tab. */
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

/** The skin in force; the component is drawn again when it changes. */
export function useSkin(): Skin {
  return useSyncExternalStore(subscribe, currentSkin)
}
