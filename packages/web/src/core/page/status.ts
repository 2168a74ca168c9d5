// What the page in front says in the status bar.
import { createStore } from 'zustand/vanilla'

/** The words of the page, part by part. */
export const statusStore = createStore<{ readonly parts: readonly string[] }>(() => ({ parts: [] }))
