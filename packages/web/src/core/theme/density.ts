// The row density: a choice stored in this browser, for lists, trees and menus.
import { useSyncExternalStore } from 'react'
import { store, stored } from '../storage/storage.ts'

export const densities = ['compact', 'default', 'comfortable'] as const
export type Density = (typeof densities)[number]

const storageKey = 'density'
const changed = new Set<() => void>()
/** The heights of --row in tokens.css. */
const rowHeights: Readonly<Record<Density, number>> = { compact: 30, default: 36, comfortable: 44 }

function currentDensity(): Density {
  const { density } = document.documentElement.dataset
  return densities.find((one) => one === density) ?? 'default'
}

function show(density: string | undefined): void {
  document.documentElement.dataset.density = densities.find((one) => one === density) ?? 'default'
  for (const tell of changed) tell()
}

/** Applies and stores the choice. */
export function setDensity(density: Density): void {
  store(storageKey, density)
  show(density)
}

/** Applies the stored choice. */
export function followDensity(): void {
  show(stored(storageKey))
}

/** The current density, and its row height. */
export function useDensity(): { readonly density: Density; readonly rowHeight: number } {
  const density = useSyncExternalStore((tell) => {
    changed.add(tell)
    return () => changed.delete(tell)
  }, currentDensity)
  return { density, rowHeight: rowHeights[density] }
}
