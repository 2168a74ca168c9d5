// What an act has just left somewhere, for the list that shows that place to select: a new object for each act.
import { createStore } from 'zustand/vanilla'
import type { ItemRef } from '../item/item.ts'

export const itemsToSelectStore = createStore<{ readonly items: readonly ItemRef[] }>(() => ({ items: [] }))
