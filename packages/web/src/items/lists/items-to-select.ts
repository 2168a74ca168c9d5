// The items that an operation has just produced. The list that shows their folder selects them. Each operation sets a
// new object.
import { createStore } from 'zustand/vanilla'
import type { ItemRef } from '../item/item.ts'

export const itemsToSelectStore = createStore<{ readonly items: readonly ItemRef[] }>(() => ({ items: [] }))
