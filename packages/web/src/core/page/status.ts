// The status bar texts of the current page.
import { createStore } from 'zustand/vanilla'

/** The texts, part by part. */
export const statusStore = createStore<{ readonly parts: readonly string[] }>(() => ({ parts: [] }))
